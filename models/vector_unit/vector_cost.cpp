#include "models/vector_unit/vector_cost.hpp"

#include "models/vector_unit/lane_work.hpp"
#include "models/vector_unit/pool.hpp"

#include <algorithm>

namespace systole::models {
namespace {

std::int64_t elements(const VectorTile& tile) {
    return checked_multiply(tile.rows, tile.cols);
}

/// Elements of a step's second operand.
std::int64_t operand_elements(const VectorStep& step, const VectorTile& target) {
    switch (step.op) {
        case VectorOp::scale_columns:
        case VectorOp::add_columns:
            return target.cols;
        case VectorOp::add:
        case VectorOp::multiply:
            return elements(target);
        default:
            return 0;
    }
}

class Costing {
public:
    Costing(const Vector& vector, const ConvView* view, const VectorUnitConfig& config,
            const SramConfig& scratchpad)
        : vector_{vector},
          view_{view},
          config_{config},
          width_{scratchpad.width} {}

    [[nodiscard]] VectorCost cost() {
        cost_.elements = elements(vector_.target);
        read_source();
        for (const auto& step : vector_.steps) {
            read_scratchpad(operand_elements(step, vector_.target), step.operand_format);
            work(step.op);
        }
        const Bytes written = size(cost_.elements, vector_.target.format);
        cost_.scratchpad_write_bytes = written;
        cost_.scratchpad_writes = transfer_time(written, width_).count();
        if (config_.lanes) {
            cost_.duration = std::max(
                {Cycles{1}, Cycles{compute_}, Cycles{read_}, Cycles{cost_.scratchpad_writes}});
        }
        return cost_;
    }

private:
    static Bytes size(std::int64_t count, Format format) {
        return Bytes{checked_multiply(count, numerics::bytes_of(format))};
    }

    void read_source() {
        const auto& source = vector_.source;
        if (source.place == VectorTile::Place::accumulators) {
            cost_.accumulator_reads = elements(source);
            read_ = checked_add(read_, source.transposed ? source.cols : source.rows);
        } else {
            read_scratchpad(elements(source), source.format);
        }
    }

    void read_scratchpad(std::int64_t count, Format format) {
        const Bytes bytes = size(count, format);
        const auto beats = transfer_time(bytes, width_).count();
        cost_.scratchpad_read_bytes += bytes;
        cost_.scratchpad_reads = checked_add(cost_.scratchpad_reads, beats);
        read_ = checked_add(read_, beats);
    }

    void work(VectorOp op) {
        const auto outputs = cost_.elements;
        auto worked = outputs;
        const auto per_element = lane_work(op);
        if (is_pool(op)) {
            SYSTOLE_ASSERT(view_ != nullptr, "a pool has no geometry");
            worked = checked_multiply(outputs,
                                      checked_multiply(view_->kernel_height, view_->kernel_width));
        }
        cost_.adds = checked_add(cost_.adds,
                                 checked_add(checked_multiply(per_element.adds, outputs),
                                             checked_multiply(per_element.adds_per_tap, worked)));
        cost_.multiplies =
            checked_add(cost_.multiplies, checked_multiply(per_element.multiplies, outputs));
        if (config_.lanes) {
            const auto& timing = config_.operations[op];
            const auto turns = ceil_div(worked, *config_.lanes);
            compute_ = checked_add(
                compute_, checked_add(timing.latency, checked_multiply(turns, timing.interval)));
        }
    }

    const Vector& vector_;
    const ConvView* view_;
    const VectorUnitConfig& config_;
    Bytes width_;
    VectorCost cost_;
    std::int64_t compute_ = 0;
    std::int64_t read_ = 0;
};

}  // namespace

VectorCost cost_of(const Vector& vector, const ConvView* view, const VectorUnitConfig& config,
                   const SramConfig& scratchpad) {
    return Costing{vector, view, config, scratchpad}.cost();
}

}  // namespace systole::models
