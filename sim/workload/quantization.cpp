#include "sim/workload/quantization.hpp"

#include <algorithm>
#include <cmath>

namespace systole {
namespace {

constexpr double largest_code = 127;

double power_of_two_from(double x) {
    int exponent = 0;
    const double mantissa = std::frexp(x, &exponent);  // x = mantissa · 2^exponent, in [½, 1)
    return std::ldexp(1.0, mantissa == 0.5 ? exponent - 1 : exponent);
}

/// f(u·x) = u·f(x) for u > 0.
bool is_homogeneous(models::VectorOp op) {
    using models::VectorOp;
    switch (op) {
        case VectorOp::copy:
        case VectorOp::scale_columns:
        case VectorOp::relu:
        case VectorOp::max_pool:
        case VectorOp::average_pool:
            return true;
        default:
            return false;
    }
}

}  // namespace

double unit_bound() {
    return std::sqrt(3.0);
}

double weight_bound(std::int64_t depth) {
    return std::sqrt(3.0 / static_cast<double>(depth));
}

double drawn_weight_step(std::int64_t depth) {
    return power_of_two_from(4.0 / std::sqrt(static_cast<double>(depth)) / largest_code);
}

double step_of(const std::vector<double>& values) {
    double largest = 0;
    for (const double value : values) {
        largest = std::max(largest, std::abs(value));
    }
    const double step = std::clamp(largest / largest_code, 2 * least_step, largest_step / 2);
    return largest > 0 ? power_of_two_from(step) : 1.0;
}

std::vector<ElementStep> lower(const std::vector<RealStep>& steps, double source_step,
                               const Tensor& target, const std::vector<Tensor>& tensors) {
    using models::VectorOp;
    std::vector<ElementStep> lowered;
    double worth = source_step;
    const auto bring_to = [&](double wanted) {
        if (worth != wanted) {
            lowered.push_back({VectorOp::scale, worth / wanted, std::nullopt});
            worth = wanted;
        }
    };
    for (const auto& step : steps) {
        if (step.op == VectorOp::add && step.operand) {
            bring_to(tensors[static_cast<std::size_t>(*step.operand)].step);
        } else if (!is_homogeneous(step.op)) {
            bring_to(1.0);
        }
        lowered.push_back({step.op, 1.0, step.operand});
    }
    if (numerics::is_integer(target.format)) {
        lowered.push_back({VectorOp::quantize, worth / target.step, std::nullopt});
    } else {
        bring_to(1.0);
        if (lowered.empty()) {
            lowered.push_back({VectorOp::copy, 1.0, std::nullopt});
        }
    }
    return lowered;
}

}  // namespace systole
