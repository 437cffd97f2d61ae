#pragma once

#include "sim/mapping/arena.hpp"
#include "sim/mapping/geometry.hpp"
#include "sim/mapping/machine.hpp"
#include "sim/mapping/mapping_request.hpp"
#include "sim/workload/graph.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace systole::mapping {

/// `slots` places of equal size in the scratchpad, taken in turn.
struct Ring {
    std::int64_t slot_bytes = 0;
    std::int64_t slots = 0;
    std::int64_t address = 0;

    [[nodiscard]] std::int64_t bytes() const { return checked_multiply(slot_bytes, slots); }
};

/// The streaming buffers of an operator. What stays on chip for longer is not among them.
struct Buffers {
    Ring weights;
    Ring input;
    Ring parameters;  ///< the vectors over the columns that the steps take
    Ring operands;    ///< the tensors of the output's shape that the steps take
    Ring output;
    std::int64_t alignment = 1;

    [[nodiscard]] std::int64_t bytes() const {
        return weights.bytes() + input.bytes() + parameters.bytes() + operands.bytes() +
               output.bytes();
    }
};

/// The part of an operator that one core does: output rows and output columns.
struct Share {
    Range m;
    Range n;
    [[nodiscard]] bool empty() const { return m.empty() || n.empty(); }
};

/// What the cores share out among them.
enum class Split { rows, outputs };

/// Bytes between the core and the memories.
struct Traffic {
    std::int64_t input = 0;  ///< of inputs[0]
    std::int64_t operands = 0;
    std::int64_t weights = 0;  ///< vectors of the steps included
    std::int64_t output = 0;
    std::int64_t shared = 0;  ///< of all these, between the cores and the shared SRAM

    [[nodiscard]] std::int64_t off_chip() const {
        return input + operands + weights + output - shared;
    }
    void add(const Traffic& more);
};

/// What a plan is chosen by, in this order.
struct Cost {
    std::int64_t bytes = std::numeric_limits<std::int64_t>::max();  ///< off the chip
    std::int64_t cycles = 0;
    std::int64_t shared_bytes = 0;
    std::int64_t tiles = 0;
    std::int64_t footprint = 0;

    /// The cycles to a part in 64, which is about what the estimate is worth: what it cannot tell
    /// apart goes by the fewest tiles.
    [[nodiscard]] std::int64_t about() const {
        const auto bits = std::bit_width(static_cast<std::uint64_t>(cycles));
        const auto spare = bits > 7 ? bits - 7 : 0;
        return cycles >> spare << spare;
    }
    friend bool operator<(const Cost& a, const Cost& b) {
        return std::tuple{a.bytes, a.about(), a.shared_bytes, a.tiles, a.cycles, a.footprint} <
               std::tuple{b.bytes, b.about(), b.shared_bytes, b.tiles, b.cycles, b.footprint};
    }
};

/// How one operator is run.
struct LayerPlan {
    std::vector<Share> shares;  ///< one per core, some may be empty
    Split split = Split::rows;
    LoopOrder order = LoopOrder::rows_outer;
    std::int64_t block_m = 0;
    std::int64_t block_n = 0;
    std::int64_t tile_m = 0;
    std::int64_t tile_n = 0;
    std::int64_t tile_k = 0;  ///< elements of the reduction; with pack > 1 of a full pack
    std::int64_t pack = 1;
    /// Channels of a panel, of one group; 0: panels hold all channels of the tensor.
    std::int64_t slice = 0;
    bool rows_inner = true;  ///< within a block: for each output tile, all rows
    std::int64_t accumulator_rows = 0;
    std::int64_t accumulator_slots = 0;
    Buffers buffers;
    Traffic traffic;
    Cost cost;
    std::int64_t instructions = 0;  ///< at least, all cores together
};

/// A tensor as an operator finds it.
struct Residence {
    bool on_chip = false;      ///< in the scratchpad
    std::int64_t address = 0;  ///< there
    std::int64_t loaded = 0;   ///< bytes from the front that are there before the operator runs
    bool shared = false;       ///< if not on chip: in the shared SRAM
};

/// What is given when an operator is planned.
struct Site {
    const Graph* graph = nullptr;
    const Operator* op = nullptr;
    const Machine* machine = nullptr;
    int cores = 1;  ///< that may share the operator
    const std::atomic<bool>* stop = nullptr;
    std::vector<Residence> tensors;  ///< of inputs[0], then of the operand of each step
    Residence output;
    bool store_output = true;
    std::vector<Gap> gaps;       ///< free while the operator runs
    std::vector<Gap> calm_gaps;  ///< those of them that the operator before did not work on either

