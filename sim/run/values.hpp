#pragma once

#include "models/interconnect/memory_image.hpp"
#include "sim/mapping/mapper.hpp"
#include "sim/report/result.hpp"
#include "sim/workload/graph.hpp"

#include <cstdint>
#include <vector>

namespace systole {

/// Writes the numbers of all inputs and parameters to where the mapping has them: as they were
/// given, or drawn from the seed; as codes of the tensor's format.
void fill(models::MemoryImage& image, const Graph& graph, const Mapping& mapping,
          std::uint64_t seed);

/// The numbers in memory that are worth telling after a run: the outputs, and all others too in a
/// network that a person can reckon by hand. What stays in a scratchpad, or has made room for a
/// later tensor, cannot be read.
[[nodiscard]] std::vector<TensorValues> read_back(models::MemoryImage& image, const Graph& graph,
                                                  const Mapping& mapping);

/// Whether a run carries values though nobody asked for them: it has at most a million MACs and 16
/// MiB of memory.
[[nodiscard]] bool is_small(const Graph& graph, const Mapping& mapping);

}  // namespace systole
