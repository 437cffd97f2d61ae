#pragma once

#include "sim/mapping/matrix_cost.hpp"
#include "sim/mapping/plan.hpp"

#include <cstdint>

namespace systole::mapping {

/// What one core does of a product, and how many do so at once.
struct CoreWork {
    const Share& share;
    const Loops& loops;
    const Traffic& traffic;
    int cores = 1;
};

/// Cycles that a core takes for its part of a product: those of the busiest resource, what the
/// number of places in its buffers adds, and the way of the first tile in and of the last one out.
[[nodiscard]] std::int64_t matrix_cycles(const Site& site, const LayerPlan& plan,
                                         const CoreWork& work);

}  // namespace systole::mapping
