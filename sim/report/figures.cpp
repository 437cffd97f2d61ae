#include "sim/report/figures.hpp"

#include <cmath>

namespace systole {
namespace {

Figure integer(std::string key, std::int64_t Figures::*member, std::string doc) {
    return {std::move(key), "integer", std::move(doc),
            [member](const Figures& f) -> FigureValue { return f.*member; }};
}

Figure number(std::string key, double Figures::*member, std::string doc) {
    return {std::move(key), "number", std::move(doc),
            [member](const Figures& f) -> FigureValue { return f.*member; }};
}

using Level = RooflinePoint Figures::*;

Figure number(std::string key, Level level, double RooflinePoint::*member, std::string doc) {
    return {std::move(key), "number", std::move(doc),
            [level, member](const Figures& f) -> FigureValue { return f.*level.*member; }};
}

Figure optional_number(std::string key, Level level, std::optional<double> RooflinePoint::*member,
                       std::string doc) {
    return {std::move(key), "number or null", std::move(doc),
            [level, member](const Figures& f) -> FigureValue {
                const auto& value = f.*level.*member;
                return value ? FigureValue{*value} : FigureValue{};
            }};
}

Figure bound(std::string key, Level level, std::string doc) {
    return {std::move(key), "word", std::move(doc),
            [level](const Figures& f) -> FigureValue { return (f.*level).bound; }};
}

}  // namespace

const std::vector<Figure>& figures() {
    using F = Figures;
    using P = RooflinePoint;
    static const std::vector<Figure> table{
        integer("macs", &F::macs, "multiply-accumulates that the network asks for"),
        integer("flops", &F::flops, "2 · macs, whatever the format"),
        integer("cycles", &F::cycles,
                "clock cycles from the end of the layer before to the end of this one"),
        integer("start_cycle", &F::start_cycle,
                "when its first instruction started: loads run ahead of the layer before"),
        integer("end_cycle", &F::end_cycle, "when its last instruction had ended"),
        number("seconds", &F::seconds, "cycles / clock"),
        number(
            "utilization", &F::utilization,
            "macs / (peak macs per cycle · cycles); of one layer above 1 when its tiles ran before "
            "the layer before had ended"),
        integer("dram_read_bytes", &F::dram_read_bytes, "read from main memory"),
        integer("dram_write_bytes", &F::dram_write_bytes, "written to main memory"),
        integer("sram_read_bytes", &F::sram_read_bytes, "read from the scratchpads"),
        integer("sram_write_bytes", &F::sram_write_bytes, "written to the scratchpads"),
        integer("shared_read_bytes", &F::shared_read_bytes, "read from the shared SRAM"),
        integer("shared_write_bytes", &F::shared_write_bytes, "written to the shared SRAM"),
        {"energy_j", "number or null",
         "joules: actions counted · the technology's energy of each; null when one of these is "
         "not published",
         [](const Figures& f) {
             return std::isnan(f.energy_j) ? FigureValue{} : FigureValue{f.energy_j};
         }},
        optional_number("operational_intensity", &F::dram, &P::operational_intensity,
                        "flops per byte over the pins of main memory; null when none crossed them"),
        number("attained_flops_per_s", &F::dram, &P::attained_flops_per_s, "flops / seconds"),
        number("roof_flops_per_s", &F::dram, &P::roof_flops_per_s,
               "min(peak, operational_intensity · peak bytes per second)"),
        optional_number(
            "roof_fraction", &F::dram, &P::roof_fraction,
            "attained / roof; null below a roof of 0 (bytes, but no flops); above 1 for a layer "
            "whose data was loaded behind the layer before"),
        bound("bound", &F::dram,
              "the side of the ridge: memory (left, the bandwidth is the roof) or compute (right)"),
        optional_number("scratchpad_operational_intensity", &F::scratchpad,
                        &P::operational_intensity,
                        "flops per byte over the ports of the scratchpads; null when none"),
        number("scratchpad_roof_flops_per_s", &F::scratchpad, &P::roof_flops_per_s,
               "min(peak, that intensity · bytes per second of all ports)"),
        optional_number("scratchpad_roof_fraction", &F::scratchpad, &P::roof_fraction,
                        "attained / roof of the scratchpads"),
        bound("scratchpad_bound", &F::scratchpad, "the side of the scratchpads' ridge"),
    };
    return table;
}

}  // namespace systole
