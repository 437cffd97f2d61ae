#pragma once

#include <cstdint>

namespace systole::models {

/// The rows and columns of an array, from row 0 and column 0 on, that a tile occupies: the whole of
/// it, or with trimmed edge tiles those that are used.
struct ArrayExtent {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
};

}  // namespace systole::models
