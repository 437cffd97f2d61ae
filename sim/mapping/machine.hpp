#pragma once

#include "models/chip_config.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace systole::mapping {

/// What the mapper has to know of a chip.
struct Machine {
    enum class Unit { weight_stationary, input_stationary, output_stationary, simt };

    std::string name;
    Unit unit = Unit::weight_stationary;
    std::vector<numerics::Format> formats;
    int cores = 1;
    std::int64_t rows = 1;  ///< R
    std::int64_t cols = 1;  ///< C, or the columns of a simt tile
    std::int64_t accumulators = 1;
    std::int64_t weight_buffers = 1;
    std::int64_t lanes = 1;  ///< of the simt unit
    bool trimmed = false;
    std::int64_t scratchpad = 0;        ///< bytes
    std::int64_t width = 1;             ///< of the scratchpad, w
    std::int64_t alignment = 1;         ///< of what the mapper puts there
    double memory_bytes_per_cycle = 0;  ///< 0: a transfer takes no time
    std::int64_t memory_latency = 0;    ///< cycles from a request to its first byte
    models::VectorUnitConfig vector;

    explicit Machine(const models::ChipConfig& chip);

    /// WS and IS hold one operand in the array: a Preload goes before a Stream.
    [[nodiscard]] bool stationary() const {
        return unit == Unit::weight_stationary || unit == Unit::input_stationary;
    }
    /// The sums of a tile lie in the accumulators with the output channels down the rows.
    [[nodiscard]] bool transposed() const { return unit == Unit::input_stationary; }

    [[nodiscard]] std::int64_t memory_cycles(std::int64_t bytes) const;
};

}  // namespace systole::mapping