    [[nodiscard]] const Tensor& tensor(TensorId id) const { return graph->tensor(id); }
    [[nodiscard]] const Tensor& input() const { return tensor(op->inputs.front()); }
    [[nodiscard]] const Tensor& result() const { return tensor(op->output); }
};

/// Why no plan was found: what the least demanding one lacks.
struct Shortage {
    std::int64_t scratchpad = std::numeric_limits<std::int64_t>::max();
    bool too_many_instructions = false;
    bool accumulators = false;
};

/// Instructions that a program may have, all cores together.
inline constexpr std::int64_t instruction_limit = 20'000'000;

/// The plan that costs least on `cores` cores.
[[nodiscard]] std::optional<LayerPlan> plan_matrix(const Site& site, int cores, Shortage& shortage);
[[nodiscard]] std::optional<LayerPlan> plan_vector(const Site& site, int cores, Shortage& shortage);
/// Takes `plan` instead of `best` if it is the quicker one. So one of several ways to share an
/// operator is chosen, for one core alone moves the fewest bytes.
void choose(std::optional<LayerPlan>& best, std::optional<LayerPlan> plan);
/// The plan that costs least on any number of cores.
[[nodiscard]] std::optional<LayerPlan> plan_operator(const Site& site, Shortage& shortage);

/// The bytes of inputs[0] from its front that the operator reads up to, all cores together.
[[nodiscard]] std::int64_t bytes_needed(const Graph& graph, const Operator& op);

/// What the user fixes of the plan: `part` of the operator's mapping.
template <class T>
[[nodiscard]] std::optional<T> requested(const Operator& op,
                                         std::optional<T> MappingRequest::*part) {
    std::optional<T> wanted;
    if (op.mapping) {
        wanted = (*op.mapping).*part;
    }
    return wanted;
}

/// The output as rows × columns: [M][N] of a product, pixels × channels of a pool, and for the
/// element-wise operators everything but the last dimension × the last.
struct Extent {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
};
[[nodiscard]] Extent extent_of(const Graph& graph, const Operator& op);

/// `step` takes a vector over the columns.
[[nodiscard]] bool takes_columns(const ElementStep& step);

/// Bytes per column of the vectors over the columns that the steps take, and the place that those
/// of `cols` columns need.
[[nodiscard]] std::int64_t parameter_bytes(const Graph& graph, const Operator& op);
[[nodiscard]] std::int64_t parameter_slot(const Site& site, std::int64_t cols);

/// The place that a tile of each same-shape operand needs that is not on chip.
[[nodiscard]] std::int64_t operand_slot(const Site& site, std::int64_t elements_of_tile);

/// What the same-shape operands of `elements` of the output move.
[[nodiscard]] Traffic operand_traffic(const Site& site, std::int64_t elements_of_share);

/// Adds what is still to be loaded of the tensors that are on chip.
void add_on_demand(const Site& site, Traffic& traffic);

/// For each of `site.tensors`, what is still to be loaded of it when it is on chip.
[[nodiscard]] std::vector<std::int64_t> bytes_on_demand(const Site& site);

/// Finds places for the buffers among the site's gaps; the ring of weights gets between
/// `weights.slots` and `most_weights` slots. Loads into places that the operator before did not use
/// need not wait for it, so these are preferred. Nothing, and the shortage noted, when the buffers
/// do not fit.
[[nodiscard]] std::optional<Buffers> place(const Buffers& buffers, std::int64_t most_weights,
                                           const Site& site, Shortage& shortage);

/// Cuts `total` units over the cores in equal parts of a multiple of `unit`.
[[nodiscard]] std::vector<Range> cut_over(int cores, std::int64_t total, std::int64_t unit);

/// Cycles of the vector unit for the operator's steps on a tile of its output.
[[nodiscard]] std::int64_t vector_cycles(const Site& site, std::int64_t rows, std::int64_t cols);

/// Between a core and the memory where a tensor lives that is not on chip.
[[nodiscard]] inline const MemoryPath& path_of(const Site& site, const Residence& tensor) {
    return tensor.shared ? site.machine->shared : site.machine->dram;
}

/// The least cycles in which the memories can move `traffic` when `cores` cores ask for it.
[[nodiscard]] std::int64_t transfer_cycles(const Site& site, const Traffic& traffic, int cores);

[[nodiscard]] int cores_at_work(const LayerPlan& plan);

}  // namespace systole::mapping
