#pragma once

#include "models/chip_config.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace systole::mapping {

/// Between the cores and a memory.
struct MemoryPath {
    double bytes_per_cycle = 0;  ///< of the memory; 0: a transfer takes no time
    std::int64_t link = 0;       ///< bytes per cycle of each core's link
    std::int64_t latency = 0;    ///< cycles from a request to its first byte
    std::int64_t burst = 0;      ///< bytes of a transfer after which another has its turn

    /// Of a transfer that `cores` cores do together.
    [[nodiscard]] std::int64_t cycles(std::int64_t bytes, int cores) const;
};

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
    std::int64_t pe_latency = 1;  ///< cycles
    std::int64_t lanes = 1;       ///< of the simt unit
    bool trimmed = false;
    std::int64_t scratchpad = 0;  ///< bytes
    std::int64_t width = 1;       ///< of the scratchpad, w
    std::int64_t alignment = 1;   ///< of what the mapper puts there
    MemoryPath dram;
    MemoryPath shared;
    std::int64_t shared_size = 0;  ///< bytes of the shared SRAM
    models::VectorUnitConfig vector;

    explicit Machine(const models::ChipConfig& chip);

    /// WS and IS hold one operand in the array: a Preload goes before a Stream.
    [[nodiscard]] bool stationary() const {
        return unit == Unit::weight_stationary || unit == Unit::input_stationary;
    }
    /// The sums of a tile lie in the accumulators with the output channels down the rows.
    [[nodiscard]] bool transposed() const { return unit == Unit::input_stationary; }
};

}  // namespace systole::mapping
