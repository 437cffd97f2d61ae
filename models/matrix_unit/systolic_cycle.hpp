#pragma once

#include "models/core/unit.hpp"
#include "models/matrix_unit/matrix_config.hpp"
#include "models/matrix_unit/matrix_unit.hpp"
#include "models/matrix_unit/pe_array.hpp"
#include "models/matrix_unit/port.hpp"
#include "models/matrix_unit/tile.hpp"
#include "models/matrix_unit/wave.hpp"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace systole::models {

/// A systolic array of R rows (the reduction) and C columns (the outputs), cycle by cycle: every
/// register of every PE is held and moved. The rules of its time, for a tile of depth k ≤ R and
/// n ≤ C columns that streams T rows of k elements:
/// - The stationary operand shifts in from the top: R rows, each of which takes q = ⌈row bytes /
///   port width⌉ cycles. With two buffers that happens behind a running tile, with one in an empty
///   array only.
/// - Row t enters row r of the array r cycles after row 0, PE (r, c) multiplies it r + c cycles
///   after it has entered, and its sum in column c leaves below row R − 1 in cycle R + c − 1.
/// - A row that is not there in its turn stops the clock of the whole array.
/// - With trimmed edge tiles, R and C are k and n in all this.
/// - output_stationary (R and C are rows and columns of the sums, T steps of the reduction stream):
///   both operands move, the sums stay. A sum leaves by a wire of its column in the cycle in which
///   its last step meets: at most one of a column does. The next tile enters an empty array. This
///   is SCALE-Sim's timing, T + R + C − 2 cycles a tile.
/// - With PEs of latency L all sums leave L − 1 cycles later.
/// This unit shares no timing code with SystolicFast: that they agree is the proof of both.
class SystolicCycle final : public Unit {
public:
    SystolicCycle(const sc_core::sc_module_name& name, const SystolicConfig& config,
                  CoreContext& context, const std::optional<WaveConfig>& wave,
                  PeArrayMaker rtl = {});

    [[nodiscard]] bool idle() const override { return !moving(); }

private:
    /// A tile that shifts in.
    struct Shift {
        const Instruction* instruction = nullptr;
        Cycles from;
        std::int64_t rows_left = 0;
        std::int64_t beats = 1;
        std::int64_t beat = 0;
    };
    /// A Stream from its first row to its last sum.
    struct Flight {
        const Instruction* instruction = nullptr;
        const Stream* stream = nullptr;
        SystolicTile tile;
        std::optional<OperandReader> west;
        std::optional<OperandReader> north;
        PeArray* array = nullptr;
        ArrayExtent extent{};
        Cycles from;
        std::int64_t steps = 0;    ///< rows (output_stationary: steps of the reduction) to enter
        std::int64_t entered = 0;  ///< of them
        std::int64_t age = 0;      ///< clocks since the first entered
        std::int64_t sums_left = 0;

        [[nodiscard]] bool entering() const { return entered < steps; }
    };

    void advance(Cycles now) override;
    void latch(const Instruction& instruction, Cycles now) override;
    [[nodiscard]] bool latch_free() const override { return latched_ == nullptr; }
    [[nodiscard]] Cycles next_event() const override;
    [[nodiscard]] Cause cause_now() const override;

    [[nodiscard]] bool moving() const { return latched_ != nullptr || shift_ || !flights_.empty(); }
    [[nodiscard]] bool sums_stay() const { return config_.dataflow == Dataflow::output_stationary; }
    [[nodiscard]] bool entering() const { return !flights_.empty() && flights_.back().entering(); }
    [[nodiscard]] bool slice_complete() const { return west_.complete() && north_.complete(); }
    [[nodiscard]] const Stream* latched_stream() const;
    [[nodiscard]] const SystolicTile& latched_tile() const;
    [[nodiscard]] bool sums_would_overtake() const;

    void latch_preload(const Preload& preload);
    void latch_stream(const Stream& stream);
    void open_ports(const Stream& stream);
    void try_start();
    [[nodiscard]] bool can_start() const;
    void start_preload(const Preload& preload);
    void start_stream(const Stream& stream);

    bool run_cycle();
    /// The same; a difference of the array becomes a fault that names the cycle.
    bool checked_cycle();
    void show(Cause cause, bool enabled, Cycles to);
    void enter();
    void clock();
    void clock_shift();
    void clock_flight(Flight& flight);
    void collect_diagonal(Flight& flight);
    void collect_finished(Flight& flight);
    void collect(const Flight& flight, std::int64_t row, std::int64_t r, std::int64_t c);
    void post_milestones();
    PeArray& array_for(Format format);

    SystolicConfig config_;
    std::int64_t width_;  ///< w: bytes a cycle through a port
    std::string array_lane_;
    std::string weights_lane_;
    Cycles cycle_;                        ///< the next to run
    PeArrayMaker rtl_;                    ///< empty: our own PEs
    std::optional<WaveConfig> rtl_wave_;  ///< of the first array of it
    std::map<Format, std::unique_ptr<PeArray>> arrays_;

    const Instruction* latched_ = nullptr;
    std::optional<SystolicTile> latched_tile_;  ///< of a Preload, or output_stationary
    Port west_;   ///< of the Stream that enters, or else of the latched one
    Port north_;  ///< output_stationary
    std::optional<Shift> shift_;
    std::optional<SystolicTile> shadow_;  ///< preloaded (or about to be), not swapped in yet
    std::optional<SystolicTile> active_;
    std::deque<Flight> flights_;
    std::int64_t bubbles_ = 0;  ///< clocks since the last row entered
    bool streamed_ = false;     ///< the last row entered in the cycle before `cycle_`
    std::unique_ptr<WaveWriter> wave_;
    const PeArray* clocked_ = nullptr;  ///< the newest that was: the one to show
};

}  // namespace systole::models
