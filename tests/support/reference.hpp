#pragma once

#include "sim/workload/graph.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace systole::test {

/// Evaluates a graph in double precision with plain loops, to hold the machine's values against. It
/// shares no code with models/. All numbers are as stored: codes of int8 and int32 tensors, not the
/// real numbers they stand for. Only what an operator writes is rounded, to its tensor's format.
class Reference {
public:
    /// `stored` has the numbers of every input and parameter.
    Reference(const Graph& graph, std::map<TensorId, std::vector<double>> stored)
        : graph_{graph},
          values_{std::move(stored)} {
        for (const auto& op : graph_.operators) {
            evaluate(op);
        }
    }

    [[nodiscard]] const std::vector<double>& values(TensorId id) const { return values_.at(id); }

    /// `x` in `format`, to nearest, ties to even. Integers saturate.
    [[nodiscard]] static double rounded(double x, Format format) {
        switch (format) {
            case Format::int8:
                return std::clamp(std::nearbyint(x), -128.0, 127.0);
            case Format::int32:
                return std::clamp(std::nearbyint(x), -2147483648.0, 2147483647.0);
            case Format::fp16:
                return rounded(x, 11, -14, 65504.0);
            case Format::bf16:
                return rounded(x, 8, -126, 0x1.fep127);
            case Format::fp32:
                return static_cast<double>(static_cast<float>(x));
        }
        return x;
    }

private:
    /// A binary format of `digits` significant bits, whose least normal number is 2^least.
    static double rounded(double x, int digits, int least, double largest) {
        if (x == 0 || !std::isfinite(x)) {
            return x;
        }
        const int exponent = std::max(std::ilogb(x), least);
        const double unit = std::ldexp(1.0, exponent - digits + 1);
        const double nearest = std::nearbyint(x / unit) * unit;
        const double infinite = std::numeric_limits<double>::infinity();
        return std::abs(nearest) > largest ? std::copysign(infinite, x) : nearest;
    }

    void evaluate(const Operator& op) {
        std::vector<double> now;
        std::size_t step = 0;
        if (op.kind == Operator::Kind::matrix) {
            now = product(op);
        } else if (op.kind == Operator::Kind::pool) {
            now = pool(op);
            step = 1;
        } else {
            now = values_.at(op.inputs.front());
        }
        const auto& output = graph_.tensor(op.output);
        for (; step < op.steps.size(); ++step) {
            apply(op.steps[step], output, now);
        }
        for (auto& value : now) {
            value = rounded(value, output.format);
        }
        values_[op.output] = std::move(now);
    }

    /// Calls `visit(kh, kw, offset)` for each tap of the output pixel (n, oh, ow) that lies in the
    /// image; `offset` is where the pixel begins in the tensor.
    template <class Visit>
    static void for_each_tap(const models::ConvView& v, std::int64_t n, std::int64_t oh,
                             std::int64_t ow, Visit visit) {
        for (std::int64_t kh = 0; kh < v.kernel_height; ++kh) {
            for (std::int64_t kw = 0; kw < v.kernel_width; ++kw) {
                const auto h = oh * v.stride_height - v.pad_top + kh * v.dilation_height;
                const auto w = ow * v.stride_width - v.pad_left + kw * v.dilation_width;
                if (h >= 0 && h < v.height && w >= 0 && w < v.width) {
                    visit(kh, kw, ((n * v.height + h) * v.width + w) * v.channels);
                }
            }
        }
    }

    template <class Visit>
    static void for_each_pixel(const models::ConvView& v, Visit visit) {
        for (std::int64_t n = 0; n < v.batch; ++n) {
            for (std::int64_t oh = 0; oh < v.out_height; ++oh) {
                for (std::int64_t ow = 0; ow < v.out_width; ++ow) {
                    visit(n, oh, ow);
                }
            }
        }
    }

