#include "models/vector_unit/vector_values.hpp"

#include "models/numerics/convert.hpp"
#include "models/vector_unit/lane_functions.hpp"
#include "models/vector_unit/pool.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

namespace systole::models {
namespace {

using numerics::from_float;
using numerics::to_float;

void softmax(std::span<float> row) {
    float greatest = row[0];
    for (const float x : row) {
        greatest = maximum(greatest, x);
    }
    float sum = 0;
    for (float& x : row) {
        x = exponential(x - greatest);
        sum += x;
    }
    for (float& x : row) {
        x /= sum;
    }
}

/// One instruction, row by row.
class Evaluation {
public:
    Evaluation(const Vector& vector, const ConvView* view, Sram& scratchpad,
               Accumulators& accumulators)
        : vector_{vector},
          view_{view},
          scratchpad_{scratchpad},
          accumulators_{accumulators},
          row_(static_cast<std::size_t>(vector.target.cols)),
          operand_(row_.size()) {}

    void run() {
        SYSTOLE_ASSERT(vector_.target.place == VectorTile::Place::scratchpad,
                       "the vector unit writes the scratchpad only");
        for (std::int64_t i = 0; i < vector_.target.rows; ++i) {
            auto step = vector_.steps.begin();
            if (step != vector_.steps.end() && is_pool(step->op)) {
                pool_row(vector_, *view_, i, scratchpad_, row_);
                ++step;
            } else {
                load_source(i);
            }
            for (; step != vector_.steps.end(); ++step) {
                apply(*step, i);
            }
            store_target(i);
        }
    }

private:
    [[nodiscard]] std::span<const std::byte> bytes_at(std::int64_t address, Format format) const {
        const auto size = static_cast<std::int64_t>(row_.size()) * numerics::bytes_of(format);
        return static_cast<const Sram&>(scratchpad_).bytes(address, size);
    }

    void load_source(std::int64_t i) {
        const auto& source = vector_.source;
        SYSTOLE_ASSERT(source.rows == vector_.target.rows && source.cols == vector_.target.cols,
                       "source and target of a vector instruction differ in shape");
        if (source.place == VectorTile::Place::accumulators) {
            for (std::size_t j = 0; j < row_.size(); ++j) {
                const auto column = static_cast<std::int64_t>(j);
                const auto sums =
                    accumulators_.row(source.address + (source.transposed ? column : i));
                row_[j] = to_float(source.format,
                                   sums[source.transposed ? static_cast<std::size_t>(i) : j]);
            }
            return;
        }
        const auto offset = i * source.pitch * numerics::bytes_of(source.format);
        numerics::load(source.format, bytes_at(source.address + offset, source.format), row_);
    }

    void load_operand(const VectorStep& step, std::int64_t i) {
        const auto offset = i * step.operand_pitch * numerics::bytes_of(step.operand_format);
        numerics::load(step.operand_format, bytes_at(step.operand + offset, step.operand_format),
                       operand_);
    }

    template <class Function>
    void each(Function function) {
        std::transform(row_.begin(), row_.end(), row_.begin(), function);
    }
    template <class Function>
    void each_with_operand(Function function) {
        std::transform(row_.begin(), row_.end(), operand_.begin(), row_.begin(), function);
    }

    void apply(const VectorStep& step, std::int64_t i) {
        const auto parameter = static_cast<float>(step.parameter);
        switch (step.op) {
            case VectorOp::copy:
                break;
            case VectorOp::scale:
                each([=](float x) { return x * parameter; });
                break;
            case VectorOp::quantize:
                SYSTOLE_ASSERT(&step == &vector_.steps.back(), "quantize is not the last step");
                each([=](float x) { return x * parameter; });
                break;
            case VectorOp::scale_columns:
                load_operand(step, 0);
                each_with_operand(std::multiplies<>{});
                break;
            case VectorOp::add_columns:
                load_operand(step, 0);
                each_with_operand(std::plus<>{});
                break;
            case VectorOp::add:
                load_operand(step, i);
                each_with_operand(std::plus<>{});
                break;
            case VectorOp::multiply:
                load_operand(step, i);
                each_with_operand(std::multiplies<>{});
                break;
            case VectorOp::relu:
                each(relu);
                break;
            case VectorOp::relu6:
                each(relu6);
                break;
            case VectorOp::sigmoid:
                each(sigmoid);
                break;
            case VectorOp::tanh:
                each(models::tanh);
                break;
            case VectorOp::gelu:
                each(gelu);
                break;
            case VectorOp::silu:
                each(silu);
                break;
            case VectorOp::softmax:
                softmax(row_);
                break;
            case VectorOp::max_pool:
            case VectorOp::average_pool:
                SYSTOLE_ASSERT(false, "a pool is not the first step");
        }
    }

    void store_target(std::int64_t i) {
        const auto& target = vector_.target;
        const bool saturate =
            !vector_.steps.empty() && vector_.steps.back().op == VectorOp::quantize;
        if (saturate && !numerics::is_integer(target.format)) {
            const float most =
                to_float(target.format, numerics::layout_of(target.format).max_finite());
            each([=](float x) { return minimum(maximum(x, -most), most); });
        }
        const auto bytes = numerics::bytes_of(target.format);
        const auto place = scratchpad_.bytes(target.address + i * target.pitch * bytes,
                                             static_cast<std::int64_t>(row_.size()) * bytes);
        numerics::store(target.format, std::span<const float>{row_}, place);
    }

    const Vector& vector_;
    const ConvView* view_;
    Sram& scratchpad_;
    Accumulators& accumulators_;
    std::vector<float> row_;      ///< a row of the target in the making
    std::vector<float> operand_;  ///< the row of a second operand
};

}  // namespace

void evaluate(const Vector& vector, const ConvView* view, Sram& scratchpad,
              Accumulators& accumulators) {
    Evaluation{vector, view, scratchpad, accumulators}.run();
}

}  // namespace systole::models
