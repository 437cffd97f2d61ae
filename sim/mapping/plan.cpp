#include "sim/mapping/plan.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace systole::mapping {

Extent extent_of(const Graph& graph, const Operator& op) {
    if (op.kind != Operator::Kind::elementwise) {
        return {op.view.rows(),
                op.kind == Operator::Kind::pool ? op.view.channels : op.view.out_channels};
    }
    const Shape& shape = graph.tensor(op.output).shape;
    const std::int64_t cols = shape.empty() ? 1 : shape.back();
    return {elements(shape) / cols, cols};
}

bool takes_columns(const ElementStep& step) {
    return step.op == models::VectorOp::add_columns || step.op == models::VectorOp::scale_columns;
}

std::int64_t parameter_bytes(const Graph& graph, const Operator& op) {
    std::int64_t bytes = 0;
    for (const ElementStep& step : op.steps) {
        if (step.operand && takes_columns(step)) {
            bytes += numerics::bytes_of(graph.tensor(*step.operand).format);
        }
    }
    return bytes;
}

std::int64_t parameter_slot(const Site& site, std::int64_t cols) {
    std::int64_t bytes = 0;
    for (const ElementStep& step : site.op->steps) {
        if (step.operand && takes_columns(step)) {
            bytes += align_up(cols * numerics::bytes_of(site.tensor(*step.operand).format),
                              site.machine->alignment);
        }
    }
    return bytes;
}

std::int64_t operand_slot(const Site& site, std::int64_t elements_of_tile) {
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < site.op->steps.size(); ++i) {
        const ElementStep& step = site.op->steps[i];
        if (step.operand && !takes_columns(step) && !site.tensors[i + 1].on_chip) {
            bytes +=
                align_up(elements_of_tile * numerics::bytes_of(site.tensor(*step.operand).format),
                         site.machine->alignment);
        }
    }
    return bytes;
}

void Traffic::add(const Traffic& more) {
    input = checked_add(input, more.input);
    operands = checked_add(operands, more.operands);
    weights = checked_add(weights, more.weights);
    output = checked_add(output, more.output);
    shared = checked_add(shared, more.shared);
}

Traffic operand_traffic(const Site& site, std::int64_t elements_of_share) {
    Traffic traffic;
    for (std::size_t i = 0; i < site.op->steps.size(); ++i) {
        const ElementStep& step = site.op->steps[i];
        const Residence& residence = site.tensors[i + 1];
        if (step.operand && !takes_columns(step) && !residence.on_chip) {
            const std::int64_t bytes =
                elements_of_share * numerics::bytes_of(site.tensor(*step.operand).format);
            traffic.operands += bytes;
            traffic.shared += residence.shared ? bytes : 0;
        }
    }
    return traffic;
}

void add_on_demand(const Site& site, Traffic& traffic) {
    const auto on_demand = bytes_on_demand(site);
    for (std::size_t i = 0; i < site.tensors.size(); ++i) {
        if (site.tensors[i].on_chip) {
            (i == 0 ? traffic.input : traffic.operands) += on_demand[i];
        }
    }
}

std::int64_t bytes_needed(const Graph& graph, const Operator& op) {
    const Tensor& input = graph.tensor(op.inputs.front());
    if (op.kind == Operator::Kind::elementwise) {
        return input.bytes();
    }
    const Range rows = input_rows(op.view, {0, op.view.rows()});
    return rows.end * op.view.width * op.view.channels * numerics::bytes_of(input.format);
}

std::vector<std::int64_t> bytes_on_demand(const Site& site) {
    std::vector<std::int64_t> bytes(site.tensors.size(), 0);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const bool first = i == 0;
        if (!first && (!site.op->steps[i - 1].operand || takes_columns(site.op->steps[i - 1]))) {
            continue;
        }
        const TensorId id =
            first ? site.op->inputs.front() : site.op->steps[i - 1].operand.value_or(-1);
        std::int64_t loaded = site.tensors[i].loaded;
        for (std::size_t j = 0; j < i; ++j) {
            const bool again =
                j == 0 ? id == site.op->inputs.front() : site.op->steps[j - 1].operand == id;
            if (again) {
                loaded = std::max(loaded, site.tensor(id).bytes());
            }
        }
        const std::int64_t needed =
            first ? bytes_needed(*site.graph, *site.op) : site.tensor(id).bytes();
        bytes[i] = std::max(std::int64_t{0}, needed - loaded);
    }
    return bytes;
}

