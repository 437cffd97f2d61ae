#include "sim/mapping/matrix_cost.hpp"

#include "sim/mapping/matrix_time.hpp"

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
    const std::int64_t elements_of_share = checked_multiply(share.m.size(), share.n.size());
    Traffic traffic = operand_traffic(site, elements_of_share);
    if (!site.tensors.front().on_chip) {
        traffic.input = input_bytes(site, plan, share, loops);
        traffic.shared += site.tensors.front().shared ? traffic.input : 0;
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
    if (site.store_output) {
        traffic.output = elements_of_share * numerics::bytes_of(result.format);
        traffic.shared += site.output.shared ? traffic.output : 0;
    }
    return traffic;
}

/// Preloads, Streams, and what takes the sums away.
std::int64_t instructions_of(const Site& site, const LayerPlan& plan, const Loops& loops) {
    const std::int64_t streams = checked_multiply(loops.m_tiles, loops.stationary_tiles);
    const bool held = loops.k_tiles == 1 && plan.rows_inner;
    const std::int64_t preloads = !site.machine->stationary() ? 0
                                  : held                      ? loops.n_tiles
                                  : loops.k_tiles == 1        ? loops.m_tiles
                                                              : streams;
    const int after = site.op->raw_sums || !site.store_output ? 1 : 2;
    return checked_add(streams + preloads, checked_multiply(loops.m_tiles, loops.n_tiles * after));
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
    const int cores = cores_at_work(plan);
    std::int64_t tiles = 0;
    std::int64_t cycles = 0;
    plan.traffic = {};
    plan.instructions = 0;
    for (const Share& share : plan.shares) {
        if (share.empty()) {
            continue;
        }
        const Loops loops = loops_of(site, plan, share);
        const Traffic traffic = traffic_of(site, plan, share, loops);
        plan.traffic.add(traffic);
        tiles += checked_multiply(loops.m_tiles, loops.stationary_tiles);
        plan.instructions = checked_add(plan.instructions, instructions_of(site, plan, loops));
        cycles = std::max(cycles, matrix_cycles(site, plan, {share, loops, traffic, cores}));
    }
    plan.instructions +=
        plan.traffic.weights / std::max<std::int64_t>(1, plan.buffers.weights.slot_bytes);
    add_on_demand(site, plan.traffic);
    const std::int64_t bytes = plan.traffic.off_chip();
    plan.cost = {bytes, std::max(cycles, transfer_cycles(site, plan.traffic, cores)),
                 plan.traffic.shared, tiles, plan.buffers.bytes()};
}

}  // namespace systole::mapping
