#pragma once

#include "models/chip_config.hpp"
#include "sim/workload/network.hpp"

#include <cstdint>
#include <random>

namespace systole::test {

/// Draws small networks and small chips. Everything that can differ differs: shapes, strides,
/// padding, groups, branches, formats; array, dataflow, buffers, memories, cores. Equal on every
/// platform for equal seeds.
class RandomCase {
public:
    explicit RandomCase(std::uint64_t seed) : random_{seed} {}

    [[nodiscard]] Network network();
    /// A chip that multiplies every format. `scratchpad`: its size.
    [[nodiscard]] models::ChipConfig chip(Bytes scratchpad);

    [[nodiscard]] std::int64_t pick(std::int64_t low, std::int64_t high) {
        return low +
               static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
    }
    [[nodiscard]] bool chance(int in_hundred) { return pick(1, 100) <= in_hundred; }

private:
    template <class T>
    [[nodiscard]] T one_of(std::initializer_list<T> choices) {
        return choices.begin()[pick(0, static_cast<std::int64_t>(choices.size()) - 1)];
    }
    [[nodiscard]] Layer image_layer(std::int64_t channels);
    [[nodiscard]] Layer convolution(std::int64_t channels);
    [[nodiscard]] Layer features_layer();
    [[nodiscard]] std::optional<Function> activation();
    void residual_block(Network& network, std::int64_t channels);
    [[nodiscard]] models::MatrixConfig matrix_unit();

    std::mt19937_64 random_;
};

}  // namespace systole::test
