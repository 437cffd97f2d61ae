#include "sim/mapping/matrix_time.hpp"

#include <algorithm>

namespace systole::mapping {
namespace {

/// Cycles that the matrix unit takes for one output tile.
struct TileTime {
    std::int64_t busy = 0;     ///< until the next tile may enter
    std::int64_t exposed = 0;  ///< from then on until the last sum has left
};

/// Stationary operands of a systolic array with R, C; T = rows; w = width; b bytes per element. The
/// last sum leaves after the wavefront and the stages of a PE.
TileTime systolic_tile(const Site& site, const LayerPlan& plan, const Loops& loops, std::int64_t m,
                       std::int64_t n, bool preloads) {
    const Machine& machine = *site.machine;
    const std::int64_t b = numerics::bytes_of(site.op->view.format);
    const bool weights_held = machine.unit == Machine::Unit::weight_stationary;
    const std::int64_t north = weights_held ? n : m;
    const std::int64_t moving = weights_held ? m : n;
    const std::int64_t r = machine.trimmed ? plan.tile_k : machine.rows;
    const std::int64_t c = machine.trimmed ? north : machine.cols;
    const std::int64_t shift =
        preloads ? r * std::max(std::int64_t{1}, ceil_div(north * b, machine.width)) : 0;
    const std::int64_t stream = plan.tile_k * b <= machine.width
                                    ? moving
                                    : ceil_div(moving * plan.tile_k * b, machine.width);
    const std::int64_t wavefront = r + c - 2 + machine.pe_latency - 1;
    if (machine.weight_buffers == 1 && preloads) {
        return {loops.k_tiles * (shift + stream + wavefront), 0};
    }
    return {loops.k_tiles * std::max(stream, shift), wavefront};
}

TileTime output_tile(const Site& site, const LayerPlan& plan, const Loops& loops, std::int64_t m,
                     std::int64_t n, bool preloads) {
    const Machine& machine = *site.machine;
    const std::int64_t b = numerics::bytes_of(site.op->view.format);
    if (machine.stationary()) {
        return systolic_tile(site, plan, loops, m, n, preloads);
    }
    if (machine.unit == Machine::Unit::simt) {
        // For each group of lanes: the west element, the north ones, the sums read and written.
        const std::int64_t lanes = std::min(machine.lanes, n);
        const std::int64_t beats =
            1 + ceil_div(lanes * b, machine.width) + 2 * ceil_div(4 * lanes, machine.width);
        return {checked_multiply(m * plan.tile_k * loops.k_tiles, ceil_div(n, lanes) * beats), 0};
    }
    const std::int64_t r = machine.trimmed ? m : machine.rows;
    const std::int64_t c = machine.trimmed ? n : machine.cols;
    const std::int64_t moved = std::max(m, n) * b;
    const std::int64_t steps =
        moved <= machine.width ? plan.tile_k : ceil_div(plan.tile_k * moved, machine.width);
    return {loops.k_tiles * (2 * r + c + steps - 2 + machine.pe_latency - 1), 0};
}

/// The output tiles of a core, taken as equal: a tile's way from the memory through the units and
/// back, and the interval at which the tiles follow each other.
class Pipeline {
public:
    Pipeline(const Site& site, const LayerPlan& plan, const CoreWork& work)
        : site_{site},
          machine_{*site.machine},
          plan_{plan},
          loops_{work.loops},
          traffic_{work.traffic},
          cores_{work.cores},
          tiles_{checked_multiply(loops_.m_tiles, loops_.n_tiles)},
          rows_{ceil_div(work.share.m.size(), loops_.m_tiles)},
          cols_{ceil_div(work.share.n.size(), loops_.n_tiles)},
          held_{loops_.k_tiles == 1 && plan.rows_inner &&
                machine_.unit == Machine::Unit::weight_stationary},
          tile_{output_tile(site, plan, loops_, rows_, cols_, !held_)} {
        const std::int64_t sum_bytes = numerics::bytes_of(site.result().format);
        store_ =
            site.store_output ? transfer(path_of(site, site.output), rows_ * cols_ * sum_bytes) : 0;
        drain_ = site.op->raw_sums ? store_ : vector_cycles(site, rows_, cols_);
    }

