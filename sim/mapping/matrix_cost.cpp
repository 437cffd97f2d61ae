#include "sim/mapping/matrix_cost.hpp"

#include <algorithm>

namespace systole::mapping {
namespace {

/// Tiles of `size` in blocks of `block` over `total`.
std::int64_t tiles_in_blocks(std::int64_t total, std::int64_t block, std::int64_t size) {
    return total / block * ceil_div(block, size) + ceil_div(total % block, size);
}

std::vector<Range> blocks_of(Range range, std::int64_t block) {
    std::vector<Range> blocks;
    for (std::int64_t at = range.first; at < range.end; at += block) {
        blocks.push_back({at, std::min(range.end, at + block)});
    }
    return blocks;
}

/// The slices of the channels that one output tile goes through: how many, and the k tiles in all.
void count_k(const ConvView& view, const LayerPlan& plan, Loops& loops) {
    const std::int64_t channels = view.group_channels();
    if (plan.pack > 1) {
        loops.k_tiles = ceil_div(taps(view), plan.tile_k / (plan.pack * channels));
        return;
    }
    const std::int64_t slice = plan.slice > 0 ? plan.slice : channels;
    loops.slices = ceil_div(channels, slice);
    loops.k_tiles = tiles_in_blocks(channels * taps(view), slice * taps(view), plan.tile_k);
}

/// Of tiles that a ring of `slots` serves: how often all of one n block are loaded.
std::int64_t loads_of_block(const LayerPlan& plan, const Loops& loops, std::int64_t slots,
                            std::int64_t k_tiles, std::int64_t n_tiles) {
    if (slots >= loops.n_tiles * k_tiles) {
        return 1;
    }
    if (plan.order == LoopOrder::outputs_outer && slots >= n_tiles * k_tiles) {
        return 1;
    }
    const std::int64_t near = plan.rows_inner ? k_tiles : k_tiles * n_tiles;
    return slots >= near ? loops.m_blocks : loops.m_tiles;
}

std::int64_t sliced_input_bytes(const Site& site, const LayerPlan& plan, const Share& share,
                                const Loops& loops, std::int64_t rows) {
    const ConvView& view = site.op->view;
    const std::int64_t pixel_row = rows * view.width * numerics::bytes_of(view.format);
    const bool outer = plan.order == LoopOrder::outputs_outer;
    const std::int64_t cycle = loops.slices * (outer ? loops.m_blocks : 1);
    std::int64_t bytes = 0;
    std::vector<OutputTile> tiles;
    for (const Range& block : blocks_of(share.n, plan.block_n)) {
        const auto more = cut_outputs(view, block, plan.tile_n, plan.pack);
        tiles.insert(tiles.end(), more.begin(), more.end());
    }
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        const bool again = i > 0 && tiles[i - 1].group == tiles[i].group;
        if (!again || cycle > plan.buffers.input.slots) {
            bytes += pixel_row * tiles[i].groups * view.group_channels();
        }
    }
    return bytes;
}

std::int64_t input_bytes(const Site& site, const LayerPlan& plan, const Share& share,
                         const Loops& loops) {
    const ConvView& view = site.op->view;
    const InputRows rows = rows_of_blocks(view, share.m, plan.block_m);
    if (plan.slice > 0) {
        return sliced_input_bytes(site, plan, share, loops, rows.total);
    }
    const bool once =
        plan.order == LoopOrder::rows_outer || loops.m_blocks <= plan.buffers.input.slots;
    const std::int64_t row = view.width * view.channels * numerics::bytes_of(view.format);
    return checked_multiply(rows.total * row, once ? 1 : loops.n_blocks);
}

Traffic traffic_of(const Site& site, const LayerPlan& plan, const Share& share,
                   const Loops& loops) {
    const ConvView& view = site.op->view;
    const Tensor& result = site.result();
    Traffic traffic;
    if (!site.tensors.front().on_chip) {
        traffic.input = input_bytes(site, plan, share, loops);
    }
    const std::int64_t column = weight_rows(view) * numerics::bytes_of(view.format);
    const std::int64_t parameters = parameter_bytes(*site.graph, *site.op);
    for (const Range& block : blocks_of(share.n, plan.block_n)) {
        const std::int64_t tiles = count_outputs(view, block, plan.tile_n, plan.pack);
        const std::int64_t weights =
            loads_of_block(plan, loops, plan.buffers.weights.slots, loops.k_tiles, tiles);
        const std::int64_t vectors =
            parameters == 0 ? 0
                            : loads_of_block(plan, loops, plan.buffers.parameters.slots, 1, tiles);
        traffic.weights += checked_multiply(
            block.size(), checked_add(checked_multiply(column, weights), parameters * vectors));
    }
    const std::int64_t elements_of_share = checked_multiply(share.m.size(), share.n.size());
    for (std::size_t i = 0; i < site.op->steps.size(); ++i) {
        const ElementStep& step = site.op->steps[i];
        if (step.operand && !takes_columns(step) && !site.tensors[i + 1].on_chip) {
            traffic.operands +=
                elements_of_share * numerics::bytes_of(site.tensor(*step.operand).format);
        }
    }
    if (site.store_output) {
        traffic.output = elements_of_share * numerics::bytes_of(result.format);
    }
    return traffic;
}

/// Cycles that the matrix unit takes for one output tile, and those in which nothing else can run
/// when its accumulators have no second place.
struct TileTime {
    std::int64_t busy = 0;
    std::int64_t exposed = 0;
};

/// Cycles of a Stream of `rows` rows of `depth` elements: closed forms of the systolic array, with
/// R, C; T = rows; w = width; b bytes per element.
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
    if (machine.weight_buffers == 1) {
        const std::int64_t each = preloads ? shift + stream + r + c - 2 : stream;
        return {loops.k_tiles * each, 0};
    }
    return {loops.k_tiles * std::max(stream, shift), r + c - 2};
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
    return {loops.k_tiles * (2 * r + c + steps - 2), 0};
}

