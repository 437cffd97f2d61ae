#pragma once

#include "models/core/unit.hpp"
#include "models/matrix_unit/array_extent.hpp"
#include "models/matrix_unit/matrix_config.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace systole::models {

/// What a tile is to a systolic array, whatever simulates it: sizes, and the reads and writes it
/// makes, which do not depend on time.
class SystolicTile {
public:
    /// `north` is the stationary operand, or the one that moves down (output_stationary).
    SystolicTile(const SystolicConfig& config, const Operand& north, const ConvView& view,
                 std::int64_t port_width);

    /// Of the array that is used: k · n.
    [[nodiscard]] std::int64_t depth() const { return north_.depth; }
    [[nodiscard]] std::int64_t cols() const { return north_.rows; }
    [[nodiscard]] Format format() const { return view_->format; }
    [[nodiscard]] const Operand& north() const { return north_; }
    [[nodiscard]] const ConvView& view() const { return *view_; }
    [[nodiscard]] std::int64_t element() const { return numerics::bytes_of(view_->format); }

    /// Of a tile on this stationary operand.
    [[nodiscard]] ArrayExtent extent() const;
    /// Of an output-stationary tile with `west_rows` rows.
    [[nodiscard]] ArrayExtent extent(std::int64_t west_rows) const;
    /// q: cycles for a row of the stationary operand through the north port.
    [[nodiscard]] std::int64_t beats_per_row() const;

    void count_preload(Counters& counters) const;
    void count_stream(Counters& counters, const Stream& stream) const;
    /// Output-stationary: both operands move.
    void count_moving(Counters& counters, const Stream& stream) const;

private:
    [[nodiscard]] std::int64_t beats(std::int64_t bytes) const {
        return ceil_div(bytes, port_width_);
    }

    const SystolicConfig* config_;
    Operand north_;
    const ConvView* view_;
    std::int64_t port_width_;
};

/// The tile in a register that an instruction needs to be filled.
[[nodiscard]] inline const SystolicTile& held(const std::optional<SystolicTile>& tile) {
    SYSTOLE_ASSERT(tile.has_value(), "the array does not hold the tile that is worked on");
    return *tile;
}

/// Defects of the program that are the same for every unit: what a Stream writes must fit, and the
/// format must be one of the unit's.
void check_stream(const Stream& stream, std::int64_t cols, const Accumulators& accumulators);
void check_format(const std::vector<Format>& formats, Format format);

}  // namespace systole::models
