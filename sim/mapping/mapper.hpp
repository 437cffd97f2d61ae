#pragma once

#include "models/chip_config.hpp"
#include "models/core/program.hpp"
#include "sim/workload/graph.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace systole {

/// Where a tensor lives while the network runs.
struct Placement {
    enum class Home {
        dram,        ///< main memory
        shared,      ///< shared SRAM
        scratchpad,  ///< stays in the scratchpad of the only core that makes and uses it
    };
    Home home = Home::dram;
    std::int64_t address = 0;  ///< in bytes, within that memory
};

/// What the mapper chose for one operator, and why it costs what it costs.
struct LayerMapping {
    LoopOrder order = LoopOrder::outputs_outer;
    std::int64_t m = 0, n = 0, k = 0;  ///< the whole product
    std::int64_t block_m = 0;          ///< rows of a block
    std::int64_t block_n = 0;          ///< output channels of a block
    std::int64_t tile_m = 0;           ///< rows that stream over one stationary tile
    std::int64_t tile_k = 0;
    std::int64_t tile_n = 0;
    std::int64_t group_pack = 1;  ///< groups side by side in one tile
    std::int64_t tiles = 0;       ///< Streams, all cores together
    int cores = 1;                ///< that share the layer
    std::string split;            ///< over what: "", "rows" or "outputs"
    Bytes input_bytes;            ///< off-chip traffic that the choice predicts
    Bytes weight_bytes;
    Bytes output_bytes;
    bool input_on_chip = false;  ///< no input of it is read from off the chip
    bool output_on_chip = false;
    Bytes scratchpad_used;  ///< per core, buffers and tensors kept
};

/// A network laid out on a chip.
struct Mapping {
    std::vector<models::Program> programs;  ///< one per core
    std::vector<Placement> placements;      ///< one per tensor of the graph
    std::vector<LayerMapping> layers;       ///< one per operator
    Bytes dram_used;
    Bytes shared_used;
};

/// Lays `graph` out on `chip`: tile sizes and loop orders that move the fewest off-chip bytes the
/// buffers allow, then those that take the fewest cycles. Throws InputError, at the layer's place,
/// when an operator cannot fit (which buffer, by how many bytes), when the chip cannot multiply its
/// format, or when the memory is too small; Interrupted when `stop` becomes true.
[[nodiscard]] Mapping map_graph(const Graph& graph, const models::ChipConfig& chip,
                                const std::atomic<bool>* stop = nullptr);

}  // namespace systole
