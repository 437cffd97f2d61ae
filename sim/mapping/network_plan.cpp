#include "sim/mapping/network_plan.hpp"

#include "sim/mapping/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace systole::mapping {
namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

void add(Cost& sum, const Cost& cost) {
    sum.bytes = checked_add(sum.bytes, cost.bytes);
    sum.shared_bytes = checked_add(sum.shared_bytes, cost.shared_bytes);
    sum.cycles = checked_add(sum.cycles, cost.cycles);
}

class NetworkPlanner {
public:
    NetworkPlanner(const Graph& graph, const Machine& machine, const std::vector<Uses>& uses,
                   const std::atomic<bool>* stop)
        : graph_{graph},
          machine_{machine},
          uses_{uses},
          stop_{stop},
          arena_{machine.scratchpad, machine.alignment} {
        plan_.kept.resize(graph.tensors.size());
        shared_ = share_out(graph, machine.shared_size, plan_.kept, uses);
    }

    [[nodiscard]] NetworkPlan run();

private:
    struct Candidate {
        TensorId tensor = 0;
        std::int64_t saves = 0;  ///< bytes
        bool requested = false;
    };

    void check_requests() const;
    [[nodiscard]] std::vector<Candidate> candidates() const;
    [[nodiscard]] bool pays(const Cost& before, const Cost& after) const;
    [[nodiscard]] bool keep(const Candidate& candidate);
    /// `before`: the plan of the operator before, which is not there yet for the first.
    [[nodiscard]] Site site(int op, const LayerPlan* before) const;
    [[nodiscard]] std::vector<Gap> calm_gaps(int op, const LayerPlan* before) const;
    [[nodiscard]] Residence residence(TensorId tensor, int op) const;
    [[noreturn]] void fail(const Operator& op, const Shortage& shortage) const;
    [[noreturn]] void fail_request(const Operator& op, const std::string& why) const;

    const Graph& graph_;
    const Machine& machine_;
    const std::vector<Uses>& uses_;
    const std::atomic<bool>* stop_;
    Arena arena_;
    NetworkPlan plan_;
    std::vector<std::optional<std::int64_t>> shared_;  ///< per tensor, before any is kept
};

Residence NetworkPlanner::residence(TensorId tensor, int op) const {
    const auto address = plan_.kept[at(tensor)];
    if (!address) {
        return {false, 0, 0, shared_[at(tensor)].has_value()};
    }
    Residence residence{true, *address, 0, false};
    const Uses& uses = uses_[at(tensor)];
    if (uses.producer >= 0) {
        residence.loaded = graph_.tensor(tensor).bytes();
        return residence;
    }
    for (const int consumer : uses.consumers) {
        if (consumer >= op) {
            break;
        }
        const Operator& reader = graph_.operators[at(consumer)];
        const bool as_operand =
            std::any_of(reader.steps.begin(), reader.steps.end(),
                        [&](const ElementStep& step) { return step.operand == tensor; });
        residence.loaded = std::max(residence.loaded, as_operand ? graph_.tensor(tensor).bytes()
                                                                 : bytes_needed(graph_, reader));
    }
    return residence;
}

std::vector<Gap> NetworkPlanner::calm_gaps(int op, const LayerPlan* before) const {
    std::vector<Gap> gaps = arena_.gaps(op);
    if (before == nullptr) {
        return gaps;
    }
    std::int64_t end = 0;
    for (const Gap& free : arena_.gaps(op - 1)) {
        gaps = without(gaps, {end, free.first}, machine_.alignment);
        end = free.end;
    }
    gaps = without(gaps, {end, machine_.scratchpad}, machine_.alignment);
    const Buffers& buffers = before->buffers;
    // The weights go their own way, tile by tile.
    for (const Ring* ring :
         {&buffers.input, &buffers.parameters, &buffers.operands, &buffers.output}) {
        gaps = without(gaps, {ring->address, ring->address + ring->bytes()}, machine_.alignment);
    }
    return gaps;
}

