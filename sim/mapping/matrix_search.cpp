#include "sim/mapping/matrix_search.hpp"

#include "models/base/interruption.hpp"

#include <algorithm>
#include <utility>

namespace systole::mapping {

std::optional<LayerPlan> MatrixSearch::run() {
    if (machine_.accumulators < 1) {
        shortage_.accumulators = true;
        return std::nullopt;
    }
    LayerPlan plan;
    plan.split = split_;
    plan.shares = shares();
    const std::int64_t compulsory = compulsory_bytes(plan.shares);
    std::optional<LayerPlan> best;
    for (const Concessions& give : {Concessions{2, false}, Concessions{2, true},
                                    Concessions{1, false}, Concessions{1, true}}) {
        give_ = give;
        best_.reset();
        for (const bool slice : {false, true}) {
            slice_ = slice;
            if (!best_ || best_->cost.bytes > compulsory) {
                try_packs(plan);
            }
        }
        // What is given up costs cycles, but leaves room for blocks that may move fewer bytes.
        choose(best, std::move(best_));
        if (best && best->cost.bytes <= compulsory) {
            break;
        }
    }
    return best;
}

std::vector<Share> MatrixSearch::shares() const {
    const std::int64_t rows = view_.rows();
    std::vector<Share> shares;
    if (split_ == Split::rows) {
        // Whole output rows go to a core, so that each loads as few input rows twice as can be.
        for (const Range& m : cut_over(cores_, rows, view_.out_width)) {
            shares.push_back({m, {0, view_.out_channels}});
        }
        return shares;
    }
    const std::int64_t part = ceil_div(view_.out_channels, cores_);
    const std::int64_t unit = view_.groups > 1        ? view_.group_outputs()
                              : part >= machine_.cols ? machine_.cols
                                                      : 1;
    for (const Range& n : cut_over(cores_, view_.out_channels, unit)) {
        shares.push_back({{0, rows}, n});
    }
    return shares;
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
            if (slice_ && !site_.tensors.front().on_chip) {
                try_slices(plan, limits);
            } else {
                try_whole_panels(plan, limits);
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
    std::optional<std::int64_t> least;
    for (const std::int64_t rows : m_blocks(plan.shares.front())) {
        plan.block_m = rows;
        const auto bytes = try_tiles(plan, limits);
        if (least && bytes.value_or(*least) > *least) {
            return;  // still smaller blocks move no fewer
        }
        least = least ? least : bytes;
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
        std::optional<std::int64_t> least;
        for (const std::int64_t rows : m_blocks(plan.shares.front())) {
            if (rows > limits.m) {
                continue;
            }
            plan.block_m = rows;
            std::optional<std::int64_t> bytes;
            for (const std::int64_t slice : slices) {
                plan.slice = slice;
                plan.tile_k = plan.pack > 1 ? tile_k : std::min(tile_k, slice * taps(view_));
                bytes = try_tiles(plan, limits);
                if (bytes) {
                    break;
                }
            }
            if (least && bytes.value_or(*least) > *least) {
                break;  // still smaller blocks move no fewer
            }
            least = least ? least : bytes;
        }
    }
}

bool MatrixSearch::countable(const LayerPlan& plan, const Share& share) {
    // Before any loop over the blocks: there may be very many.
    const double tiles = static_cast<double>(ceil_div(share.m.size(), plan.tile_m)) *
                         static_cast<double>(ceil_div(share.n.size(), plan.tile_n)) *
                         static_cast<double>(ceil_div(weight_rows(view_), plan.tile_k));
    const double blocks = static_cast<double>(ceil_div(share.m.size(), plan.block_m));
    if (std::max(tiles, blocks) * cores_ > static_cast<double>(instruction_limit)) {
        shortage_.too_many_instructions = true;
        return false;
    }
    return true;
}

std::optional<std::int64_t> MatrixSearch::try_tiles(const LayerPlan& plan,
                                                    const TileLimits& limits) {
    std::optional<std::int64_t> least;
    for (const TileSize& size : tile_sizes(plan, limits)) {
        LayerPlan sized = plan;
        sized.tile_m = size.m;
        sized.tile_n = size.n;
        if (sized.slice > 0) {
            sized.block_n = size.n;
        }
        const auto bytes = consider(std::move(sized));
        least = least && bytes ? std::min(*least, *bytes) : least ? least : bytes;
    }
    return least;
}

std::optional<std::int64_t> MatrixSearch::consider(LayerPlan plan) {
    check_stop(site_.stop, "while the layers were mapped");
    const Share& share = plan.shares.front();
    if (!countable(plan, share)) {
        return std::nullopt;
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
        return std::nullopt;
    }
    plan.buffers = *placed;
    assess_matrix(site_, plan);
    const std::int64_t bytes = plan.cost.bytes;
    if (cores_ > 1) {
        choose(best_, std::move(plan));
    } else if (!best_ || plan.cost < best_->cost) {
        best_ = std::move(plan);
    }
    return bytes;
}

std::optional<LayerPlan> plan_matrix(const Site& site, int cores, Shortage& shortage) {
    auto best = MatrixSearch{site, cores, Split::rows, shortage}.run();
    if (cores > 1) {
        choose(best, MatrixSearch{site, cores, Split::outputs, shortage}.run());
    }
    return best;
}

}  // namespace systole::mapping