    [[nodiscard]] std::int64_t cycles() const;

private:
    /// Bytes between this core and each memory.
    struct Moved {
        std::int64_t dram = 0;
        std::int64_t shared = 0;
    };
    [[nodiscard]] Moved input(std::int64_t bytes) const {
        return site_.tensors.front().shared ? Moved{0, bytes} : Moved{bytes, 0};
    }
    [[nodiscard]] Moved output(std::int64_t bytes) const {
        return site_.output.shared ? Moved{0, bytes} : Moved{bytes, 0};
    }
    [[nodiscard]] Moved all() const { return {traffic_.off_chip(), traffic_.shared}; }
    static Moved plus(const Moved& a, const Moved& b) {
        return {a.dram + b.dram, a.shared + b.shared};
    }
    static Moved minus(const Moved& a, const Moved& b) {
        return {a.dram - b.dram, a.shared - b.shared};
    }
    static Moved part(const Moved& a, std::int64_t times, std::int64_t of) {
        return {checked_multiply(a.dram, times) / of, checked_multiply(a.shared, times) / of};
    }
    /// Cycles on the links, which the other cores use as well.
    [[nodiscard]] std::int64_t link(const Moved& moved) const {
        return std::max(machine_.dram.cycles(checked_multiply(moved.dram, cores_), cores_),
                        machine_.shared.cycles(checked_multiply(moved.shared, cores_), cores_));
    }
    [[nodiscard]] std::int64_t transfer(const MemoryPath& path, std::int64_t bytes) const {
        return bytes == 0 ? 0 : path.latency + path.cycles(checked_multiply(bytes, cores_), cores_);
    }
    [[nodiscard]] std::int64_t first_weights() const {
        return transfer(machine_.dram, plan_.buffers.weights.slot_bytes);
    }
    [[nodiscard]] std::int64_t turn() const;
    [[nodiscard]] std::int64_t interval() const;
    [[nodiscard]] std::int64_t weight_waits() const;
    [[nodiscard]] std::int64_t first_input() const;
    [[nodiscard]] bool runs_ahead() const;
    [[nodiscard]] std::int64_t computed() const;
    [[nodiscard]] std::int64_t visit(const Moved& panel, const Moved& other) const;
    [[nodiscard]] std::int64_t visits() const;

