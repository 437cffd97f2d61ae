#pragma once

#include "models/base/diagnostics.hpp"
#include "models/core/program.hpp"
#include "models/matrix_unit/array_extent.hpp"
#include "models/matrix_unit/matrix_config.hpp"
#include "models/matrix_unit/operand.hpp"
#include "models/matrix_unit/wave_config.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace systole::models {

/// A stationary tile on its way in: `extent.rows` rows are shifted, each `beats` clocks apart,
/// the last row of the tile first; rows and columns beyond the operand are zero.
struct PePreload {
    std::optional<OperandReader> north;  ///< none: zeros are moved
    std::int64_t depth = 0;
    ArrayExtent extent;
    std::int64_t beats = 1;
};

/// Registers of an array hold what they should not.
class ArrayDifference : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The same, in the chip.
class ArrayFault : public SimulationFault {
public:
    ArrayFault(const std::string& what, Cycles cycle) : SimulationFault{what}, cycle_{cycle} {}
    [[nodiscard]] Cycles cycle() const { return cycle_; }

private:
    Cycles cycle_;
};

/// All registers of all PEs of a systolic array, and the wiring between them: activations move
/// right, sums (or for output_stationary the north operand) move down, and the stationary operand
/// shifts down through its shadow registers. Row r and column c of the edges are skewed by r and c
/// clocks, so that what enters together meets along a diagonal.
///
/// What is called before clock() describes the edges in that clock.
class PeArray {
public:
    virtual ~PeArray() = default;

    /// Shifting begins. Column c does everything c clocks later, and row r takes part once the
    /// first row of the tile has come down to it: the new tile stays behind the swap of the one
    /// before it.
    virtual void preload(const PePreload& preload) = 0;
    /// What enters in this clock uses the preloaded tile: PE (r, c) swaps r + c clocks later.
    virtual void swap(ArrayExtent extent) = 0;
    /// Row `row` of `west` enters (no reader: zeros).
    virtual void enter(const OperandReader* west, std::int64_t row) = 0;

    /// Output-stationary: step `k` of both operands enters.
    virtual void enter_step(const OperandReader* west, const OperandReader* north,
                            std::int64_t k) = 0;
    /// Output-stationary: what enters in this clock is the first of its sums.
    virtual void clear(ArrayExtent extent) = 0;

    /// The cycle of the next clock() or stall(), for those who show it.
    virtual void at(Cycles /*cycle*/) {}
    virtual void clock() = 0;
    /// A cycle in which the clock is disabled: nothing moves.
    virtual void stall() {}
    /// A stationary tile is still moving in.
    [[nodiscard]] virtual bool shifting() const = 0;

    /// Lets the sum of PE (r, c) reach a cell of the accumulators.
    virtual void collect(std::int64_t r, std::int64_t c, bool accumulate,
                         std::uint32_t& cell) const = 0;

    // For looking inside, after a clock: what PE (r, c) has worked on in it.
    [[nodiscard]] virtual double activation(std::int64_t r, std::int64_t c) const = 0;
    [[nodiscard]] virtual double weight(std::int64_t r, std::int64_t c) const = 0;
    [[nodiscard]] virtual double sum(std::int64_t r, std::int64_t c) const = 0;
    [[nodiscard]] virtual bool swaps(std::int64_t r, std::int64_t c) const = 0;
};

/// The form of the registers: which operand stays, and whether it has shadow registers.
enum class PeForm { one_buffer, two_buffers, stationary_sums };

/// The PEs of one array.
struct PeArrayShape {
    Format format = Format::int8;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    PeForm form = PeForm::two_buffers;
    PeDesign design{};  ///< for the format
};
[[nodiscard]] PeArrayShape shape_of(const SystolicConfig& config, Format format);

/// What their registers take of the host's memory.
[[nodiscard]] Bytes pe_array_bytes(const PeArrayShape& shape);

/// Makes the PEs of an array where they are not the simulator's own.
/// Of what is in `wave` a waveform is written.
using PeArrayMaker = std::function<std::unique_ptr<PeArray>(const PeArrayShape& shape,
                                                            const std::optional<WaveConfig>& wave)>;

/// PEs of int8 operands and integer sums, or of fp32 for both (narrow floating formats are widened
/// at the edge, exactly).
[[nodiscard]] std::unique_ptr<PeArray> make_pe_array(const PeArrayShape& shape);

}  // namespace systole::models
