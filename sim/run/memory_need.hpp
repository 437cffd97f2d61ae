#pragma once

#include "models/accelerator.hpp"
#include "sim/mapping/mapper.hpp"
#include "sim/workload/graph.hpp"

namespace systole {

/// What the run will hold of the chip itself: the registers of all PEs at cycle fidelity, and the
/// bytes of its memories when values are carried.
[[nodiscard]] Bytes memory_need(const Graph& graph, const models::ChipConfig& chip,
                                const Mapping& mapping, const models::RunOptions& options);

/// What the host can give: the memory that is free, or less if the process is limited.
[[nodiscard]] Bytes memory_of_host();

/// Throws InputError when the run needs more than the host can give.
void check_memory(const Graph& graph, const models::ChipConfig& chip, const Mapping& mapping,
                  const models::RunOptions& options);

}  // namespace systole
