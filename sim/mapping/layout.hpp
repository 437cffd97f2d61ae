#pragma once

#include "sim/mapping/mapper.hpp"
#include "sim/mapping/network_plan.hpp"

#include <vector>

namespace systole::mapping {

/// Where the tensors of a network live.
struct Layout {
    std::vector<Placement> placements;  ///< per tensor
    Bytes dram_used;
    Bytes shared_used;
};

/// Tensors that stay in the scratchpad have their place there. Activations go to the shared SRAM,
/// the largest traffic first, when there is one and they fit; all else lies in main memory, where
/// activations take over the addresses of those that nobody reads any more. Throws InputError when
/// the memory is too small.
[[nodiscard]] Layout lay_out(const Graph& graph, const models::ChipConfig& chip,
                             const NetworkPlan& plan, const std::vector<Uses>& uses);

}  // namespace systole::mapping
