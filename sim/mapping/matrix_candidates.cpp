// What MatrixSearch tries.
#include "sim/mapping/matrix_search.hpp"

#include <algorithm>

namespace systole::mapping {

std::optional<std::int64_t> MatrixSearch::requested_rows() const {
    return requested(*site_.op, &MappingRequest::rows);
}

std::optional<std::int64_t> MatrixSearch::requested_outputs() const {
    return requested(*site_.op, &MappingRequest::outputs);
}

/// What has to move at least: everything once to each core that needs it.
std::int64_t MatrixSearch::compulsory_bytes(const std::vector<Share>& shares) const {
    const std::int64_t b = numerics::bytes_of(view_.format);
    const std::int64_t column =
        checked_multiply(weight_rows(view_), b) + parameter_bytes(*site_.graph, *site_.op);
    const Residence& input = site_.tensors.front();
    std::int64_t bytes = 0;
    for (const Share& share : shares) {
        if (share.empty()) {
            continue;
        }
        const std::int64_t results = checked_multiply(share.m.size(), share.n.size());
        bytes +=
            checked_multiply(column, share.n.size()) + operand_traffic(site_, results).off_chip();
        if (site_.store_output && !site_.output.shared) {
            bytes += results * numerics::bytes_of(site_.result().format);
        }
        if (!input.on_chip && !input.shared) {
            const std::int64_t rows = input_rows(view_, share.m).size();
            bytes += checked_multiply(rows * view_.width, view_.channels * b);
        }
    }
    return bytes;
}

TileLimits MatrixSearch::limits() const {
    const std::int64_t all = checked_multiply(taps(view_), view_.channels);
    switch (machine_.unit) {
        case Machine::Unit::weight_stationary:
            return {machine_.accumulators, machine_.cols, machine_.rows, true, false};
        case Machine::Unit::input_stationary:
            return {machine_.cols, machine_.accumulators, machine_.rows, false, true};
        case Machine::Unit::output_stationary:
            return {std::min(machine_.rows, machine_.accumulators), machine_.cols, all, false,
                    false};
        case Machine::Unit::simt:
            break;
    }
    return {machine_.accumulators, machine_.cols, all, true, false};
}

std::vector<std::int64_t> MatrixSearch::m_blocks(const Share& share) const {
    if (const auto rows = requested_rows()) {
        return {std::min(*rows, share.m.size())};
    }
    std::vector<std::int64_t> sizes;
    for (const std::int64_t rows : block_sizes(ceil_div(share.m.size(), view_.out_width))) {
        sizes.push_back(std::min(share.m.size(), rows * view_.out_width));
    }
    for (const std::int64_t pixels : block_sizes(view_.out_width)) {
        if (pixels < sizes.back()) {
            sizes.push_back(pixels);
        }
    }
    return sizes;
}

std::vector<std::int64_t> MatrixSearch::n_blocks(const LayerPlan& plan,
                                                 const TileLimits& limits) const {
    const std::int64_t outputs = plan.shares.front().n.size();
    std::int64_t unit = limits.n;
    if (plan.pack == 1 && view_.groups > 1) {
        unit = view_.group_outputs();
    } else if (limits.n_streams && plan.pack == 1) {
        unit = 1;
    }
    if (const auto requested = requested_outputs()) {
        const std::int64_t least = plan.pack > 1 ? unit : 1;
        return {std::min(outputs, align_up(*requested, least))};
    }
    std::vector<std::int64_t> sizes;
    for (const std::int64_t units : block_sizes(ceil_div(outputs, unit))) {
        sizes.push_back(std::min(outputs, units * unit));
        if (plan.order == LoopOrder::rows_outer) {
            break;
        }
    }
    return sizes;
}

std::vector<TileSize> MatrixSearch::tile_sizes(const LayerPlan& plan,
                                               const TileLimits& limits) const {
    const auto even = [](std::int64_t total, std::int64_t most) {
        return ceil_div(total, ceil_div(total, most));
    };
    const std::int64_t outputs =
        plan.pack > 1 ? limits.n : even(std::min(plan.block_n, view_.group_outputs()), limits.n);
    if (plan.slice > 0) {
        return {{plan.block_m, outputs}};
    }
    std::vector<TileSize> sizes;
    const auto add = [&](const TileSize& size) {
        if (sizes.empty() || sizes.back().m != size.m || sizes.back().n != size.n) {
            sizes.push_back(size);
        }
    };
    if (!limits.m_streams && !(limits.n_streams && plan.pack == 1)) {
        return {{std::min(limits.m, plan.block_m), outputs}};
    }
    const std::int64_t shortest = give_.small_tiles ? 1 : std::max(std::int64_t{1}, machine_.rows);
    for (std::int64_t most = machine_.accumulators; most >= 1; most /= 2) {
        if (limits.m_streams) {
            add({even(plan.block_m, most), outputs});
        } else {
            const std::int64_t all = std::min(plan.block_n, view_.group_outputs());
            add({std::min(limits.m, plan.block_m), even(all, std::min(most, limits.n))});
        }
        if (most < shortest) {
            break;
        }
    }
    return sizes;
}

Buffers MatrixSearch::buffers_of(const LayerPlan& plan, const Loops& loops) const {
    const std::int64_t unit = machine_.alignment;
    const std::int64_t b = numerics::bytes_of(view_.format);
    const std::int64_t tile = checked_multiply(plan.tile_m, plan.tile_n);
    const std::int64_t tiles = loops.m_tiles * loops.n_tiles;
    Buffers buffers;
    buffers.alignment = unit;
    buffers.weights.slot_bytes =
        align_up(checked_multiply(plan.tile_k / plan.pack, plan.tile_n) * b, unit);
    buffers.weights.slots = weight_slots(plan, loops, give_.slots > 1).least;
    if (!site_.tensors.front().on_chip) {
        const std::int64_t channels = plan.slice > 0 ? plan.pack * plan.slice : view_.channels;
        std::int64_t rows = 0;
        for (const Share& share : plan.shares) {
            rows = std::max(rows, rows_of_blocks(view_, share.m, plan.block_m).most);
        }
        const std::int64_t panels =
            plan.slice > 0 ? loops.m_blocks * loops.n_tiles * loops.slices : loops.m_blocks;
        buffers.input.slot_bytes =
            align_up(checked_multiply(checked_multiply(rows, view_.width), channels * b), unit);
        buffers.input.slots = std::min(give_.slots, panels);
    }
    if (const std::int64_t slot = parameter_slot(site_, plan.tile_n); slot > 0) {
        const std::int64_t all = checked_multiply(slot, loops.n_tiles);
        buffers.parameters.slot_bytes = slot;
        buffers.parameters.slots = give_.slots > 1 && all <= machine_.scratchpad / 8
                                       ? loops.n_tiles
                                       : std::min(give_.slots, loops.n_tiles);
    }
    if (const std::int64_t slot = operand_slot(site_, tile); slot > 0) {
        buffers.operands.slot_bytes = slot;
        buffers.operands.slots = std::min(give_.slots, tiles);
    }
    if (!site_.output.on_chip && !site_.op->raw_sums) {
        buffers.output.slot_bytes =
            align_up(tile * numerics::bytes_of(site_.result().format), unit);
        buffers.output.slots = std::min(give_.slots, tiles);
    }
    return buffers;
}

}  // namespace systole::mapping
