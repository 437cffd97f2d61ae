#include "sim/report/result.hpp"

#include "models/accelerator.hpp"

#include <algorithm>
#include <cstddef>

namespace systole {
namespace {

using models::ChipConfig;

/// Array west, array north, vector reads, vector writes, loads and stores: a word a cycle each.
constexpr std::int64_t scratchpad_ports = 6;

/// Absent when a unit that takes no time goes through the scratchpads: nothing limits them then.
std::optional<double> scratchpad_bytes_per_s(const ChipConfig& chip) {
    if (chip.memory.model == models::MemoryModel::ideal || !chip.core.vector.lanes) {
        return std::nullopt;
    }
    const auto& scratchpad = chip.core.scratchpad;
    const auto bytes_per_cycle =
        checked_multiply(checked_multiply(scratchpad_ports, scratchpad.width.count()), chip.cores);
    return static_cast<double>(bytes_per_cycle) * chip.clock.count();
}

/// The MACs of a layer are done in the format of its input.
Format format_of(const Graph& graph, const Operator& op) {
    return op.kind == Operator::Kind::matrix ? op.view.format : graph.tensor(op.output).format;
}

Cycles total(const CyclesBy& cycles_by) {
    Cycles sum;
    for (const auto cycles : cycles_by) {
        sum += cycles;
    }
    return sum;
}

void add(CyclesBy& sum, const CyclesBy& cycles_by) {
    for (std::size_t cause = 0; cause < sum.size(); ++cause) {
        sum[cause] += cycles_by[cause];
    }
}

/// Fills in what follows from the counters, the energy and the cycles.
void derive(Figures& figures, const ChipFacts& chip) {
    const auto& counters = figures.counters;
    figures.macs = counters.macs;
    figures.flops = checked_multiply(2, counters.macs);
    figures.seconds = duration(Cycles{figures.cycles}, Hertz{chip.clock_hz}).count();
    if (figures.cycles > 0) {
        figures.utilization =
            static_cast<double>(figures.macs) /
            (static_cast<double>(chip.peak_macs_per_cycle) * static_cast<double>(figures.cycles));
    }
    figures.dram_read_bytes = counters.dram_read_bytes;
    figures.dram_write_bytes = counters.dram_write_bytes;
    figures.sram_read_bytes = counters.scratchpad_read_bytes;
    figures.sram_write_bytes = counters.scratchpad_write_bytes;
    figures.shared_read_bytes = counters.shared_read_bytes;
    figures.shared_write_bytes = counters.shared_write_bytes;
    figures.energy_j = 1e-12 * figures.energy.total().count();
    const Seconds time{figures.seconds};
    figures.dram =
        place(chip.dram, figures.flops, figures.dram_read_bytes + figures.dram_write_bytes, time);
    figures.scratchpad = place(chip.scratchpad, figures.flops,
                               figures.sram_read_bytes + figures.sram_write_bytes, time);
}

Figures layer_figures(const models::LayerRecord& record, Cycles previous_end,
                      const EnergyModel& energy, Format format, const ChipFacts& chip) {
    Figures figures;
    figures.start_cycle = record.start.count();
    figures.end_cycle = record.end.count();
    figures.cycles = (record.end - previous_end).count();
    figures.counters = record.counters;
    figures.cycles_by = record.matrix_cycles.by_cause();
    figures.energy = energy.of(record.counters, format);
    SYSTOLE_ASSERT(total(figures.cycles_by) == chip.cores * Cycles{figures.cycles},
                   "the cycle account of a layer is not closed");
    derive(figures, chip);
    return figures;
}

void add(Figures& totals, const Figures& layer) {
    totals.cycles = checked_add(totals.cycles, layer.cycles);
    totals.end_cycle = layer.end_cycle;
    totals.counters += layer.counters;
    totals.energy += layer.energy;
    add(totals.cycles_by, layer.cycles_by);
}

std::vector<UnitResult> unit_results(const models::RunRecord& record) {
    std::vector<UnitResult> units;
    for (const auto& unit : record.units) {
        SYSTOLE_ASSERT(unit.cycles.total() == record.cycles,
                       "the cycle account of a unit is not closed");
        units.push_back({unit.core, unit.queue, unit.cycles.by_cause()});
    }
    return units;
}

}  // namespace

const char* to_string(Tensor::Role role) {
    switch (role) {
        case Tensor::Role::input:
            return "input";
        case Tensor::Role::parameter:
            return "parameter";
        case Tensor::Role::activation:
            return "activation";
        case Tensor::Role::output:
            return "output";
    }
    return "?";
}

ChipFacts chip_facts(const ChipConfig& chip) {
    ChipFacts facts;
    facts.name = chip.name;
    facts.technology = chip.technology;
    facts.clock_hz = chip.clock.count();
    facts.cores = chip.cores;
    facts.peak_macs_per_cycle = chip.peak_macs_per_cycle();
    const double flops_per_s =
        2.0 * static_cast<double>(facts.peak_macs_per_cycle) * facts.clock_hz;
    facts.dram.flops_per_s = flops_per_s;
    if (chip.memory.model != models::MemoryModel::ideal && chip.memory.bandwidth) {
        facts.dram.bytes_per_s = chip.memory.bandwidth->count();
    }
    facts.scratchpad = {flops_per_s, scratchpad_bytes_per_s(chip)};
    return facts;
}

Result make_result(const Graph& graph, const ChipConfig& chip, const models::Technology& technology,
                   const Mapping& mapping, const models::RunRecord& record) {
    SYSTOLE_ASSERT(record.layers.size() == graph.operators.size() &&
                       mapping.layers.size() == graph.operators.size(),
                   "a layer was lost on the way through the machine");
    const EnergyModel energy{chip, technology};
    Result result;
    result.chip = chip_facts(chip);
    result.workload = graph.name;
    result.workload_description = graph.description;
    Cycles previous_end;
    for (std::size_t i = 0; i < graph.operators.size(); ++i) {
        const auto& op = graph.operators[i];
        const auto& layer = record.layers[i];
        auto figures =
            layer_figures(layer, previous_end, energy, format_of(graph, op), result.chip);
        SYSTOLE_ASSERT(figures.macs == op.macs, "the machine did not do the MACs of the layer");
        add(result.totals, figures);
        result.layers.push_back({op.name, op.op, std::move(figures), mapping.layers[i]});
        previous_end = layer.end;
    }
    SYSTOLE_ASSERT(Cycles{result.totals.cycles} == record.cycles,
                   "the layers' cycles do not add up to the run's");
    derive(result.totals, result.chip);
    result.units = unit_results(record);
    return result;
}

}  // namespace systole