std::int64_t matrix_cycles(const Site& site, const LayerPlan& plan, const Share& share,
                           const Loops& loops) {
    const bool held = loops.k_tiles == 1 && plan.rows_inner &&
                      site.machine->unit == Machine::Unit::weight_stationary;
    const std::int64_t first_of_block = held ? loops.n_tiles * loops.m_blocks : 0;
    std::int64_t cycles = 0;
    // Full tiles, and the smaller ones at the end of each block.
    const std::int64_t block = std::min(plan.block_m, share.m.size());
    const std::int64_t full =
        share.m.size() / block * (block / plan.tile_m) + share.m.size() % block / plan.tile_m;
    const std::int64_t rest = share.m.size() - full * plan.tile_m;
    const std::int64_t rests = loops.m_tiles - full;
    for (const auto& [count, rows] :
         {std::pair{full, plan.tile_m}, std::pair{rests, rests > 0 ? ceil_div(rest, rests) : 0}}) {
        if (count == 0) {
            continue;
        }
        const std::int64_t n = ceil_div(share.n.size(), loops.n_tiles);
        const TileTime time = output_tile(site, plan, loops, rows, n, !held);
        const std::int64_t drain = vector_cycles(site, rows * n);
        std::int64_t each = plan.accumulator_slots > 1 ? std::max(time.busy, drain)
                                                       : time.busy + time.exposed + drain;
        if (const std::int64_t slots = plan.buffers.output.slots; slots > 0) {
            // A result leaves its buffer before the buffer takes another.
            const std::int64_t bytes = rows * n * numerics::bytes_of(site.result().format);
            const std::int64_t stored =
                drain + site.machine->memory_latency + site.machine->memory_cycles(bytes);
            each = std::max(each, ceil_div(stored, slots));
        }
        cycles = checked_add(cycles, checked_multiply(count * loops.n_tiles, each));
    }
    return cycles + first_of_block * site.machine->rows;
}

}  // namespace

