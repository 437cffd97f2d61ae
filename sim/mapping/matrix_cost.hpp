#pragma once

#include "sim/mapping/plan.hpp"

#include <cstdint>

namespace systole::mapping {

/// How the loops of a plan cut one share of a product.
struct Loops {
    std::int64_t m_blocks = 0;
    std::int64_t m_tiles = 0;        ///< in all blocks
    std::int64_t block_m_tiles = 0;  ///< in the largest block
    std::int64_t n_blocks = 0;
    std::int64_t n_tiles = 0;        ///< in all blocks
    std::int64_t block_n_tiles = 0;  ///< in the largest block
    std::int64_t k_tiles = 0;        ///< of one output tile, all slices
    std::int64_t slices = 1;
    std::int64_t stationary_tiles =
        0;  ///< n_tiles · k_tiles: what the ring of weights is asked for
};

[[nodiscard]] Loops loops_of(const Site& site, const LayerPlan& plan, const Share& share);

/// Input rows of the blocks of `share`, and of the largest.
struct InputRows {
    std::int64_t total = 0;
    std::int64_t most = 0;
};
[[nodiscard]] InputRows rows_of_blocks(const ConvView& view, Range m, std::int64_t block_m);

/// Slots the ring of weights needs at least so that a block loads each of its tiles once, and slots
/// that hold all.
struct WeightSlots {
    std::int64_t least = 0;
    std::int64_t most = 0;
};
[[nodiscard]] WeightSlots weight_slots(const LayerPlan& plan, const Loops& loops,
                                       bool double_buffer);

/// Fills in `plan.traffic` and `plan.cost`: exactly the bytes that the emitter moves, and the
/// cycles by the closed forms of the matrix unit.
void assess_matrix(const Site& site, LayerPlan& plan);

}  // namespace systole::mapping
