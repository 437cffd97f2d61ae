#pragma once

#include "models/core/trace.hpp"

#include <string>
#include <vector>

namespace systole {

/// A trace in the Trace Event Format, which chrome://tracing and ui.perfetto.dev show: one thread
/// per lane, one process per part of the chip (what stands before the last dot of the lane's name),
/// 1 µs for each cycle. `layers`: the names of the layers.
[[nodiscard]] std::string to_trace_json(const models::Trace& trace,
                                        const std::vector<std::string>& layers);

}  // namespace systole
