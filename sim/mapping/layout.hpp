#pragma once

#include "sim/mapping/mapper.hpp"
#include "sim/mapping/network_plan.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace systole::mapping {

/// Where the tensors of a network live.
struct Layout {
    std::vector<Placement> placements;  ///< per tensor
    Bytes dram_used;
    Bytes shared_used;
};

/// The places of the activations in a shared SRAM of `size` bytes, the largest traffic first, as
/// many as fit; `kept` stay in the scratchpad.
[[nodiscard]] std::vector<std::optional<std::int64_t>> share_out(
    const Graph& graph, std::int64_t size, const std::vector<std::optional<std::int64_t>>& kept,
    const std::vector<Uses>& uses);

/// Tensors that stay in the scratchpad have their place there. Activations go to the shared SRAM,
/// the largest traffic first, when there is one and they fit; all else lies in main memory, where
/// activations take over the addresses of those that nobody reads any more. Throws InputError when
/// the memory is too small.
[[nodiscard]] Layout lay_out(const Graph& graph, const models::ChipConfig& chip,
                             const NetworkPlan& plan, const std::vector<Uses>& uses);

}  // namespace systole::mapping