    const Site& site_;
    const Machine& machine_;
    const LayerPlan& plan_;
    const Loops& loops_;
    const Traffic& traffic_;
    int cores_;
    std::int64_t tiles_;
    std::int64_t rows_;  ///< of a tile
    std::int64_t cols_;
    bool held_;  ///< tiles that follow each other find their weights in the array
    TileTime tile_;
    std::int64_t store_ = 0;
    std::int64_t drain_ = 0;  ///< from the last sum on until its accumulators are free
};

/// A store in a busy memory waits for the burst of a load.
std::int64_t Pipeline::turn() const {
    const Moved loads = minus(all(), output(traffic_.output));
    const std::int64_t piece =
        std::max(plan_.buffers.weights.slot_bytes, ceil_div(traffic_.input, loops_.m_tiles));
    const std::int64_t burst = link(output(std::min(machine_.dram.burst, piece)));
    const std::int64_t busy = std::max<std::int64_t>(1, checked_multiply(tiles_, tile_.busy));
    return std::min(burst, checked_multiply(burst, link(loads)) / busy);
}

/// A place among the accumulators or in the output buffer is taken until its tile has left it.
std::int64_t Pipeline::interval() const {
    const std::int64_t in_accumulators = tile_.busy + tile_.exposed + drain_;
    std::int64_t each = std::max({tile_.busy, site_.op->raw_sums ? 0 : drain_,
                                  ceil_div(in_accumulators, plan_.accumulator_slots)});
    if (const std::int64_t slots = plan_.buffers.output.slots; slots > 0) {
        each = std::max(each, ceil_div(drain_ + store_ + turn(), slots));
    }
    return each;
}

/// The ring holds `resident` tiles that are used again and again, and only with their last use does
/// each make room for one of the next set: those that found no room before come in during that
/// time.
std::int64_t Pipeline::weight_waits() const {
    const Ring& ring = plan_.buffers.weights;
    if (ring.slots >= loops_.stationary_tiles || traffic_.weights == 0) {
        return 0;
    }
    const std::int64_t resident = weight_slots(plan_, loops_, false).least;
    const std::int64_t late = 2 * resident - ring.slots;
    if (late <= 0) {
        return 0;
    }
    const std::int64_t sets = ceil_div(traffic_.weights, ring.slot_bytes * resident);
    const std::int64_t last_use = ceil_div(checked_multiply(interval(), resident), loops_.k_tiles);
    const std::int64_t loading = machine_.dram.latency + link({late * ring.slot_bytes, 0});
    return checked_multiply(sets, std::max<std::int64_t>(0, loading - last_use));
}

std::int64_t Pipeline::first_input() const {
    const std::int64_t piece = traffic_.input / loops_.m_tiles;
    return piece == 0 ? 0 : path_of(site_, site_.tensors.front()).latency + link(input(piece));
}

/// A block of rows against a block of outputs: its rows go by once for each column of tiles. What
/// it loads of weights and results comes evenly, its input during the first time.
std::int64_t Pipeline::visit(const Moved& panel, const Moved& other) const {
    const std::int64_t passes = ceil_div(loops_.n_tiles, loops_.n_blocks);
    const std::int64_t computing = ceil_div(computed(), loops_.m_blocks * loops_.n_blocks);
    if (plan_.slice > 0 || runs_ahead()) {
        return std::max(computing, link(plus(panel, other)));
    }
    const std::int64_t each = ceil_div(computing, passes);
    return std::max(each, link(plus(panel, part(other, 1, passes)))) +
           (passes - 1) * std::max(each, link(part(other, 1, passes)));
}

/// Loads keep their order: the panel of the next block does not wait behind weights.
bool Pipeline::runs_ahead() const {
    return plan_.buffers.input.slots > 1 && plan_.buffers.weights.slots >= loops_.stationary_tiles;
}

/// The interval of the tiles, and what the matrix unit waits for buffers without a second place.
std::int64_t Pipeline::computed() const {
    const std::int64_t panels = plan_.buffers.input.slots == 1 ? loops_.m_blocks - 1 : 0;
    const std::int64_t shifts =
        held_ ? checked_multiply(loops_.n_tiles * loops_.m_blocks, machine_.rows) : 0;
    return checked_add(checked_add(checked_multiply(tiles_, interval()), weight_waits()),
                       checked_add(shifts, checked_multiply(panels, first_input())));
}

std::int64_t Pipeline::visits() const {
    // Blocks of outputs for which the input is loaded, and blocks of rows for which the weights
    // are.
    const bool input_stays =
        plan_.order == LoopOrder::outputs_outer && loops_.m_blocks <= plan_.buffers.input.slots;
    const std::int64_t inputs = input_stays ? 1 : loops_.n_blocks;
    const std::int64_t slots = plan_.buffers.weights.slots;
    const bool weights_stay =
        slots >= loops_.stationary_tiles ||
        (plan_.order == LoopOrder::outputs_outer && slots >= loops_.block_n_tiles * loops_.k_tiles);
    const std::int64_t weights = weights_stay ? 1 : loops_.m_blocks;
    const std::int64_t visits = checked_multiply(loops_.m_blocks, loops_.n_blocks);
    const Moved panel = input(traffic_.input / (inputs * loops_.m_blocks));
    const Moved filters{traffic_.weights / (weights * loops_.n_blocks), 0};
    const Moved rest =
        part(minus(minus(all(), input(traffic_.input)), {traffic_.weights, 0}), 1, visits);
    const std::int64_t others = loops_.n_blocks - inputs;
    const std::int64_t later = loops_.m_blocks - weights;
    return inputs * weights * visit(panel, plus(filters, rest)) +
           inputs * later * visit(panel, rest) + others * weights * visit({}, plus(filters, rest)) +
           others * later * visit({}, rest);
}

std::int64_t Pipeline::cycles() const {
    const std::int64_t in_turn = visits();
    const std::int64_t in = std::max(first_input(), first_weights());
    const std::int64_t last = tile_.exposed + (site_.op->raw_sums ? 0 : drain_);
    // Where the memory is what takes the time, the first load and the last store are part of it.
    const std::int64_t memory_alone = std::max<std::int64_t>(0, in_turn - computed());
    const std::int64_t ends = std::max(machine_.dram.latency, in + store_ - memory_alone);
    // The last to come in is a tile of weights, or the rows of an output tile.
    const std::int64_t moved =
        link(all()) + machine_.dram.latency + tile_.busy / loops_.k_tiles + last;
    return std::max(checked_add(in_turn, ends + last), moved);
}

}  // namespace

std::int64_t matrix_cycles(const Site& site, const LayerPlan& plan, const CoreWork& work) {
    return Pipeline{site, plan, work}.cycles();
}

}  // namespace systole::mapping
