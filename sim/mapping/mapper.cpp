#include "sim/mapping/mapper.hpp"

#include "sim/mapping/layer_emitter.hpp"
#include "sim/mapping/layout.hpp"
#include "sim/mapping/matrix_cost.hpp"
#include "sim/mapping/network_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

namespace systole {
namespace {

using mapping::LayerPlan;
using mapping::Machine;
using mapping::Site;

/// Every product is in a format that the matrix unit has.
void check_formats(const Graph& graph, const Machine& machine) {
    std::vector<std::string> known;
    std::string list;
    for (const Format format : machine.formats) {
        known.emplace_back(numerics::to_string(format));
        list += (list.empty() ? "" : ", ") + known.back();
    }
    std::vector<Fault> faults;
    for (const Operator& op : graph.operators) {
        if (op.kind != Operator::Kind::matrix ||
            std::count(machine.formats.begin(), machine.formats.end(), op.view.format) > 0) {
            continue;
        }
        const std::string format = numerics::to_string(op.view.format);
        const std::string near = nearest(format, known);
        faults.push_back(
            {op.where,
             fmt::format("layer '{}' multiplies {}, which the matrix unit of chip '{}' cannot",
                         op.name, format, machine.name),
             near.empty() ? fmt::format("it multiplies {}", list)
                          : fmt::format("did you mean '{}'? it multiplies {}", near, list)});
    }
    if (!faults.empty()) {
        throw InputError{std::move(faults)};
    }
}

mapping::NetworkState initial_state(const Graph& graph, const std::vector<mapping::Uses>& uses,
                                    const mapping::Layout& layout, mapping::ProgramWriter& writer) {
    mapping::NetworkState state;
    state.placements = layout.placements;
    const std::size_t tensors = graph.tensors.size();
    state.loaded.resize(tensors);
    for (std::size_t i = 0; i < tensors; ++i) {
        const bool result = graph.tensors[i].role == Tensor::Role::output;
        const bool made = uses[i].producer >= 0;
        state.ordered.push_back(made && !(result && uses[i].consumers.empty()));
        state.memory_generation.push_back(writer.new_generation());
        state.chip_generation.push_back(writer.new_generation());
        if (made) {
            state.loaded[i] = graph.tensors[i].bytes();
        }
    }
    return state;
}

bool off_chip(const std::vector<Placement>& placements, TensorId tensor) {
    return placements[static_cast<std::size_t>(tensor)].home == Placement::Home::dram;
}

/// The bytes of the operands of the steps that come from off the chip.
std::int64_t operand_bytes(const Site& site, const LayerPlan& plan,
                           const std::vector<Placement>& placements) {
    const auto on_demand = mapping::bytes_on_demand(site);
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < site.op->steps.size(); ++i) {
        const ElementStep& step = site.op->steps[i];
        if (!step.operand || mapping::takes_columns(step) || !off_chip(placements, *step.operand)) {
            continue;
        }
        if (site.tensors[i + 1].on_chip) {
            bytes += on_demand[i + 1];
            continue;
        }
        for (const mapping::Share& share : plan.shares) {
            bytes += share.empty() ? 0
                                   : share.m.size() * share.n.size() *
                                         numerics::bytes_of(site.tensor(*step.operand).format);
        }
    }
    return bytes;
}

LayerMapping report_of(const Site& site, const LayerPlan& plan,
                       const std::vector<Placement>& placements) {
    const Operator& op = *site.op;
    const mapping::Extent extent = mapping::extent_of(*site.graph, op);
    LayerMapping layer;
    layer.order = plan.order;
    layer.m = extent.rows;
    layer.n = extent.cols;
    layer.k = op.kind == Operator::Kind::matrix ? mapping::weight_rows(op.view) : 0;
    layer.block_m = plan.block_m;
    layer.block_n = plan.block_n;
    layer.tile_m = plan.tile_m;
    layer.tile_n = plan.tile_n;
    layer.tile_k = plan.tile_k;
    layer.group_pack = plan.pack;
    layer.tiles = op.kind == Operator::Kind::matrix ? plan.cost.tiles : 0;
    layer.cores = mapping::cores_at_work(plan);
    if (layer.cores > 1) {
        layer.split = plan.split == mapping::Split::rows ? "rows" : "outputs";
    }
    const bool input_off = off_chip(placements, op.inputs.front());
    layer.input_bytes =
        Bytes{(input_off ? plan.traffic.input : 0) + operand_bytes(site, plan, placements)};
    layer.weight_bytes = Bytes{plan.traffic.weights};
    layer.output_bytes = Bytes{off_chip(placements, op.output) ? plan.traffic.output : 0};
    layer.input_on_chip = layer.input_bytes == Bytes{0};
    layer.output_on_chip = layer.output_bytes == Bytes{0};
    std::int64_t held = site.machine->scratchpad;
    for (const mapping::Gap& gap : site.gaps) {
        held -= gap.end - gap.first;
    }
    layer.scratchpad_used = Bytes{held + plan.buffers.bytes()};
    return layer;
}

[[noreturn]] void refuse_length(const Graph& graph, const Machine& machine, int layer) {
    const Operator& op = graph.operators[static_cast<std::size_t>(layer)];
    throw InputError{
        {{op.where,
          fmt::format("the program of chip '{}' has more than {} instructions at layer '{}'",
                      machine.name, mapping::instruction_limit, op.name),
          std::string{machine.unit == Machine::Unit::simt ? "more columns" : "a larger array"} +
              ", or more accumulators and scratchpad, allow larger tiles"}}};
}

/// Before memory is spent on a program that is going to be too long.
void check_length(const mapping::NetworkPlan& plan, const std::function<void(int)>& too_many) {
    std::int64_t instructions = 0;
    for (std::size_t i = 0; i < plan.layers.size(); ++i) {
        instructions = checked_add(instructions, plan.layers[i].instructions);
        if (instructions > mapping::instruction_limit) {
            too_many(static_cast<int>(i));
        }
    }
}

}  // namespace

Mapping map_graph(const Graph& graph, const models::ChipConfig& chip,
                  const std::atomic<bool>* stop) {
    const Machine machine{chip};
    check_formats(graph, machine);
    const auto uses = mapping::uses_of(graph);
    const auto plan = mapping::plan_network(graph, machine, uses, stop);
    const auto layout = mapping::lay_out(graph, chip, plan, uses);
    const auto too_many = [&](int layer) { refuse_length(graph, machine, layer); };
    check_length(plan, too_many);
    mapping::ProgramWriter writer{machine.cores, mapping::instruction_limit, too_many, stop};
    auto state = initial_state(graph, uses, layout, writer);
    Mapping result;
    for (std::size_t i = 0; i < graph.operators.size(); ++i) {
        const Site& site = plan.sites[i];
        const LayerPlan& layer = plan.layers[i];
        for (int core = 0; core < machine.cores; ++core) {
            if (site.op->kind == Operator::Kind::matrix) {
                mapping::emit_matrix(writer, state, site, layer, machine, static_cast<int>(i),
                                     core);
            } else {
                mapping::emit_vector(writer, state, site, layer, static_cast<int>(i), core);
            }
        }
        result.layers.push_back(report_of(site, layer, layout.placements));
    }
    result.programs = writer.take();
    result.placements = layout.placements;
    result.dram_used = layout.dram_used;
    result.shared_used = layout.shared_used;
    return result;
}

}  // namespace systole
