#include "models/matrix_unit/systolic_cycle.hpp"

#include "models/base/diagnostics.hpp"
#include "models/core/trace.hpp"
#include "models/sram/sram.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace systole::models {

SystolicCycle::SystolicCycle(const sc_core::sc_module_name& name, const SystolicConfig& config,
                             CoreContext& context, const std::optional<WaveConfig>& wave,
                             PeArrayMaker rtl)
    : Unit{name, context},
      config_{config},
      width_{context.scratchpad->config().width.count()},
      array_lane_{"core" + std::to_string(context.core) + ".array"},
      weights_lane_{"core" + std::to_string(context.core) + ".weights"},
      rtl_{std::move(rtl)},
      rtl_wave_{rtl_ ? wave : std::nullopt},
      wave_{wave && !rtl_ ? std::make_unique<WaveWriter>(*wave, this->name(), config) : nullptr} {}

void SystolicCycle::advance(Cycles now) {
    while (cycle_ < now) {
        const Cause cause = wave_ ? cause_now() : Cause::idle;
        if (!moving()) {
            show(cause, false, now);
            cycle_ = now;
            return;
        }
        const bool enabled = checked_cycle();
        show(cause, enabled, cycle_ + Cycles{1});
        cycle_ += Cycles{1};
        post_milestones();
        try_start();
    }
}

void SystolicCycle::latch(const Instruction& instruction, Cycles now) {
    SYSTOLE_ASSERT(latched_ == nullptr && now == cycle_, "the latch of the matrix unit is taken");
    latched_ = &instruction;
    if (const auto* preload = std::get_if<Preload>(&instruction.work); preload != nullptr) {
        latch_preload(*preload);
    } else {
        const auto* stream = std::get_if<Stream>(&instruction.work);
        SYSTOLE_ASSERT(stream != nullptr, "the matrix unit takes Preloads and Streams only");
        latch_stream(*stream);
    }
    try_start();
}

void SystolicCycle::latch_preload(const Preload& preload) {
    SYSTOLE_ASSERT(!sums_stay(), "nothing is preloaded into an output-stationary array");
    SYSTOLE_ASSERT(!shadow_, "a Preload would overwrite a tile that no Stream has used");
    latched_tile_.emplace(config_, preload.north, context().view(*latched_), width_);
}

void SystolicCycle::latch_stream(const Stream& stream) {
    if (sums_stay()) {
        latched_tile_.emplace(config_, stream.north, context().view(*latched_), width_);
        SYSTOLE_ASSERT(stream.west.rows <= config_.rows, "a tile has more rows than the array");
    } else if (stream.swap) {
        SYSTOLE_ASSERT(shadow_, "a Stream swaps in a tile that was not preloaded");
    } else {
        SYSTOLE_ASSERT(active_ && (config_.weight_buffers == 2 || !shadow_),
                       "a Stream goes on with a tile that the array does not hold");
    }
    SYSTOLE_ASSERT(stream.west.depth == latched_tile().depth(),
                   "the operands of a tile differ in depth");
    check_stream(stream, latched_tile().cols(), *context().accumulators);
    if (!entering()) {
        open_ports(stream);
    }
}

/// The ports serve one Stream after the other.
void SystolicCycle::open_ports(const Stream& stream) {
    const SystolicTile& tile = latched_tile();
    if (sums_stay()) {
        west_ = Port{stream.west.rows * tile.element(), tile.depth(), width_};
        north_ = Port{tile.cols() * tile.element(), tile.depth(), width_};
    } else {
        west_ = Port{tile.depth() * tile.element(), stream.west.rows, width_};
    }
}

const Stream* SystolicCycle::latched_stream() const {
    return latched_ == nullptr ? nullptr : std::get_if<Stream>(&latched_->work);
}

const SystolicTile& SystolicCycle::latched_tile() const {
    const Stream* stream = latched_stream();
    if (stream == nullptr || sums_stay()) {
        return held(latched_tile_);
    }
    return held(stream->swap ? shadow_ : active_);
}

/// Trimmed tiles let their sums go below row k: a shallow one must not overtake a deeper one.
bool SystolicCycle::sums_would_overtake() const {
    return config_.edge_tiles == EdgeTiles::trimmed && !sums_stay() && !flights_.empty() &&
           latched_tile().depth() + bubbles_ < flights_.back().tile.depth();
}

bool SystolicCycle::can_start() const {
    const Stream* stream = latched_stream();
    if (stream == nullptr) {
        return !shift_ && (config_.weight_buffers == 2 || flights_.empty());
    }
    if (entering() || !slice_complete() || (stream->swap && shift_) || sums_would_overtake()) {
        return false;
    }
    return !sums_stay() || flights_.empty();
}