Loops loops_of(const Site& site, const LayerPlan& plan, const Share& share) {
    const ConvView& view = site.op->view;
    Loops loops;
    count_k(view, plan, loops);
    loops.m_blocks = ceil_div(share.m.size(), plan.block_m);
    loops.m_tiles = tiles_in_blocks(share.m.size(), plan.block_m, plan.tile_m);
    loops.block_m_tiles = ceil_div(std::min(plan.block_m, share.m.size()), plan.tile_m);
    for (const Range& block : blocks_of(share.n, plan.block_n)) {
        const std::int64_t tiles = count_outputs(view, block, plan.tile_n, plan.pack);
        ++loops.n_blocks;
        loops.n_tiles += tiles;
        loops.block_n_tiles = std::max(loops.block_n_tiles, tiles);
    }
    loops.stationary_tiles = checked_multiply(loops.n_tiles, loops.k_tiles);
    return loops;
}

InputRows rows_of_blocks(const ConvView& view, Range m, std::int64_t block_m) {
    InputRows rows;
    if (view.out_width == 1 && view.kernel_height == 1 && view.stride_height == 1 &&
        view.pad_top == 0) {
        return {m.size(), std::min(m.size(), block_m)};  // each pixel has its row to itself
    }
    for (std::int64_t at = m.first; at < m.end; at += block_m) {
        const std::int64_t size = input_rows(view, {at, std::min(m.end, at + block_m)}).size();
        rows.total = checked_add(rows.total, size);
        rows.most = std::max(rows.most, size);
    }
    return rows;
}

WeightSlots weight_slots(const LayerPlan& plan, const Loops& loops, bool double_buffer) {
    std::int64_t resident = 1;
    if (plan.order == LoopOrder::outputs_outer && loops.m_blocks > 1) {
        resident = loops.block_n_tiles * loops.k_tiles;
    } else if (loops.block_m_tiles > 1) {
        resident = plan.rows_inner ? loops.k_tiles : loops.k_tiles * loops.block_n_tiles;
    }
    return {std::min(loops.stationary_tiles, resident + (double_buffer ? 1 : 0)),
            loops.stationary_tiles};
}

void assess_matrix(const Site& site, LayerPlan& plan) {
    plan.traffic = {};
    std::int64_t tiles = 0;
    std::int64_t cycles = 0;
    for (const Share& share : plan.shares) {
        if (share.empty()) {
            continue;
        }
        const Loops loops = loops_of(site, plan, share);
        const Traffic traffic = traffic_of(site, plan, share, loops);
        plan.traffic.input += traffic.input;
        plan.traffic.operands += traffic.operands;
        plan.traffic.weights += traffic.weights;
        plan.traffic.output += traffic.output;
        tiles += checked_multiply(loops.m_tiles, loops.stationary_tiles);
        cycles = std::max(cycles, matrix_cycles(site, plan, share, loops));
    }
    const auto on_demand = bytes_on_demand(site);
    for (std::size_t i = 0; i < site.tensors.size(); ++i) {
        if (site.tensors[i].on_chip) {
            (i == 0 ? plan.traffic.input : plan.traffic.operands) += on_demand[i];
        }
    }
    const Machine& machine = *site.machine;
    const std::int64_t rows = plan.shares.front().m.size();
    const std::int64_t first_rows =
        plan.traffic.input / std::max(std::int64_t{1}, ceil_div(rows, plan.tile_m));
    const std::int64_t fill = machine.memory_cycles(first_rows + plan.buffers.weights.slot_bytes);
    plan.cost = {plan.traffic.total(),
                 std::max(cycles + fill, machine.memory_cycles(plan.traffic.total())), tiles,
                 plan.buffers.bytes()};
}

}  // namespace systole::mapping
