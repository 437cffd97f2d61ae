#pragma once

#include "models/base/node.hpp"
#include "models/chip_config.hpp"
#include "models/core/counters.hpp"
#include "models/core/program.hpp"
#include "models/technology/technology.hpp"
#include "sim/mapping/mapper.hpp"
#include "sim/report/energy.hpp"
#include "sim/report/roofline.hpp"
#include "sim/workload/graph.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace systole::models {
struct RunRecord;
}

namespace systole {

/// Cycles under each `models::Cause`.
using CyclesBy = std::array<Cycles, models::cause_count>;

/// What is reported of a layer, and in the same words of the whole run. `figures()` names them.
struct Figures {
    std::int64_t macs = 0;
    std::int64_t flops = 0;
    std::int64_t cycles = 0;  ///< from the end of the layer before to its own: they add up
    std::int64_t start_cycle = 0;
    std::int64_t end_cycle = 0;
    double seconds = 0;
    double utilization = 0;  ///< MACs done / (MACs the chip could do in these cycles)
    std::int64_t dram_read_bytes = 0;
    std::int64_t dram_write_bytes = 0;
    std::int64_t sram_read_bytes = 0;
    std::int64_t sram_write_bytes = 0;
    std::int64_t shared_read_bytes = 0;
    std::int64_t shared_write_bytes = 0;
    double energy_j = 0;
    RooflinePoint dram;        ///< against the pins of main memory
    RooflinePoint scratchpad;  ///< against the ports of the scratchpads
    Energy energy;
    CyclesBy cycles_by{};  ///< of the matrix units, all cores together
    models::Counters counters;
};

struct LayerResult {
    std::string name;
    std::string op;
    Figures figures;
    LayerMapping mapping;
};

struct UnitResult {
    int core = 0;
    models::Queue queue{};
    CyclesBy cycles_by{};
};

/// The chip as the report needs it.
struct ChipFacts {
    std::string name;
    std::string technology;
    double clock_hz = 0;
    std::int64_t cores = 0;
    std::int64_t peak_macs_per_cycle = 0;
    Roof dram;
    Roof scratchpad;
};

/// A tensor of main memory or the shared SRAM as numbers.
struct TensorValues {
    std::string name;
    Tensor::Role role{};
    Shape shape;
    Format format{};
    double step = 1.0;           ///< what one code of an integer format is worth
    std::vector<double> values;  ///< the codes times the step
};

/// What a run needs to be repeated.
struct Manifest {
    struct Input {
        std::string path;
        std::string sha256;
    };
    std::string version;
    std::string git;
    std::string command;
    std::int64_t seed = 0;
    std::string fidelity;
    std::vector<Input> inputs;
    Node chip;      ///< after `extends`, `--set` and defaults
    Node workload;  ///< the same
};

/// Everything that is known of a run; every output is made from it.
struct Result {
    Manifest manifest;
    ChipFacts chip;
    std::string workload;
    std::string workload_description;
    Figures totals;
    std::vector<LayerResult> layers;
    std::vector<UnitResult> units;
    std::vector<TensorValues> tensors;  ///< those small enough to be shown
};

[[nodiscard]] const char* to_string(Tensor::Role role);
[[nodiscard]] ChipFacts chip_facts(const models::ChipConfig& chip);

/// The result of a run, all but its manifest and its values. Energy is added up here, once, in the
/// order of the layers and the components. Cycle accounts must be closed, layer by layer too.
[[nodiscard]] Result make_result(const Graph& graph, const models::ChipConfig& chip,
                                 const models::Technology& technology, const Mapping& mapping,
                                 const models::RunRecord& record);

}  // namespace systole
