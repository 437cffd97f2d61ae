#pragma once

#include "models/core/program.hpp"

#include <string>
#include <vector>

namespace systole {

/// The programs of all cores for a reader: one line for each instruction, in the order of its
/// queue, with what it waits for. Scratchpad addresses are in bytes, accumulator rows in rows.
[[nodiscard]] std::string to_text(const std::vector<models::Program>& programs);

}  // namespace systole