void SystolicCycle::try_start() {
    if (latched_ == nullptr || !can_start()) {
        return;
    }
    if (const Stream* stream = latched_stream(); stream != nullptr) {
        start_stream(*stream);
    } else {
        start_preload(std::get<Preload>(latched_->work));
    }
    latched_ = nullptr;
    latched_tile_.reset();
    context().accepts_again();
}

void SystolicCycle::start_preload(const Preload& preload) {
    const SystolicTile& tile = shadow_.emplace(latched_tile());
    tile.count_preload(context().count(*latched_));
    shift_ = Shift{.instruction = latched_,
                   .from = cycle_,
                   .rows_left = tile.extent().rows,
                   .beats = tile.beats_per_row()};
    PePreload in{.north = std::nullopt,
                 .depth = tile.depth(),
                 .extent = tile.extent(),
                 .beats = tile.beats_per_row()};
    if (context().values) {
        in.north.emplace(preload.north, tile.view(), *context().scratchpad);
    }
    array_for(tile.format()).preload(in);
}

void SystolicCycle::start_stream(const Stream& stream) {
    Flight flight{.instruction = latched_,
                  .stream = &stream,
                  .tile = latched_tile(),
                  .west = std::nullopt,
                  .north = std::nullopt,
                  .from = cycle_};
    const SystolicTile& tile = flight.tile;
    flight.array = &array_for(tile.format());
    flight.extent = sums_stay() ? tile.extent(stream.west.rows) : tile.extent();
    flight.steps = sums_stay() ? tile.depth() : stream.west.rows;
    flight.sums_left = (sums_stay() ? flight.extent.rows : flight.steps) * flight.extent.cols;
    const ConvView& view = context().view(*latched_);
    if (context().values) {
        flight.west.emplace(stream.west, view, *context().scratchpad);
    }
    if (sums_stay()) {
        tile.count_moving(context().count(*latched_), stream);
        if (context().values) {
            flight.north.emplace(stream.north, view, *context().scratchpad);
        }
        flight.array->clear(flight.extent);
    } else {
        tile.count_stream(context().count(*latched_), stream);
        if (stream.swap) {
            active_ = std::exchange(shadow_, std::nullopt);
            flight.array->swap(flight.extent);
        }
    }
    flights_.push_back(flight);
}

bool SystolicCycle::checked_cycle() {
    try {
        return run_cycle();
    } catch (const ArrayDifference& difference) {
        throw ArrayFault{"cycle " + std::to_string(cycle_.count()) + ", core " +
                             std::to_string(context().core) + ", " + difference.what(),
                         cycle_};
    }
}

/// A cycle: first the ports, then, if the clock is enabled, the array. Whether it was.
bool SystolicCycle::run_cycle() {
    const bool stalled = entering() && !slice_complete();
    if (entering() || latched_stream() != nullptr) {
        west_.fetch();
        north_.fetch();
    }
    if (stalled) {
        flights_.back().array->at(cycle_);
        flights_.back().array->stall();
        return false;
    }
    ++bubbles_;
    if (entering()) {
        enter();
    }
    clock();
    return true;
}

void SystolicCycle::show(Cause cause, bool enabled, Cycles to) {
    if (!wave_) {
        return;
    }
    if (enabled) {
        wave_->runs(cycle_, cause, clocked_);
    } else {
        wave_->stands(cycle_, to, cause);
    }
}

void SystolicCycle::enter() {
    Flight& flight = flights_.back();
    const OperandReader* west = flight.west ? &*flight.west : nullptr;
    if (sums_stay()) {
        flight.array->enter_step(west, flight.north ? &*flight.north : nullptr, flight.entered);
        north_.take();
    } else {
        flight.array->enter(west, flight.entered);
    }
    west_.take();
    ++flight.entered;
    bubbles_ = 0;
    if (!flight.entering()) {
        streamed_ = true;
        if (const Stream* next = latched_stream(); next != nullptr) {
            open_ports(*next);
        }
    }
}

void SystolicCycle::clock() {
    for (const auto& [format, array] : arrays_) {
        const auto flies_here = [&](const Flight& flight) { return flight.array == array.get(); };
        if ((array->shifting() || std::ranges::any_of(flights_, flies_here))) {
            array->at(cycle_);
            array->clock();
            clocked_ = array.get();
        }
    }
    for (Flight& flight : flights_) {
        clock_flight(flight);
    }
    clock_shift();
}

