#include "models/matrix_unit/systolic_fast.hpp"

#include "models/core/trace.hpp"
#include "models/sram/sram.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace systole::models {

SystolicFast::SystolicFast(const sc_core::sc_module_name& name, const SystolicConfig& config,
                           CoreContext& context)
    : Unit{name, context},
      config_{config},
      width_{context.scratchpad->config().width.count()},
      array_lane_{"core" + std::to_string(context.core) + ".array"},
      weights_lane_{"core" + std::to_string(context.core) + ".weights"} {}

bool SystolicFast::idle() const {
    return latched_ == nullptr && !preloading_ && streaming_ == nullptr && sums_.empty();
}

void SystolicFast::advance(Cycles now) {
    if (preloading_ && time_.cycle_of(preloading_->done) <= now) {
        if (context().trace != nullptr) {
            context().trace->span(weights_lane_, "preload", preloading_->instruction->layer,
                                  preloading_->from, now);
        }
        preloading_.reset();
        context().reached(Milestone::preloaded);
    }
    if (streaming_ != nullptr && time_.end() <= now) {
        if (context().trace != nullptr) {
            context().trace->span(array_lane_, "stream", streaming_->layer, time_.start(), now);
        }
        streaming_ = nullptr;
        context().reached(Milestone::streamed);
    }
    while (!sums_.empty() && time_.cycle_of(sums_.front()) <= now) {
        sums_.pop_front();
        context().reached(Milestone::summed);
    }
    if (latched_ != nullptr && start_at_ <= now) {
        start(now);
    }
}

/// Nothing can start between a latched instruction and its own start, so that its start is known
/// as soon as it is latched.
void SystolicFast::latch(const Instruction& instruction, Cycles now) {
    SYSTOLE_ASSERT(latched_ == nullptr, "the latch of the matrix unit is taken");
    latched_ = &instruction;
    if (std::holds_alternative<Preload>(instruction.work)) {
        start_at_ = preload_start(now);
    } else {
        const auto* stream = std::get_if<Stream>(&instruction.work);
        SYSTOLE_ASSERT(stream != nullptr, "the matrix unit takes Preloads and Streams only");
        start_at_ = stream_start(*stream, now);
    }
    if (start_at_ <= now) {
        start(now);
    }
}

Cycles SystolicFast::preload_start(Cycles now) const {
    SYSTOLE_ASSERT(!moving(), "nothing is preloaded into an output-stationary array");
    SYSTOLE_ASSERT(!shadow_, "a Preload would overwrite a tile that no Stream has used");
    const bool waits_for_drain = config_.weight_buffers == 1 && !sums_.empty();
    return waits_for_drain ? std::max(now, time_.cycle_of(sums_.back())) : now;
}

Cycles SystolicFast::stream_start(const Stream& stream, Cycles now) {
    if (moving()) {
        moving_tile_.emplace(config_, stream.north, context().view(*latched_), width_);
        SYSTOLE_ASSERT(stream.west.rows <= config_.rows, "a tile has more rows than the array");
    } else if (stream.swap) {
        SYSTOLE_ASSERT(shadow_, "a Stream swaps in a tile that was not preloaded");
    } else {
        SYSTOLE_ASSERT(active_ && (config_.weight_buffers == 2 || !shadow_),
                       "a Stream goes on with a tile that the array does not hold");
    }
    const SystolicTile& tile = tile_of(stream);
    SYSTOLE_ASSERT(stream.west.depth == tile.depth(), "the operands of a tile differ in depth");
    check_stream(stream, tile.cols(), *context().accumulators);

    const Cycles fetch = std::max(now, time_.end());
    row_ready_ = fetch + Cycles{ceil_div(slice(stream), width_) - 1};
    Cycles start = row_ready_;
    if (stream.swap && preloading_) {
        start = std::max(start, time_.cycle_of(preloading_->done));
    }
    if (moving() && !sums_.empty()) {
        start = std::max(start, time_.cycle_of(sums_.back()));
    }
    if (!moving() && config_.edge_tiles == EdgeTiles::trimmed && !sums_.empty()) {
        // Sums leave below row k: those of a shallow tile must not overtake a deeper one's.
        start = std::max(start, time_.cycle_of(entered_ + last_depth_ - tile.depth()));
    }
    return start;
}

void SystolicFast::start(Cycles now) {
    if (const auto* preload = std::get_if<Preload>(&latched_->work); preload != nullptr) {
        start_preload(*preload, now);
    } else {
        start_stream(std::get<Stream>(latched_->work), now);
    }
    latched_ = nullptr;
    context().accepts_again();
}

