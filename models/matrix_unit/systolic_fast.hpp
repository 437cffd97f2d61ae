#pragma once

#include "models/core/unit.hpp"
#include "models/matrix_unit/array_time.hpp"
#include "models/matrix_unit/matrix_config.hpp"
#include "models/matrix_unit/tile.hpp"
#include "models/matrix_unit/tile_values.hpp"

#include <deque>
#include <optional>
#include <string>

namespace systole::models {

/// A systolic array that knows when each of its tiles starts and ends, exactly: its work for an
/// instruction does not grow with the rows that are streamed. Equal to SystolicCycle in every
/// cycle, counter and value.
///
/// With R, C, k, n, T, L as in SystolicCycle and in array time: a Preload takes R·q, and the last
/// sum of a Stream whose first row enters at s is in the accumulators at s + T + R + C − 2 + L − 1.
class SystolicFast final : public Unit {
public:
    SystolicFast(const sc_core::sc_module_name& name, const SystolicConfig& config,
                 CoreContext& context);

    [[nodiscard]] bool idle() const override;

private:
    struct Preloading {
        const Instruction* instruction = nullptr;
        Cycles from;
        std::int64_t done = 0;  ///< array time
    };

    void advance(Cycles now) override;
    void latch(const Instruction& instruction, Cycles now) override;
    [[nodiscard]] bool latch_free() const override { return latched_ == nullptr; }
    [[nodiscard]] Cycles next_event() const override;
    [[nodiscard]] Cause cause_now() const override;
    void book(CycleLedger& ledger, Cycles from, Cycles to) const override;

    [[nodiscard]] Cycles preload_start(Cycles now) const;
    [[nodiscard]] Cycles stream_start(const Stream& stream, Cycles now);
    void start(Cycles now);
    void start_preload(const Preload& preload, Cycles now);
    void start_stream(const Stream& stream, Cycles now);
    void compute(const Stream& stream);
    [[nodiscard]] bool moving() const { return config_.dataflow == Dataflow::output_stationary; }
    /// Bytes that make a row (a step) of the stream on the wider of the ports it uses.
    [[nodiscard]] std::int64_t slice(const Stream& stream) const;
    [[nodiscard]] const SystolicTile& tile_of(const Stream& stream) const;
    [[nodiscard]] OperandReader reader(const Operand& operand) const;

    SystolicConfig config_;
    std::int64_t width_;  ///< w: bytes a cycle through a port
    std::string array_lane_;
    std::string weights_lane_;
    ArrayTime time_;

    const Instruction* latched_ = nullptr;
    Cycles start_at_;                          ///< of the latched instruction
    Cycles row_ready_;                         ///< of the latched Stream: row 0 is there
    std::optional<SystolicTile> moving_tile_;  ///< of the latched Stream, output_stationary

    std::optional<Preloading> preloading_;
    std::optional<SystolicTile> shadow_;  ///< preloaded, and not swapped in yet
    std::optional<SystolicTile> active_;
    StationaryValues shadow_values_;
    StationaryValues active_values_;

    const Instruction* streaming_ = nullptr;
    std::int64_t last_depth_ = 0;    ///< k of the newest Stream
    std::int64_t entered_ = 0;       ///< array time after the last entry of the newest Stream
    std::deque<std::int64_t> sums_;  ///< array times at which Streams in flight are summed
};

}  // namespace systole::models
