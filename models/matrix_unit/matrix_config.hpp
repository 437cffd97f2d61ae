#pragma once

#include "models/base/words.hpp"
#include "models/matrix_unit/pe_design.hpp"
#include "models/numerics/format.hpp"

#include <cstdint>
#include <variant>
#include <vector>

namespace systole {
template <class C>
class Schema;
}

namespace systole::models {

enum class Dataflow { weight_stationary, output_stationary, input_stationary };

enum class EdgeTiles {
    full,     ///< a tile that is smaller than the array takes the array's time
    trimmed,  ///< sums leave after the last row that is used
};

/// A systolic array of rows × cols PEs: the reduction runs down the rows.
struct SystolicConfig {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    Dataflow dataflow = Dataflow::weight_stationary;
    std::int64_t weight_buffers = 2;
    EdgeTiles edge_tiles = EdgeTiles::full;
    std::int64_t accumulators = 0;  ///< rows of `cols` 32-bit sums
    std::vector<numerics::Format> formats;
    PeDesign pe{};
};

/// Multiply-accumulate lanes without any reuse: each fetches both operands and the partial sum, and
/// writes the sum back.
struct SimtConfig {
    std::int64_t lanes = 1;
    std::int64_t cols = 64;            ///< output columns of one tile
    std::int64_t accumulators = 1024;  ///< output rows of one tile
    std::vector<numerics::Format> formats;
};

using MatrixConfig = std::variant<SystolicConfig, SimtConfig>;

void describe(Schema<SystolicConfig>& schema);
void describe(Schema<SimtConfig>& schema);

}  // namespace systole::models

template <>
struct systole::Words<systole::models::Dataflow> {
    static constexpr Word<models::Dataflow> table[] = {
        {models::Dataflow::weight_stationary, "weight_stationary",
         "a tile of weights stays in the PEs, rows of the input stream through"},
        {models::Dataflow::output_stationary, "output_stationary",
         "a tile of sums stays in the PEs, both operands stream through"},
        {models::Dataflow::input_stationary, "input_stationary",
         "a tile of the input stays in the PEs, the weights stream through"}};
};

template <>
struct systole::Words<systole::models::EdgeTiles> {
    static constexpr Word<models::EdgeTiles> table[] = {
        {models::EdgeTiles::full, "full",
         "a tile that is smaller than the array takes the array's time"},
        {models::EdgeTiles::trimmed, "trimmed", "sums leave after the last row that is used"}};
};