Site NetworkPlanner::site(int op, const LayerPlan* before) const {
    Site site;
    site.graph = &graph_;
    site.op = &graph_.operators[at(op)];
    site.machine = &machine_;
    site.cores = machine_.cores;
    site.stop = stop_;
    site.tensors.push_back(residence(site.op->inputs.front(), op));
    for (const ElementStep& step : site.op->steps) {
        site.tensors.push_back(step.operand && !takes_columns(step) ? residence(*step.operand, op)
                                                                    : Residence{});
    }
    site.output = residence(site.op->output, op);
    const bool holds =
        site.output.on_chip || std::any_of(site.tensors.begin(), site.tensors.end(),
                                           [](const Residence& tensor) { return tensor.on_chip; });
    if (holds) {
        site.cores = 1;  // the others cannot reach its scratchpad
    }
    site.store_output = !site.output.on_chip || site.result().role == Tensor::Role::output;
    site.gaps = arena_.gaps(op);
    site.calm_gaps = calm_gaps(op, before);
    return site;
}

std::vector<NetworkPlanner::Candidate> NetworkPlanner::candidates() const {
    std::vector<Candidate> found;
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
        const Tensor& tensor = graph_.tensors[i];
        const Uses& uses = uses_[i];
        const auto readers = static_cast<std::int64_t>(uses.consumers.size());
        Candidate candidate{static_cast<TensorId>(i), 0, false};
        if (uses.producer >= 0) {
            const Operator& maker = graph_.operators[at(uses.producer)];
            const auto wanted = requested(maker, &MappingRequest::keep_output);
            if (readers == 0 || maker.raw_sums || !wanted.value_or(true)) {
                continue;
            }
            candidate.requested = wanted.has_value();
            const bool stored = tensor.role == Tensor::Role::output;
            candidate.saves = checked_multiply(tensor.bytes(), readers + (stored ? 0 : 1));
        } else if (tensor.role == Tensor::Role::input && readers > 1) {
            candidate.saves = checked_multiply(tensor.bytes(), readers - 1);
        } else {
            continue;
        }
        found.push_back(candidate);
    }
    std::sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
        return std::tuple{!a.requested, -a.saves, a.tensor} <
               std::tuple{!b.requested, -b.saves, b.tensor};
    });
    return found;
}

/// Of one core among several, what the others could have done in the meantime counts too.
bool NetworkPlanner::pays(const Cost& before, const Cost& after) const {
    return std::tie(after.bytes, after.shared_bytes) <
               std::tie(before.bytes, before.shared_bytes) &&
           (machine_.cores == 1 || after.cycles < before.cycles);
}

bool NetworkPlanner::keep(const Candidate& candidate) {
    const Tensor& tensor = graph_.tensor(candidate.tensor);
    const Uses& uses = uses_[at(candidate.tensor)];
    const int first = uses.first();
    const int last = uses.last();
    const auto address = arena_.find(tensor.bytes(), first, last);
    if (!address) {
        return false;
    }
    const Arena before = arena_;
    arena_.hold(*address, tensor.bytes(), first, last);
    plan_.kept[at(candidate.tensor)] = address;
    Cost cost_before{0};
    Cost cost_after{0};
    std::vector<std::pair<Site, LayerPlan>> fresh;
    Shortage shortage;
    for (int op = first; op <= last; ++op) {
        const LayerPlan* previous = op > first  ? &fresh.back().second
                                    : first > 0 ? &plan_.layers[at(first - 1)]
                                                : nullptr;
        Site here = site(op, previous);
        fresh.emplace_back(std::move(here), LayerPlan{});
        auto layer = plan_operator(fresh.back().first, shortage);
        if (!layer) {
            break;
        }
        add(cost_before, plan_.layers[at(op)].cost);
        add(cost_after, layer->cost);
        fresh.back().second = std::move(*layer);
        if (op == last && (candidate.requested || pays(cost_before, cost_after))) {
            for (std::size_t i = 0; i < fresh.size(); ++i) {
                plan_.sites[at(first) + i] = std::move(fresh[i].first);
                plan_.layers[at(first) + i] = std::move(fresh[i].second);
            }
            return true;
        }
    }
    arena_ = before;
    plan_.kept[at(candidate.tensor)].reset();
    return false;
}

