#include "sim/report/text.hpp"

#include "sim/report/numbers.hpp"
#include "sim/report/picture.hpp"
#include "sim/report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace systole {
namespace {

/// What a reader should think of when a matrix unit spends its cycles so.
const char* meaning(models::Cause cause) {
    switch (cause) {
        case models::Cause::active:
            return "the unit multiplies: its operands come in";
        case models::Cause::input_stall:
            return "a row of inputs comes too late: the array stands still";
        case models::Cause::weight_stall:
            return "the weights of the next tile are not on the chip yet";
        case models::Cause::weight_shift:
            return "weights shift into the array, which nothing hides";
        case models::Cause::input_wait:
            return "the inputs are not on the chip yet";
        case models::Cause::accumulator_wait:
            return "the accumulators still hold sums that are wanted";
        case models::Cause::result_wait:
            return "the results to go on with are not complete";
        case models::Cause::buffer_wait:
            return "the place to write to is still being read";
        case models::Cause::drain:
            return "the last sums flow out of the array";
        case models::Cause::idle:
            return "nothing is left to do for the matrix unit";
    }
    return "";
}

std::string intensity(const RooflinePoint& point) {
    return point.operational_intensity ? three_digits(*point.operational_intensity) : "on chip";
}

std::string joules(double energy) {
    return std::isnan(energy) ? "unknown" : si(energy, "J");
}

std::string roof(const RooflinePoint& point) {
    return point.roof_fraction ? percent(*point.roof_fraction) : "-";
}

std::vector<std::string> cells(const std::string& name, const std::string& op, const Figures& f) {
    return {name,
            op,
            grouped(f.macs),
            grouped(f.cycles),
            percent(f.utilization),
            grouped(f.dram_read_bytes + f.dram_write_bytes),
            grouped(f.sram_read_bytes + f.sram_write_bytes),
            joules(f.energy_j),
            intensity(f.dram),
            roof(f.dram),
            f.dram.bound};
}

std::string layers(const Result& result) {
    using Align = Table::Align;
    Table table{{{"layer", Align::left},
                 {"op", Align::left},
                 {"MACs"},
                 {"cycles"},
                 {"util %"},
                 {"DRAM bytes"},
                 {"SRAM bytes"},
                 {"energy"},
                 {"FLOP/byte"},
                 {"roof %"},
                 {"bound", Align::left}}};
    for (const auto& layer : result.layers) {
        table.add_row(cells(layer.name, layer.op, layer.figures));
    }
    table.add_rule();
    table.add_row(cells("total", "", result.totals));
    const bool runs_ahead = std::ranges::any_of(result.layers, [](const LayerResult& layer) {
        return layer.figures.dram.roof_fraction.value_or(0) > 1;
    });
    return table.text() +
           (runs_ahead ? "A layer above its roof had data loaded behind the layer before.\n" : "");
}

std::string title(const Result& result) {
    const auto& totals = result.totals;
    const auto& chip = result.chip;
    std::string text = fmt::format("{} on {}, {} fidelity\n", result.workload, chip.name,
                                   result.manifest.fidelity);
    if (!result.workload_description.empty()) {
        text += result.workload_description + "\n";
    }
    text += fmt::format("{} MACs in {} cycles, {} at {}: {} of {} peak\n", grouped(totals.macs),
                        grouped(totals.cycles), si(totals.seconds, "s"), si(chip.clock_hz, "Hz"),
                        si(totals.dram.attained_flops_per_s, "FLOP/s"),
                        si(chip.dram.flops_per_s, "FLOP/s"));
    return text;
}

/// One level of the memory hierarchy: its roof, and what the whole run makes of it.
std::string explain(const std::string& level, const Roof& roof, const RooflinePoint& point) {
    const auto fraction = percent(point.roof_fraction.value_or(0));
    if (!point.operational_intensity) {
        return fmt::format(
            "  {}: no byte crosses it\n"
            "    compute-bound: the arrays reach {} % of their peak\n",
            level, fraction);
    }
    if (!roof.bytes_per_s) {
        return fmt::format(
            "  {}: takes no time on this chip\n"
            "    compute-bound: the arrays reach {} % of their peak\n",
            level, fraction);
    }
    const auto bound = point.bound == "memory"
                           ? fmt::format("left of the ridge, so at most {} can be had",
                                         si(point.roof_flops_per_s, "FLOP/s"))
                           : "right of the ridge, so it could feed the arrays at their peak";
    return fmt::format(
        "  {}: {}, ridge at {} FLOP/byte\n"
        "    {}-bound: {} FLOP/byte is {}; {} % of that is reached\n",
        level, si(*roof.bytes_per_s, "B/s"), three_digits(roof.ridge()), point.bound,
        intensity(point), bound, fraction);
}

std::string roofline(const Result& result) {
    const auto& totals = result.totals;
    const auto& chip = result.chip;
    std::string text = fmt::format("Roofline\n  peak: {} a cycle at {}, {}\n",
                                   counted(chip.peak_macs_per_cycle, "MAC"),
                                   si(chip.clock_hz, "Hz"), si(chip.dram.flops_per_s, "FLOP/s"));
    if (totals.flops == 0) {
        return text + "  no MACs were done, so there is no place on it\n";
    }
    return text + explain("main memory", chip.dram, totals.dram) +
           explain("scratchpad", chip.scratchpad, totals.scratchpad);
}

/// Indices of `values` from the largest, without those that are nothing.
template <class Values>
std::vector<std::size_t> by_size(const Values& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::erase_if(order, [&](std::size_t i) { return values[i] == typename Values::value_type{}; });
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return values[a] != values[b] ? values[a] > values[b] : a < b;
    });
    return order;
}

