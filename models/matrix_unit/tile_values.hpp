#pragma once

#include "models/core/program.hpp"
#include "models/matrix_unit/operand.hpp"
#include "models/matrix_unit/pe_design.hpp"

#include <cstdint>
#include <type_traits>
#include <variant>
#include <vector>

namespace systole::models {

class Accumulators;

/// Calls `body` with a zero of the type in which PEs hold elements of `format`.
template <class Body>
auto with_element(Format format, Body body) {
    return format == Format::int8 ? body(std::int8_t{}) : body(float{});
}

/// The stationary operand as the array holds it: `depth` rows of `cols` elements.
struct StationaryValues {
    std::int64_t depth = 0;
    std::int64_t cols = 0;
    std::variant<std::vector<std::int8_t>, std::vector<float>> elements;
};
[[nodiscard]] StationaryValues read_stationary(const OperandReader& north, Format format);

/// The sums of a tile on a stationary operand, written to the accumulators.
void multiply_stationary(const OperandReader& west, const StationaryValues& north,
                         const PeDesign& design, const AccumulatorTile& sums, bool accumulate,
                         Accumulators& accumulators);

/// Where the sum of an accumulating tile starts.
enum class ChainStart {
    zero,  ///< at +0: the finished chain is added to what is held
    held,  ///< at what is held
};
/// The sums of a tile of which both operands move.
void multiply_moving(const OperandReader& west, const OperandReader& north, Format format,
                     const PeDesign& design, const AccumulatorTile& sums, bool accumulate,
                     ChainStart start, Accumulators& accumulators);

}  // namespace systole::models
