#pragma once

#include "tests/models/matrix_unit/unit_bench.hpp"

#include <cstdint>
#include <vector>

namespace systole::test {

/// Square tiles that fill a square weight-stationary array, one behind the other.
struct Tiles {
    std::int64_t size;
    std::int64_t rows;  ///< streamed by each
    std::int64_t count;
    models::Format format;
    bool values;
};
[[nodiscard]] Rig rig_of(const Tiles& tiles);
[[nodiscard]] std::vector<Issue> program_of(const Tiles& tiles, const models::ConvView& view);

}  // namespace systole::test
