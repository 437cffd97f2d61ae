#pragma once

#include "sim/mapping/mapper.hpp"
#include "sim/workload/graph.hpp"

#include <string>

namespace systole {

/// How each layer was laid out on a chip, as a table.
[[nodiscard]] std::string mapping_text(const Graph& graph, const Mapping& mapping);

}  // namespace systole