std::string cycles(const Result& result) {
    const auto& spent = result.totals.cycles_by;
    const auto whole = static_cast<double>(result.totals.cycles * result.chip.cores);
    Table table{{{"matrix units", Table::Align::left},
                 {"cycles"},
                 {"%"},
                 {"in which", Table::Align::left}}};
    for (const auto cause : by_size(spent)) {
        table.add_row({models::to_string(static_cast<models::Cause>(cause)),
                       grouped(spent[cause].count()),
                       percent(static_cast<double>(spent[cause].count()) / whole),
                       meaning(static_cast<models::Cause>(cause))});
    }
    return "Where the cycles went\n" + table.text();
}

std::string energy(const Result& result) {
    auto spent = result.totals.energy;
    const bool all_known = known(spent.total());
    const double whole = spent.total().count();
    Table table{{{"component", Table::Align::left}, {"energy"}, {"%"}}};
    std::string unknown;
    for (int i = 0; i < component_count; ++i) {
        auto& energy = spent.by[static_cast<std::size_t>(i)];
        if (!known(energy)) {
            unknown +=
                std::string{unknown.empty() ? "" : ", "} + to_string(static_cast<Component>(i));
            energy = Picojoules{0};
        }
    }
    for (const auto component : by_size(spent.by)) {
        table.add_row({to_string(static_cast<Component>(component)),
                       joules(1e-12 * spent.by[component].count()),
                       all_known ? percent(spent.by[component].count() / whole) : "-"});
    }
    std::string text = "Where the energy went (" + result.chip.technology + ")\n" + table.text();
    if (!all_known) {
        return text + fmt::format(
                          "unknown: {}, of which the technology has no published figure; at "
                          "least {} in all\n",
                          unknown, joules(1e-12 * spent.total().count()));
    }
    const auto memories = spent.of(Component::scratchpad) + spent.of(Component::accumulators) +
                          spent.of(Component::shared_sram) + spent.of(Component::dram);
    if (whole > 0) {
        text += fmt::format(
            "{} % of it is memory access, {} per MAC in all\n", percent(memories.count() / whole),
            result.totals.macs > 0
                ? joules(result.totals.energy_j / static_cast<double>(result.totals.macs))
                : "-");
    }
    return text;
}

std::string shown(const TensorValues& tensor) {
    constexpr std::size_t most = 16;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, tensor.values.size()); ++i) {
        text += fmt::format("{}{:.7g}", i == 0 ? "" : ", ", tensor.values[i]);
    }
    return text + (tensor.values.size() > most ? ", …" : "");
}

std::string values(const Result& result) {
    std::string text = "Values\n";
    for (const auto& tensor : result.tensors) {
        const std::string steps = numerics::is_integer(tensor.format)
                                      ? fmt::format(" in steps of {:.7g}", tensor.step)
                                      : "";
        text += fmt::format("  {} {} [{}] {}{}: {}\n", to_string(tensor.role), tensor.name,
                            fmt::join(tensor.shape, "×"), numerics::to_string(tensor.format), steps,
                            shown(tensor));
    }
    return text;
}

}  // namespace

std::string to_text(const Result& result, const TextOptions& options) {
    std::string text = title(result) + "\n" + layers(result) + "\n" + roofline(result);
    if (const auto picture = options.roofline ? roofline_picture(result) : ""; !picture.empty()) {
        text += "\n" + picture;
    }
    text += "\n" + cycles(result) + "\n" + energy(result);
    if (!result.tensors.empty()) {
        text += "\n" + values(result);
    }
    return text;
}

}  // namespace systole
