#pragma once

#include "sim/report/result.hpp"

#include <string>

namespace systole {

/// The roofline of main memory in characters, both axes logarithmic: the roof in `/` and `-`, each
/// layer that has FLOPs and off-chip bytes at its place as a letter, with a legend. A `*` stands
/// where several layers meet. Empty when there is no such layer or the memory takes no time.
[[nodiscard]] std::string roofline_picture(const Result& result);

}  // namespace systole