void SystolicCycle::clock_shift() {
    if (!shift_ || ++shift_->beat < shift_->beats) {
        return;
    }
    shift_->beat = 0;
    --shift_->rows_left;
}

void SystolicCycle::clock_flight(Flight& flight) {
    if (sums_stay()) {
        collect_finished(flight);
    } else {
        collect_diagonal(flight);
    }
    ++flight.age;
}

/// The sums that leave below the last row in this cycle lie on a diagonal: row t in column c where
/// t + c is the age less the stages of a PE and the rows above.
void SystolicCycle::collect_diagonal(Flight& flight) {
    const std::int64_t bottom = flight.extent.rows - 1;
    const std::int64_t diagonal = flight.age - (config_.pe.latency - 1) - bottom;
    const std::int64_t from = std::max(std::int64_t{0}, diagonal - (flight.steps - 1));
    const std::int64_t to = std::min(flight.extent.cols - 1, diagonal);
    if (to < from) {
        return;
    }
    flight.sums_left -= to - from + 1;
    if (!context().values) {
        return;
    }
    for (std::int64_t c = from; c <= std::min(to, flight.tile.cols() - 1); ++c) {
        collect(flight, diagonal - c, bottom, c);
    }
}

/// output_stationary: the last step has just met in the PEs of a diagonal.
void SystolicCycle::collect_finished(Flight& flight) {
    const std::int64_t diagonal = flight.age - (config_.pe.latency - 1) - (flight.steps - 1);
    const std::int64_t from = std::max(std::int64_t{0}, diagonal - (flight.extent.rows - 1));
    const std::int64_t to = std::min(flight.extent.cols - 1, diagonal);
    if (to < from) {
        return;
    }
    flight.sums_left -= to - from + 1;
    if (!context().values) {
        return;
    }
    const Stream& stream = *flight.stream;
    for (std::int64_t c = from; c <= std::min(to, flight.tile.cols() - 1); ++c) {
        const std::int64_t r = diagonal - c;
        if (r < stream.west.rows) {
            collect(flight, r, r, c);
        }
    }
}

/// The sum of PE (r, c) is that of row `row` of the tile.
void SystolicCycle::collect(const Flight& flight, std::int64_t row, std::int64_t r,
                            std::int64_t c) {
    const Stream& stream = *flight.stream;
    const auto cells = context().accumulators->row(stream.sums.row + row);
    flight.array->collect(r, c, stream.accumulate, cells[static_cast<std::size_t>(c)]);
}

void SystolicCycle::post_milestones() {
    Trace* trace = context().trace;
    if (shift_ && shift_->rows_left == 0) {
        if (trace != nullptr) {
            trace->span(weights_lane_, "preload", shift_->instruction->layer, shift_->from, cycle_);
        }
        shift_.reset();
        context().reached(Milestone::preloaded);
    }
    if (std::exchange(streamed_, false)) {
        if (trace != nullptr) {
            const Flight& flight = flights_.back();
            trace->span(array_lane_, "stream", flight.instruction->layer, flight.from, cycle_);
        }
        context().reached(Milestone::streamed);
    }
    while (!flights_.empty() && flights_.front().sums_left == 0) {
        flights_.pop_front();
        context().reached(Milestone::summed);
    }
}

Cycles SystolicCycle::next_event() const {
    return moving() ? cycle_ + Cycles{1} : never;
}

Cause SystolicCycle::cause_now() const {
    if (entering()) {
        return slice_complete() ? Cause::active : Cause::input_stall;
    }
    if (latched_ != nullptr) {
        const Stream* stream = latched_stream();
        if (stream == nullptr) {
            return Cause::drain;
        }
        if (stream->swap && shift_) {
            return Cause::weight_shift;
        }
        return slice_complete() ? Cause::drain : Cause::input_stall;
    }
    if (waiting() != Cause::idle) {
        return waiting();
    }
    if (shift_) {
        return Cause::weight_shift;
    }
    return flights_.empty() ? Cause::idle : Cause::drain;
}

PeArray& SystolicCycle::array_for(Format format) {
    // Our own PEs are of fp32 for all floating formats.
    auto& array = arrays_[rtl_ || format == Format::int8 ? format : Format::fp32];
    if (array == nullptr) {
        const PeArrayShape shape = shape_of(config_, format);
        array = rtl_ ? rtl_(shape, std::exchange(rtl_wave_, std::nullopt)) : make_pe_array(shape);
    }
    return *array;
}

}  // namespace systole::models
