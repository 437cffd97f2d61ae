#include "tests/bench/tiles.hpp"

#include "tests/models/matrix_unit/dense.hpp"

#include <cstddef>

namespace systole::test {

using namespace models;

Rig rig_of(const Tiles& tiles) {
    const auto view = dense_view(tiles.rows, tiles.size, tiles.size, tiles.format);
    auto rig = array_rig({.rows = tiles.size,
                          .cols = tiles.size,
                          .weight_buffers = 2,
                          .accumulators = tiles.rows,
                          .formats = {tiles.format}},
                         view);
    if (tiles.values) {
        const auto elements = tiles.rows * tiles.size + tiles.size * tiles.size;
        rig.scratchpad.resize(
            static_cast<std::size_t>(elements * numerics::bytes_of(tiles.format)));
        for (std::size_t i = 0; i < rig.scratchpad.size(); ++i) {
            rig.scratchpad[i] = static_cast<std::byte>(i % 63);
        }
    }
    return rig;
}

std::vector<Issue> program_of(const Tiles& tiles, const ConvView& view) {
    const auto weights_at =
        tiles.values ? tiles.rows * tiles.size * numerics::bytes_of(tiles.format) : 0;
    const auto north = right(view, 0, tiles.size, 0, tiles.size, weights_at);
    std::vector<Issue> program;
    for (std::int64_t i = 0; i < tiles.count; ++i) {
        program.push_back(preload(north));
        program.push_back(stream(left(view, 0, tiles.rows, 0, tiles.size), north, true));
    }
    return program;
}

}  // namespace systole::test