namespace {

std::optional<Buffers> place_in(Buffers buffers, std::int64_t most_weights, std::vector<Gap> gaps,
                                Shortage& shortage) {
    std::int64_t room = 0;
    for (const Gap& gap : gaps) {
        room += gap.end - gap.first;
    }
    const std::int64_t lacking = std::max(std::int64_t{1}, buffers.bytes() - room);
    const auto lacks = [&] {
        shortage.scratchpad = std::min(shortage.scratchpad, lacking);
        return std::nullopt;
    };
    if (buffers.bytes() > room) {
        return lacks();
    }
    std::array<Ring*, 4> rings{&buffers.input, &buffers.operands, &buffers.output,
                               &buffers.parameters};
    // Equal ones keep their order in the array, which is that in memory.
    std::sort(rings.begin(), rings.end(), [](const Ring* a, const Ring* b) {
        return std::tuple{-a->bytes(), a} < std::tuple{-b->bytes(), b};
    });
    for (Ring* ring : rings) {
        if (ring->slots == 0) {
            continue;
        }
        const auto address = take(gaps, ring->bytes());
        if (!address) {
            return lacks();
        }
        ring->address = *address;
    }
    if (buffers.weights.slots == 0) {
        return buffers;
    }
    // The weights take the upper end of the largest gap: the weights of successive operators then
    // lie over each other, and the next operator's follow tile by tile as these are used up.
    const auto widest = std::max_element(gaps.begin(), gaps.end(), [](const Gap& a, const Gap& b) {
        return a.end - a.first <= b.end - b.first;
    });
    const std::int64_t slot = buffers.weights.slot_bytes;
    const std::int64_t end = widest == gaps.end() ? 0 : widest->end;
    const std::int64_t free = widest == gaps.end() ? 0 : end - widest->first;
    const std::int64_t slots = std::min(most_weights, free / slot);
    if (slots < buffers.weights.slots) {
        return lacks();
    }
    buffers.weights.slots = slots;
    buffers.weights.address =
        widest->first + (free - slots * slot) / buffers.alignment * buffers.alignment;
    return buffers;
}

}  // namespace

std::optional<Buffers> place(const Buffers& buffers, std::int64_t most_weights, const Site& site,
                             Shortage& shortage) {
    Shortage ignored;
    if (auto calm = place_in(buffers, most_weights, site.calm_gaps, ignored)) {
        return calm;
    }
    return place_in(buffers, most_weights, site.gaps, shortage);
}

std::vector<Range> cut_over(int cores, std::int64_t total, std::int64_t unit) {
    const std::int64_t part = ceil_div(ceil_div(total, unit), cores) * unit;
    std::vector<Range> ranges;
    for (int core = 0; core < cores; ++core) {
        const std::int64_t first = std::min(total, core * part);
        ranges.push_back({first, std::min(total, first + part)});
    }
    return ranges;
}

void choose(std::optional<LayerPlan>& best, std::optional<LayerPlan> plan) {
    const auto quickness = [](const LayerPlan& each) {
        return std::tuple{each.cost.about(), each.cost.bytes, each.cost.tiles, each.cost.cycles};
    };
    if (plan && (!best || quickness(*plan) < quickness(*best))) {
        best = std::move(plan);
    }
}

std::optional<LayerPlan> plan_operator(const Site& site, Shortage& shortage) {
    std::vector<int> counts;
    if (const auto wanted = requested(*site.op, &MappingRequest::cores)) {
        counts = {static_cast<int>(std::min<std::int64_t>(*wanted, site.cores))};
    } else {
        for (int cores = site.cores; cores >= 1; cores /= 2) {
            counts.push_back(cores);
        }
    }
    std::optional<LayerPlan> best;
    for (const int cores : counts) {
        choose(best, site.op->kind == Operator::Kind::matrix ? plan_matrix(site, cores, shortage)
                                                             : plan_vector(site, cores, shortage));
    }
    if (best) {
        best->shares.resize(static_cast<std::size_t>(site.machine->cores));
    }
    return best;
}

std::int64_t vector_cycles(const Site& site, std::int64_t rows, std::int64_t cols) {
    const auto& vector = site.machine->vector;
    if (!vector.lanes) {
        return 0;
    }
    const std::int64_t elements_of_tile = checked_multiply(rows, cols);
    std::int64_t cycles = 1;
    for (const ElementStep& step : site.op->steps) {
        const auto& timing = vector.operations[step.op];
        const bool pool =
            step.op == models::VectorOp::max_pool || step.op == models::VectorOp::average_pool;
        const std::int64_t worked =
            checked_multiply(elements_of_tile, pool ? taps(site.op->view) : 1);
        cycles +=
            timing.latency + checked_multiply(ceil_div(worked, *vector.lanes), timing.interval);
    }
    const std::int64_t from_accumulators = site.op->kind == Operator::Kind::matrix ? rows : 0;
    const std::int64_t bytes = elements_of_tile * numerics::bytes_of(site.result().format);
    return std::max({cycles, from_accumulators, ceil_div(bytes, site.machine->width)});
}

std::int64_t transfer_cycles(const Site& site, const Traffic& traffic, int cores) {
    return std::max(site.machine->dram.cycles(traffic.off_chip(), cores),
                    site.machine->shared.cycles(traffic.shared, cores));
}

int cores_at_work(const LayerPlan& plan) {
    return static_cast<int>(std::count_if(plan.shares.begin(), plan.shares.end(),
                                          [](const Share& share) { return !share.empty(); }));
}

}  // namespace systole::mapping
