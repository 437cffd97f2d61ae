#include "sim/mapping/matrix_cost.hpp"
#include "sim/mapping/plan.hpp"

#include <algorithm>
#include <utility>

namespace systole::mapping {
namespace {

/// How much a search gives up to make a layer fit.
struct Concessions {
    std::int64_t slots = 2;    ///< of each streaming buffer
    bool slice = false;        ///< panels hold a part of the channels
    bool small_tiles = false;  ///< tiles smaller than the array
};

struct TileSize {
    std::int64_t m = 0;
    std::int64_t n = 0;
};

/// The largest sizes a tile may have on the unit.
struct TileLimits {
    std::int64_t m = 0;
    std::int64_t n = 0;
    std::int64_t k = 0;
    bool m_streams = false;  ///< m has no stationary side: it may be as long as the accumulators
    bool n_streams = false;
};

class MatrixSearch {
public:
    MatrixSearch(const Site& site, Shortage& shortage)
        : site_{site},
          machine_{*site.machine},
          view_{site.op->view},
          shortage_{shortage} {}

    [[nodiscard]] std::optional<LayerPlan> run();

private:
    [[nodiscard]] TileLimits limits() const;
    void try_splits();
    void try_packs(LayerPlan plan);
    void try_depths(LayerPlan plan, TileLimits limits);
    void try_whole_panels(LayerPlan plan, const TileLimits& limits);
    void try_rows(LayerPlan plan, const TileLimits& limits);
    void try_slices(LayerPlan plan, const TileLimits& limits);
    [[nodiscard]] bool try_tiles(const LayerPlan& plan, const TileLimits& limits);
    [[nodiscard]] bool consider(LayerPlan plan);
    [[nodiscard]] bool countable(const LayerPlan& plan, const Share& share);
    [[nodiscard]] std::vector<TileSize> tile_sizes(const LayerPlan& plan,
                                                   const TileLimits& limits) const;
    [[nodiscard]] std::vector<std::int64_t> n_blocks(const LayerPlan& plan,
                                                     const TileLimits& limits) const;
    [[nodiscard]] std::vector<std::int64_t> m_blocks(const Share& share) const;
    [[nodiscard]] Buffers buffers_of(const LayerPlan& plan, const Loops& loops) const;
    [[nodiscard]] std::optional<std::int64_t> requested_rows() const;
    [[nodiscard]] std::optional<std::int64_t> requested_outputs() const;

    const Site& site_;
    const Machine& machine_;
    const ConvView& view_;
    Shortage& shortage_;
    Concessions give_;
    std::optional<LayerPlan> best_;
};

std::optional<std::int64_t> MatrixSearch::requested_rows() const {
    return requested(*site_.op, &MappingRequest::rows);
}

std::optional<std::int64_t> MatrixSearch::requested_outputs() const {
    return requested(*site_.op, &MappingRequest::outputs);
}

std::optional<LayerPlan> MatrixSearch::run() {
    if (machine_.accumulators < 1) {
        shortage_.accumulators = true;
        return std::nullopt;
    }
    for (const Concessions& give : {Concessions{2, false, false}, Concessions{2, true, false},
                                    Concessions{1, true, false}, Concessions{1, true, true}}) {
        give_ = give;
        try_splits();
        if (best_) {
            break;
        }
    }
    return best_;
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
        for (const std::int64_t slice : slices) {
            plan.slice = slice;
            plan.tile_k = plan.pack > 1 ? tile_k : std::min(tile_k, slice * taps(view_));
            bool fits = false;
            for (const std::int64_t rows : m_blocks(plan.shares.front())) {
                plan.block_m = rows;
                if (rows <= limits.m && try_tiles(plan, limits)) {
                    fits = true;
                    break;
                }
            }
            if (fits) {
                break;
            }
        }
    }
}

std::vector<TileSize> MatrixSearch::tile_sizes(const LayerPlan& plan,
                                               const TileLimits& limits) const {
    const std::int64_t outputs = plan.pack > 1 ? limits.n : std::min(limits.n, plan.block_n);
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
            add({ceil_div(plan.block_m, ceil_div(plan.block_m, most)), outputs});
        } else {
            const std::int64_t all = std::min(plan.block_n, view_.group_outputs());
            add({std::min(limits.m, plan.block_m),
                 ceil_div(all, ceil_div(all, std::min(most, limits.n)))});
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
        buffers.parameters.slots =
            all <= machine_.scratchpad / 8 ? loops.n_tiles : std::min(give_.slots, loops.n_tiles);
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
    auto placed = place(buffers_of(plan, loops), slots.most, site_.gaps, shortage_);
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

}  // namespace

std::optional<LayerPlan> plan_matrix(const Site& site, Shortage& shortage) {
    return MatrixSearch{site, shortage}.run();
}

}  // namespace systole::mapping
