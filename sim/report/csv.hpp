#pragma once

#include "sim/report/result.hpp"

#include <string>

namespace systole {

/// One row per layer, under a header that does not depend on the run: the figures, the energy of
/// each component, the matrix units' cycles of each cause.
[[nodiscard]] std::string to_csv(const Result& result);

}  // namespace systole