void NetworkPlanner::fail(const Operator& op, const Shortage& shortage) const {
    const bool bound = op.mapping && (op.mapping->rows || op.mapping->outputs || op.mapping->order);
    const SourceLocation& where = bound ? op.mapping->where : op.where;
    const std::string of = bound ? fmt::format("the mapping of layer '{}'", op.name)
                                 : fmt::format("layer '{}'", op.name);
    if (shortage.accumulators) {
        throw InputError{{{where,
                           fmt::format("{} does not fit chip '{}': the accumulators hold no row "
                                       "of sums",
                                       of, machine_.name),
                           fmt::format("core.matrix.accumulators must be at least 1, {} bytes",
                                       4 * machine_.cols)}}};
    }
    if (shortage.scratchpad == std::numeric_limits<std::int64_t>::max()) {
        throw InputError{{{where,
                           fmt::format("{} needs more than {} instructions on chip '{}'", of,
                                       instruction_limit, machine_.name),
                           "a larger array, or more accumulators, allow larger tiles"}}};
    }
    throw InputError{{{where,
                       fmt::format("{} does not fit chip '{}': the scratchpad of {} bytes is at "
                                   "least {} bytes too small",
                                   of, machine_.name, machine_.scratchpad, shortage.scratchpad),
                       bound ? "leave the mapping out, or give it smaller blocks"
                             : "enlarge core.scratchpad.size"}}};
}

void NetworkPlanner::fail_request(const Operator& op, const std::string& why) const {
    const MappingRequest request = op.mapping.value_or(MappingRequest{});
    throw InputError{{{request.where,
                       fmt::format("the output of layer '{}' cannot be kept on chip '{}': {}",
                                   op.name, machine_.name, why),
                       "leave keep_output out"}}};
}

void NetworkPlanner::check_requests() const {
    for (const Operator& op : graph_.operators) {
        const std::int64_t cores = requested(op, &MappingRequest::cores).value_or(1);
        if (cores > machine_.cores) {
            throw InputError{{{op.mapping.value_or(MappingRequest{}).where,
                               fmt::format("layer '{}' is mapped on {} cores, but chip '{}' has {}",
                                           op.name, cores, machine_.name, machine_.cores),
                               fmt::format("cores must be at most {}", machine_.cores)}}};
        }
        if (!requested(op, &MappingRequest::keep_output).value_or(false)) {
            continue;
        }
        if (cores > 1) {
            fail_request(op, "its mapping shares the layer among several cores");
        }
        if (op.raw_sums) {
            fail_request(op, "its sums leave past the vector unit, straight from the accumulators");
        }
        if (uses_[at(op.output)].consumers.empty()) {
            fail_request(op, "no layer reads it");
        }
    }
}

NetworkPlan NetworkPlanner::run() {
    check_requests();
    const int operators = static_cast<int>(graph_.operators.size());
    for (int op = 0; op < operators; ++op) {
        Shortage shortage;
        plan_.sites.push_back(site(op, op > 0 ? &plan_.layers.back() : nullptr));
        auto layer = plan_operator(plan_.sites.back(), shortage);
        if (!layer) {
            fail(graph_.operators[at(op)], shortage);
        }
        plan_.layers.push_back(std::move(*layer));
    }
    for (const Candidate& candidate : candidates()) {
        if (!keep(candidate) && candidate.requested) {
            const Operator& maker = graph_.operators[at(uses_[at(candidate.tensor)].producer)];
            fail_request(maker,
                         fmt::format("{} bytes find no room in the scratchpad of {} bytes beside "
                                     "the buffers of the layers that make and use it",
                                     graph_.tensor(candidate.tensor).bytes(), machine_.scratchpad));
        }
    }
    return std::move(plan_);
}

}  // namespace

std::vector<Uses> uses_of(const Graph& graph) {
    std::vector<Uses> uses(graph.tensors.size());
    const auto reads = [&](TensorId tensor, int op) {
        auto& consumers = uses[at(tensor)].consumers;
        if (consumers.empty() || consumers.back() != op) {
            consumers.push_back(op);
        }
    };
    for (std::size_t i = 0; i < graph.operators.size(); ++i) {
        const Operator& op = graph.operators[i];
        const int index = static_cast<int>(i);
        uses[at(op.output)].producer = index;
        for (const TensorId input : op.inputs) {
            reads(input, index);
        }
        if (op.weights) {
            reads(*op.weights, index);
        }
        for (const ElementStep& step : op.steps) {
            if (step.operand) {
                reads(*step.operand, index);
            }
        }
    }
    return uses;
}

NetworkPlan plan_network(const Graph& graph, const Machine& machine, const std::vector<Uses>& uses,
                         const std::atomic<bool>* stop) {
    return NetworkPlanner{graph, machine, uses, stop}.run();
}

}  // namespace systole::mapping