void SystolicFast::start_preload(const Preload& preload, Cycles now) {
    const ConvView& view = context().view(*latched_);
    shadow_.emplace(config_, preload.north, view, width_);
    shadow_->count_preload(context().count(*latched_));
    preloading_ =
        Preloading{.instruction = latched_,
                   .from = now,
                   .done = time_.at(now) + shadow_->extent().rows * shadow_->beats_per_row()};
    if (context().values) {
        shadow_values_ = read_stationary(reader(preload.north), view.format);
    }
}

void SystolicFast::start_stream(const Stream& stream, Cycles now) {
    const SystolicTile& tile = tile_of(stream);
    const std::int64_t steps = moving() ? tile.depth() : stream.west.rows;
    const ArrayExtent extent = moving() ? tile.extent(stream.west.rows) : tile.extent();
    time_.begin_stream(now, steps, slice(stream), width_);
    entered_ = time_.at(now) + steps;
    last_depth_ = tile.depth();
    // Posted in the order of the program: a narrow trimmed tile may have its last sum before a wide
    // one in front of it.
    sums_.push_back(entered_ + extent.rows + extent.cols - 2 + config_.pe.latency - 1);
    if (moving()) {
        tile.count_moving(context().count(*latched_), stream);
    } else {
        tile.count_stream(context().count(*latched_), stream);
    }
    if (stream.swap && !moving()) {
        active_ = std::exchange(shadow_, std::nullopt);
        std::swap(active_values_, shadow_values_);
    }
    if (context().values) {
        compute(stream);
    }
    streaming_ = latched_;
}

/// The values of the whole tile at once: its operands are in the scratchpad, and what it
/// accumulates to has been written by Streams before it.
void SystolicFast::compute(const Stream& stream) {
    if (moving()) {
        multiply_moving(reader(stream.west), reader(stream.north), held(moving_tile_).format(),
                        config_.pe, stream.sums, stream.accumulate, ChainStart::zero,
                        *context().accumulators);
    } else {
        multiply_stationary(reader(stream.west), active_values_, config_.pe, stream.sums,
                            stream.accumulate, *context().accumulators);
    }
}

Cycles SystolicFast::next_event() const {
    Cycles next = never;
    if (preloading_) {
        next = std::min(next, time_.cycle_of(preloading_->done));
    }
    if (streaming_ != nullptr) {
        next = std::min(next, time_.end());
    }
    if (!sums_.empty()) {
        next = std::min(next, time_.cycle_of(sums_.front()));
    }
    if (latched_ != nullptr) {
        next = std::min(next, start_at_);
        if (row_ready_ > present_cycle()) {
            next = std::min(next, row_ready_);
        }
    }
    return next;
}

Cause SystolicFast::cause_now() const {
    const Cycles now = present_cycle();
    if (time_.streaming(now)) {
        return time_.entries(now, now + Cycles{1}) > 0 ? Cause::active : Cause::input_stall;
    }
    if (latched_ != nullptr) {
        const auto* stream = std::get_if<Stream>(&latched_->work);
        if (stream == nullptr) {
            return Cause::drain;
        }
        if (stream->swap && preloading_) {
            return Cause::weight_shift;
        }
        return now < row_ready_ ? Cause::input_stall : Cause::drain;
    }
    if (waiting() != Cause::idle) {
        return waiting();
    }
    if (preloading_) {
        return Cause::weight_shift;
    }
    return sums_.empty() ? Cause::idle : Cause::drain;
}

void SystolicFast::book(CycleLedger& ledger, Cycles from, Cycles to) const {
    if (!time_.streaming(from)) {
        Unit::book(ledger, from, to);
        return;
    }
    const Cycles active{time_.entries(from, to)};
    ledger.add(Cause::active, active);
    ledger.add(Cause::input_stall, to - from - active);
}

std::int64_t SystolicFast::slice(const Stream& stream) const {
    const SystolicTile& tile = tile_of(stream);
    const std::int64_t elements = moving() ? std::max(stream.west.rows, tile.cols()) : tile.depth();
    return elements * tile.element();
}

const SystolicTile& SystolicFast::tile_of(const Stream& stream) const {
    if (moving()) {
        return held(moving_tile_);
    }
    return held(stream.swap ? shadow_ : active_);
}

OperandReader SystolicFast::reader(const Operand& operand) const {
    return OperandReader{operand, context().view(*latched_), *context().scratchpad};
}

}  // namespace systole::models
