#include "sim/cli/commands.hpp"
#include "sim/cli/interrupt.hpp"
#include "sim/mapping/program_text.hpp"
#include "sim/report/json.hpp"
#include "sim/report/mapping_text.hpp"
#include "sim/report/numbers.hpp"
#include "sim/report/output.hpp"
#include "sim/report/result.hpp"
#include "sim/report/table.hpp"
#include "sim/run/load.hpp"
#include "sim/workload/load_network.hpp"
#include "sim/workload/summary.hpp"

#include <fmt/format.h>

namespace systole {
namespace {

std::string chip_text(const LoadedChip& loaded) {
    const auto facts = chip_facts(loaded.chip);
    const auto memory = facts.dram.bytes_per_s ? fmt::format("{}, ridge at {} FLOP/byte",
                                                             si(*facts.dram.bytes_per_s, "B/s"),
                                                             three_digits(facts.dram.ridge()))
                                               : "takes no time";
    return fmt::format("{}: {}\npeak: {} a cycle at {}, {}\nmain memory: {}\ntechnology: {}\n\n{}",
                       loaded.chip.name, loaded.chip.description,
                       counted(facts.peak_macs_per_cycle, "MAC"), si(facts.clock_hz, "Hz"),
                       si(facts.dram.flops_per_s, "FLOP/s"), memory, loaded.technology.description,
                       to_yaml(loaded.document()));
}

std::string shown_chip(const ShowRequest& request, const std::vector<Override>& overrides) {
    const auto loaded = load_chip(request.first, overrides);
    return request.format == "json" ? chip_json(chip_facts(loaded.chip), loaded.document())
                                    : chip_text(loaded);
}

std::string shown_workload(const ShowRequest& request, const std::vector<Override>& overrides) {
    const auto network = load_network(request.first, overrides);
    const auto summary = summarize(build_graph(network.network, Format::int8));
    return request.format == "json" ? to_json(summary) : to_table(summary);
}

std::string shown_mapping(const ShowRequest& request, const std::vector<Override>& overrides) {
    const auto loaded = load_chip(request.first, overrides);
    const auto network = load_network(request.second, overrides);
    const auto graph = build_graph(network.network, native_format(loaded.chip));
    const auto mapping = map_graph(graph, loaded.chip, &stop_requested());
    if (request.program) {
        return write_programs(mapping.programs);
    }
    return request.format == "json" ? mapping_json(graph, mapping) : mapping_text(graph, mapping);
}

[[noreturn]] void refuse(const std::string& what, const std::string& hint) {
    throw InputError{{{{"systole show"}, what, hint}}};
}

}  // namespace

void show(const ShowRequest& request) {
    const auto kind = kind_of_document(request.first);
    const bool both = !request.second.empty();
    std::set<DocumentKind> documents{kind};
    if (both) {
        documents.insert(DocumentKind::workload);
    }
    if (kind == DocumentKind::chip) {
        documents.insert(DocumentKind::technology);
    }
    const auto overrides = parse_overrides(request.overrides, documents);
    for (const auto& [asked, option] :
         {std::pair{request.program, "--program"}, std::pair{request.mapping, "--mapping"}}) {
        if (asked && !both) {
            refuse(fmt::format("{} needs a chip and a workload", option),
                   fmt::format("systole show tiny_4x4 course/2_1_perceptron {}", option));
        }
    }
    if (request.program && request.mapping) {
        refuse("--mapping and --program are two answers", "ask for one of them");
    }
    if (request.program && request.format == "json") {
        refuse("--program has no JSON form", "leave --format out");
    }
    if (both) {
        if (kind != DocumentKind::chip) {
            refuse("'" + request.first + "' is a " + to_string(kind) + ", not a chip",
                   "the chip comes first, then the workload");
        }
        write_to_stdout(shown_mapping(request, overrides));
    } else if (kind == DocumentKind::chip) {
        write_to_stdout(shown_chip(request, overrides));
    } else if (kind == DocumentKind::workload) {
        write_to_stdout(shown_workload(request, overrides));
    } else {
        refuse("'" + request.first + "' is a technology", "its file says all there is to it");
    }
}

}  // namespace systole
