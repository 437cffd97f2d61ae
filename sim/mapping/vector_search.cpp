#include "models/base/interruption.hpp"
#include "sim/mapping/matrix_cost.hpp"
#include "sim/mapping/plan.hpp"

#include <algorithm>

namespace systole::mapping {
namespace {

using models::VectorOp;

bool has_softmax(const Operator& op) {
    return std::any_of(op.steps.begin(), op.steps.end(),
                       [](const ElementStep& step) { return step.op == VectorOp::softmax; });
}

/// Blocks of rows × columns that go through the vector unit one after the other.
class VectorSearch {
public:
    VectorSearch(const Site& site, int cores, Shortage& shortage)
        : site_{site},
          op_{*site.op},
          machine_{*site.machine},
          cores_{cores},
          pool_{site.op->kind == Operator::Kind::pool},
          extent_{extent_of(*site.graph, *site.op)},
          shortage_{shortage} {}

    [[nodiscard]] std::optional<LayerPlan> run();

private:
    void split();
    void consider(std::int64_t rows, std::int64_t cols);
    [[nodiscard]] bool countable() const;
    [[nodiscard]] Buffers buffers_of() const;
    void assess();
    [[nodiscard]] Traffic traffic_of(const Share& share) const;

    const Site& site_;
    const Operator& op_;
    const Machine& machine_;
    int cores_;
    bool pool_;
    Extent extent_;
    Shortage& shortage_;
    std::int64_t slots_ = 2;
    LayerPlan plan_;
    std::optional<LayerPlan> best_;
};

void VectorSearch::split() {
    plan_.shares.clear();
    const bool by_columns =
        !pool_ && extent_.rows < cores_ && extent_.cols > 1 && !has_softmax(op_);
    if (by_columns) {
        for (const Range& n : cut_over(cores_, extent_.cols, 1)) {
            plan_.shares.push_back({{0, extent_.rows}, n});
        }
    } else {
        for (const Range& m : cut_over(cores_, extent_.rows, pool_ ? op_.view.out_width : 1)) {
            plan_.shares.push_back({m, {0, extent_.cols}});
        }
    }
    plan_.split = by_columns ? Split::outputs : Split::rows;
}

std::optional<LayerPlan> VectorSearch::run() {
    split();
    const Share& share = plan_.shares.front();
    std::vector<std::int64_t> rows;
    if (const auto fixed = requested(op_, &MappingRequest::rows)) {
        rows = {std::min(*fixed, share.m.size())};
    } else {
        const std::int64_t width = pool_ ? op_.view.out_width : 1;
        for (const std::int64_t blocks : block_sizes(ceil_div(share.m.size(), width))) {
            rows.push_back(std::min(share.m.size(), blocks * width));
        }
        if (width > 1) {
            rows.push_back(1);
        }
    }
    const auto fixed_cols = requested(op_, &MappingRequest::outputs);
    for (slots_ = 2; slots_ >= 1 && !best_; --slots_) {
        const auto widths = has_softmax(op_) ? std::vector{share.n.size()}
                            : fixed_cols     ? std::vector{std::min(*fixed_cols, share.n.size())}
                                             : block_sizes(share.n.size());
        for (const std::int64_t cols : widths) {
            for (const std::int64_t block : rows) {
                consider(block, cols);
            }
            if (best_) {
                break;  // whole rows fit: columns need no cutting
            }
        }
    }
    return best_;
}

bool VectorSearch::countable() const {
    const Share& share = plan_.shares.front();
    const double tiles = static_cast<double>(ceil_div(share.m.size(), plan_.tile_m)) *
                         static_cast<double>(ceil_div(share.n.size(), plan_.tile_n));
    return tiles * cores_ <= static_cast<double>(instruction_limit);
}

Buffers VectorSearch::buffers_of() const {
    const std::int64_t unit = machine_.alignment;
    const std::int64_t b = numerics::bytes_of(site_.input().format);
    const Share& share = plan_.shares.front();
    const std::int64_t tile = checked_multiply(plan_.tile_m, plan_.tile_n);
    const std::int64_t n_tiles = ceil_div(share.n.size(), plan_.tile_n);
    const std::int64_t slots = std::min(slots_, ceil_div(share.m.size(), plan_.tile_m) * n_tiles);
    Buffers buffers;
    buffers.alignment = unit;
    if (!site_.tensors.front().on_chip) {
        std::int64_t elements_of_tile = tile;
        if (pool_) {
            std::int64_t rows = 0;
            for (const Share& each : plan_.shares) {
                rows = std::max(rows, rows_of_blocks(op_.view, each.m, plan_.tile_m).most);
            }
            elements_of_tile = checked_multiply(rows * op_.view.width, plan_.tile_n);
        }
        buffers.input = {align_up(elements_of_tile * b, unit), slots, 0};
    }
    if (const std::int64_t slot = parameter_slot(site_, plan_.tile_n); slot > 0) {
        const bool all = slots_ > 1 && slot * n_tiles <= machine_.scratchpad / 8;
        buffers.parameters = {slot, all ? n_tiles : std::min(slots_, n_tiles), 0};
    }
    if (const std::int64_t slot = operand_slot(site_, tile); slot > 0) {
        buffers.operands = {slot, slots, 0};
    }
    if (!site_.output.on_chip) {
        buffers.output = {align_up(tile * numerics::bytes_of(site_.result().format), unit), slots,
                          0};
    }
    return buffers;
}

Traffic VectorSearch::traffic_of(const Share& share) const {
    const std::int64_t elements_of_share = checked_multiply(share.m.size(), share.n.size());
    Traffic traffic = operand_traffic(site_, elements_of_share);
    if (!site_.tensors.front().on_chip) {
        const std::int64_t b = numerics::bytes_of(site_.input().format);
        traffic.input = elements_of_share * b;
        if (pool_) {
            const std::int64_t rows = rows_of_blocks(op_.view, share.m, plan_.tile_m).total;
            traffic.input = checked_multiply(rows * op_.view.width, share.n.size() * b);
        }
        traffic.shared += site_.tensors.front().shared ? traffic.input : 0;
    }
    const std::int64_t m_tiles = ceil_div(share.m.size(), plan_.tile_m);
    const std::int64_t n_tiles = ceil_div(share.n.size(), plan_.tile_n);
    const bool held = plan_.buffers.parameters.slots >= n_tiles;
    traffic.weights = parameter_bytes(*site_.graph, op_) * share.n.size() * (held ? 1 : m_tiles);
    if (site_.store_output) {
        traffic.output = elements_of_share * numerics::bytes_of(site_.result().format);
        traffic.shared += site_.output.shared ? traffic.output : 0;
    }
    return traffic;
}

void VectorSearch::assess() {
    plan_.traffic = {};
    std::int64_t tiles = 0;
    for (const Share& share : plan_.shares) {
        if (share.empty()) {
            continue;
        }
        plan_.traffic.add(traffic_of(share));
        tiles += ceil_div(share.m.size(), plan_.tile_m) * ceil_div(share.n.size(), plan_.tile_n);
    }
    plan_.instructions = checked_multiply(tiles, site_.store_output ? 2 : 1);
    add_on_demand(site_, plan_.traffic);
    const Share& share = plan_.shares.front();
    const std::int64_t share_tiles =
        ceil_div(share.m.size(), plan_.tile_m) * ceil_div(share.n.size(), plan_.tile_n);
    const std::int64_t each = vector_cycles(site_, plan_.tile_m, plan_.tile_n);
    // A slot is filled again when what came before has been worked on, so each tile pays the way
    // to the memory, shared among the slots; the first load and the last store have no company.
    const int cores = cores_at_work(plan_);
    const std::int64_t moving = transfer_cycles(site_, plan_.traffic, cores);
    const std::int64_t moved = plan_.traffic.off_chip() + plan_.traffic.shared;
    const MemoryPath& way = plan_.traffic.shared < moved ? machine_.dram : machine_.shared;
    const std::int64_t transfer = moved == 0 ? 0 : way.latency + ceil_div(moving * cores, tiles);
    const std::int64_t turn = std::max(each, ceil_div(each + transfer, slots_));
    const std::int64_t cycles = std::max(share_tiles * turn, moving) + each + transfer;
    plan_.cost = {plan_.traffic.off_chip(), cycles, plan_.traffic.shared, tiles,
                  plan_.buffers.bytes()};
}

void VectorSearch::consider(std::int64_t rows, std::int64_t cols) {
    check_stop(site_.stop, "while the layers were mapped");
    plan_.block_m = plan_.tile_m = rows;
    plan_.block_n = plan_.tile_n = cols;
    plan_.slice = pool_ && cols < extent_.cols && !site_.tensors.front().on_chip ? cols : 0;
    if (!countable()) {
        shortage_.too_many_instructions = true;
        return;
    }
    auto placed = place(buffers_of(), 0, site_, shortage_);
    if (!placed) {
        return;
    }
    plan_.buffers = *placed;
    assess();
    if (!best_ || plan_.cost < best_->cost) {
        best_ = plan_;
    }
}

}  // namespace

std::optional<LayerPlan> plan_vector(const Site& site, int cores, Shortage& shortage) {
    return VectorSearch{site, cores, shortage}.run();
}

}  // namespace systole::mapping
