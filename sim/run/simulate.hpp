#pragma once

#include "models/accelerator.hpp"
#include "sim/mapping/mapper.hpp"
#include "sim/report/result.hpp"
#include "sim/workload/graph.hpp"

#include <cstdint>
#include <vector>

namespace systole {

struct Simulation {
    models::RunRecord record;
    std::vector<TensorValues> tensors;  ///< when values are carried: see read_back()
};

/// Runs a network as it was mapped, in the present SystemC context. Throws SimulationFault on a
/// deadlock, and Interrupted.
[[nodiscard]] Simulation simulate(const Graph& graph, const models::ChipConfig& chip,
                                  const Mapping& mapping, const models::RunOptions& options,
                                  std::uint64_t seed);

}  // namespace systole
