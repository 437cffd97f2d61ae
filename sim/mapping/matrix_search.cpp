#include "sim/mapping/matrix_search.hpp"

#include <algorithm>
#include <utility>

namespace systole::mapping {

std::optional<LayerPlan> MatrixSearch::run() {
    if (machine_.accumulators < 1) {
        shortage_.accumulators = true;
        return std::nullopt;
    }
    for (const Concessions& give : {Concessions{2, false, false}, Concessions{2, true, false},
                                    Concessions{1, true, false}, Concessions{1, true, true}}) {
        give_ = give;
        try_splits();
        // Whole panels leave less room for other blocks: slices may yet move fewer bytes.
        if (best_ && (give.slice || best_->cost.bytes <= compulsory_bytes(*best_))) {
            break;
        }
    }
    return best_;
}

void MatrixSearch::try_splits() {
    const std::int64_t rows = view_.rows();
    LayerPlan plan;
    // Whole output rows go to a core, so that each loads as few input rows twice as can be.
    for (const Range& m : cut_over(machine_.cores, rows, view_.out_width)) {
        plan.shares.push_back({m, {0, view_.out_channels}});
    }
    plan.split = machine_.cores > 1 ? "rows" : "";
    try_packs(plan);
    if (machine_.cores > 1) {
        const std::int64_t part = ceil_div(view_.out_channels, machine_.cores);
        const std::int64_t unit = view_.groups > 1        ? view_.group_outputs()
                                  : part >= machine_.cols ? machine_.cols
                                                          : 1;
        plan.shares.clear();
        for (const Range& n : cut_over(machine_.cores, view_.out_channels, unit)) {
            plan.shares.push_back({{0, rows}, n});
        }
        plan.split = "outputs";
        try_packs(plan);
    }
}

void MatrixSearch::try_packs(LayerPlan plan) {
    const TileLimits most = limits();
    std::vector<std::int64_t> packs{1};
    if (view_.groups > 1 && machine_.unit != Machine::Unit::simt) {
        const std::int64_t by_outputs = most.n / view_.group_outputs();
        const std::int64_t wide =
            std::min({view_.groups, by_outputs, most.k / view_.group_channels()});
        const std::int64_t deep = std::min({view_.groups, by_outputs, most.k / weight_rows(view_)});
        for (const std::int64_t pack : {wide, deep}) {
            if (pack > 1 && packs.back() != pack) {
                packs.push_back(pack);
            }
        }
    }
    for (const std::int64_t pack : packs) {
        plan.pack = pack;
        try_depths(plan, most);
    }
}

void MatrixSearch::try_depths(LayerPlan plan, TileLimits limits) {
    const std::int64_t group_outputs = view_.group_outputs();
    const std::int64_t pack_channels = plan.pack * view_.group_channels();
    limits.n = plan.pack > 1 ? plan.pack * group_outputs : std::min(limits.n, group_outputs);
    // A pack walks whole taps, so that no weight row belongs to two tiles.
    const std::int64_t unit = plan.pack > 1 ? pack_channels : 1;
    const std::int64_t whole = taps(view_) * pack_channels;
    const std::int64_t deepest = std::min(limits.k, whole) / unit;
    const bool shorten = give_.small_tiles || !machine_.stationary();
    const auto depths = shorten ? block_sizes(deepest) : std::vector{deepest};
    const auto widths =
        give_.small_tiles && plan.pack == 1 ? block_sizes(limits.n) : std::vector{limits.n};
    for (const std::int64_t depth : depths) {
        plan.tile_k = depth * unit;
        for (const std::int64_t width : widths) {
            limits.n = width;
            if (give_.slice && !site_.tensors.front().on_chip) {
                try_slices(plan, limits);
            } else {
                try_whole_panels(plan, limits);
            }
            if (best_ && give_.small_tiles) {
                return;
            }
        }
    }
}

void MatrixSearch::try_whole_panels(LayerPlan plan, const TileLimits& limits) {
    for (const LoopOrder order : {LoopOrder::rows_outer, LoopOrder::outputs_outer}) {
        if (requested(*site_.op, &MappingRequest::order).value_or(order) != order) {
            continue;
        }
        plan.order = order;
        for (const std::int64_t outputs : n_blocks(plan, limits)) {
            plan.block_n = outputs;
            try_rows(plan, limits);
        }
    }
}

void MatrixSearch::try_rows(LayerPlan plan, const TileLimits& limits) {
    for (const std::int64_t rows : m_blocks(plan.shares.front())) {
        plan.block_m = rows;
        if (try_tiles(plan, limits)) {
            return;  // smaller blocks move no fewer bytes
        }
    }
}

void MatrixSearch::try_slices(LayerPlan plan, const TileLimits& limits) {
    const auto slices =
        plan.pack > 1 ? std::vector{view_.group_channels()} : block_sizes(view_.group_channels());
    const std::int64_t tile_k = plan.tile_k;
    plan.block_n = limits.n;
    if (const auto outputs = requested_outputs(); outputs && plan.pack == 1) {
        plan.block_n = std::min(limits.n, *outputs);
    }
    for (const LoopOrder order : {LoopOrder::outputs_outer, LoopOrder::rows_outer}) {
        if (requested(*site_.op, &MappingRequest::order).value_or(order) != order) {
            continue;
        }
        plan.order = order;
        bool fits = false;
        for (const std::int64_t rows : m_blocks(plan.shares.front())) {
            if (fits || rows > limits.m) {
                continue;  // smaller blocks move no fewer bytes
            }
            plan.block_m = rows;
            for (const std::int64_t slice : slices) {
                plan.slice = slice;
                plan.tile_k = plan.pack > 1 ? tile_k : std::min(tile_k, slice * taps(view_));
                fits = try_tiles(plan, limits);
                if (fits) {
                    break;
                }
            }
        }
    }
}

bool MatrixSearch::countable(const LayerPlan& plan, const Share& share) {
    // Before any loop over the blocks: there may be very many.
    const double tiles = static_cast<double>(ceil_div(share.m.size(), plan.tile_m)) *
                         static_cast<double>(ceil_div(share.n.size(), plan.tile_n)) *
                         static_cast<double>(ceil_div(weight_rows(view_), plan.tile_k));
    const double blocks = static_cast<double>(ceil_div(share.m.size(), plan.block_m));
    if (std::max(tiles, blocks) * machine_.cores > static_cast<double>(instruction_limit)) {
        shortage_.too_many_instructions = true;
        return false;
    }
    return true;
}

bool MatrixSearch::try_tiles(const LayerPlan& plan, const TileLimits& limits) {
    bool fits = false;
    for (const TileSize& size : tile_sizes(plan, limits)) {
        LayerPlan sized = plan;
        sized.tile_m = size.m;
        sized.tile_n = size.n;
        if (sized.slice > 0) {
            sized.block_n = size.n;
        }
        fits = consider(std::move(sized)) || fits;
    }
    return fits;
}

bool MatrixSearch::consider(LayerPlan plan) {
    const Share& share = plan.shares.front();
    if (!countable(plan, share)) {
        return false;
    }
    plan.rows_inner = true;
    Loops loops = loops_of(site_, plan, share);
    if (machine_.unit == Machine::Unit::input_stationary && loops.k_tiles == 1) {
        plan.rows_inner = false;  // the image stays in the array while the weights stream
    }
    plan.accumulator_rows = machine_.transposed() ? plan.tile_n : plan.tile_m;
    plan.accumulator_slots = machine_.accumulators / plan.accumulator_rows;
    const WeightSlots slots = weight_slots(plan, loops, give_.slots > 1);
    auto placed = place(buffers_of(plan, loops), slots.most, site_, shortage_);
    if (!placed) {
        return false;
    }
    plan.buffers = *placed;
    assess_matrix(site_, plan);
    if (!best_ || plan.cost < best_->cost) {
        best_ = std::move(plan);
    }
    return true;
}

std::optional<LayerPlan> plan_matrix(const Site& site, Shortage& shortage) {
    return MatrixSearch{site, shortage}.run();
}

}  // namespace systole::mapping
