#pragma once

#include "models/base/units.hpp"
#include "models/matrix_unit/matrix_config.hpp"
#include "models/memory/memory_config.hpp"
#include "models/sram/sram.hpp"
#include "models/vector_unit/vector_config.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace systole::models {

struct CoreConfig {
    MatrixConfig matrix;
    VectorUnitConfig vector;
    SramConfig scratchpad;
};

/// A chip, as its YAML file says it.
struct ChipConfig {
    std::string name;
    std::string description;
    Hertz clock;
    std::int64_t cores = 1;
    CoreConfig core;
    std::optional<SharedSramConfig> shared_sram;
    InterconnectConfig interconnect;
    MemoryConfig memory;
    std::string technology;  ///< a file of configs/technology

    [[nodiscard]] std::int64_t peak_macs_per_cycle() const;
};

void describe(Schema<CoreConfig>& schema);
void describe(Schema<ChipConfig>& schema);

}  // namespace systole::models