    [[nodiscard]] std::vector<double> product(const Operator& op) const {
        const auto& v = op.view;
        const auto& image = values_.at(op.inputs.front());
        const auto& weights = values_.at(*op.weights);
        const auto inputs = v.channels / v.groups;
        const auto outputs = v.out_channels / v.groups;
        std::vector<double> result;
        for_each_pixel(v, [&](std::int64_t n, std::int64_t oh, std::int64_t ow) {
            for (std::int64_t f = 0; f < v.out_channels; ++f) {
                double sum = 0;
                for_each_tap(v, n, oh, ow, [&](std::int64_t kh, std::int64_t kw, std::int64_t at) {
                    for (std::int64_t c = 0; c < inputs; ++c) {
                        const auto row = (kh * v.kernel_width + kw) * inputs + c;
                        sum += image.at(index(at + f / outputs * inputs + c)) *
                               weights.at(index(row * v.out_channels + f));
                    }
                });
                result.push_back(sum);
            }
        });
        return result;
    }

    [[nodiscard]] std::vector<double> pool(const Operator& op) const {
        const auto& v = op.view;
        const auto& image = values_.at(op.inputs.front());
        const bool average = op.steps.front().op == models::VectorOp::average_pool;
        std::vector<double> result;
        for_each_pixel(v, [&](std::int64_t n, std::int64_t oh, std::int64_t ow) {
            for (std::int64_t c = 0; c < v.channels; ++c) {
                double sum = 0;
                double largest = -std::numeric_limits<double>::infinity();
                std::int64_t count = 0;
                for_each_tap(v, n, oh, ow, [&](std::int64_t, std::int64_t, std::int64_t at) {
                    sum += image.at(index(at + c));
                    largest = std::max(largest, image.at(index(at + c)));
                    ++count;
                });
                count = op.count_padding ? v.kernel_height * v.kernel_width : count;
                result.push_back(average ? sum / static_cast<double>(count) : largest);
            }
        });
        return result;
    }

    void apply(const ElementStep& step, const Tensor& output, std::vector<double>& now) const {
        using models::VectorOp;
        const auto columns = index(output.shape.back());
        const auto* operand = step.operand ? &values_.at(*step.operand) : nullptr;
        if (step.op == VectorOp::softmax) {
            for (std::size_t row = 0; row < now.size(); row += columns) {
                softmax(now, row, columns);
            }
            return;
        }
        for (std::size_t i = 0; i < now.size(); ++i) {
            double& x = now[i];
            switch (step.op) {
                case VectorOp::copy:
                    break;
                case VectorOp::scale:
                case VectorOp::quantize:
                    x *= step.parameter;
                    break;
                case VectorOp::scale_columns:
                    x *= operand->at(i % columns);
                    break;
                case VectorOp::add_columns:
                    x += operand->at(i % columns);
                    break;
                case VectorOp::add:
                    x += operand->at(i);
                    break;
                case VectorOp::multiply:
                    x *= operand->at(i);
                    break;
                default:
                    x = function(step.op, x);
            }
        }
    }

    static double function(models::VectorOp op, double x) {
        using models::VectorOp;
        switch (op) {
            case VectorOp::relu:
                return std::max(x, 0.0);
            case VectorOp::relu6:
                return std::clamp(x, 0.0, 6.0);
            case VectorOp::sigmoid:
                return 1 / (1 + std::exp(-x));
            case VectorOp::tanh:
                return std::tanh(x);
            case VectorOp::gelu:
                return x * std::erfc(-x / std::sqrt(2.0)) / 2;
            case VectorOp::silu:
                return x / (1 + std::exp(-x));
            default:
                return std::numeric_limits<double>::quiet_NaN();  // a pool in mid-chain
        }
    }

    static void softmax(std::vector<double>& now, std::size_t from, std::size_t columns) {
        const auto row = now.begin() + static_cast<std::ptrdiff_t>(from);
        const auto end = row + static_cast<std::ptrdiff_t>(columns);
        const double largest = *std::max_element(row, end);
        double sum = 0;
        for (auto x = row; x != end; ++x) {
            *x = std::exp(*x - largest);
            sum += *x;
        }
        for (auto x = row; x != end; ++x) {
            *x /= sum;
        }
    }

    static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

    const Graph& graph_;
    std::map<TensorId, std::vector<double>> values_;
};

}  // namespace systole::test
