#pragma once

#include "tests/models/matrix_unit/unit_bench.hpp"

#include <cstdint>
#include <random>
#include <vector>

namespace systole::test {

/// The tensors of one convolution in the scratchpad, and the numbers that were put there.
struct Tensors {
    models::ConvView view;
    std::int64_t image_address = 0;
    std::int64_t weights_address = 0;
    std::int64_t pitch = 0;
    std::vector<float> image{};    ///< (n, h, w, c); integers for int8
    std::vector<float> weights{};  ///< (kh, kw, c within the group, output)
};

/// A matrix unit with a program of random tiles of random convolutions.
struct RandomTiles {
    Rig rig;
    std::vector<Tensors> tensors;  ///< of rig.views
    std::vector<Issue> program;
};

/// `values`: the tensors are in the scratchpad.
[[nodiscard]] RandomTiles random_systolic(std::uint64_t seed, bool values);
[[nodiscard]] RandomTiles random_simt(std::uint64_t seed);

/// What the accumulators hold at the end, and all counters, computed from the definition of a
/// convolution and of the counters alone.
struct Expected {
    std::vector<std::vector<std::uint32_t>> sums;
    models::Counters counters;
    std::int64_t preloads = 0;
    std::int64_t streams = 0;
    std::int64_t steps = 0;  ///< rows (output_stationary: steps of the reduction) that enter
};
[[nodiscard]] Expected expected_of(const RandomTiles& tiles);

}  // namespace systole::test
