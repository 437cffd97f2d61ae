#include "models/base/schema.hpp"
#include "models/chip_config.hpp"
#include "sim/cli/commands.hpp"
#include "sim/report/numbers.hpp"
#include "sim/report/output.hpp"
#include "sim/report/result.hpp"
#include "sim/report/table.hpp"
#include "sim/run/load.hpp"
#include "sim/workload/load_network.hpp"

#include <functional>
#include <vector>

namespace systole {
namespace {

using Align = Table::Align;

std::string chips() {
    Table table{{{"chip", Align::left},
                 {"peak"},
                 {"memory"},
                 {"ridge, FLOP/byte"},
                 {"description", Align::left}}};
    for (const auto& name : list_documents(DocumentKind::chip, data_directory())) {
        const auto chip = load_chip(name, {}).chip;
        const auto facts = chip_facts(chip);
        table.add_row({name, si(facts.dram.flops_per_s, "FLOP/s"),
                       facts.dram.bytes_per_s ? si(*facts.dram.bytes_per_s, "B/s") : "ideal",
                       facts.dram.bytes_per_s ? three_digits(facts.dram.ridge()) : "-",
                       chip.description});
    }
    return table.text();
}

std::string workloads() {
    Table table{{{"workload", Align::left}, {"description", Align::left}}};
    for (const auto& name : list_documents(DocumentKind::workload, data_directory())) {
        table.add_row({name, load_network(name, {}).network.description});
    }
    return table.text();
}

std::string operators() {
    Table table{{{"operator", Align::left}, {"in a workload's layers", Align::left}}};
    for (const auto& alternative : declaration<Layer>().tagged) {
        table.add_row({alternative.word, alternative.doc});
    }
    return table.text();
}

std::string formats() {
    Table table{{{"format", Align::left}, {"bytes"}, {"sums in", Align::left}}};
    for (const auto format :
         {Format::int8, Format::bf16, Format::fp16, Format::fp32, Format::int32}) {
        table.add_row({numerics::to_string(format), std::to_string(numerics::bytes_of(format)),
                       numerics::to_string(numerics::accumulator_of(format))});
    }
    return table.text();
}

/// Every key of a chip by which one kind of unit is chosen out of several.
std::string units() {
    Table table{{{"key", Align::left}, {"kind", Align::left}, {"what it is", Align::left}}};
    for (const auto& field : declaration<models::CoreConfig>().fields) {
        for (const auto& alternative : field.type.alternatives) {
            table.add_row(
                {"core." + field.key + "." + field.type.tag, alternative.word, alternative.doc});
        }
    }
    for (const auto& word : Words<models::MemoryModel>::table) {
        table.add_row({"memory.model", std::string{word.word}, std::string{word.doc}});
    }
    return table.text();
}

}  // namespace

void list(const ListRequest& request) {
    struct Topic {
        std::string name;
        std::function<std::string()> text;
    };
    const std::vector<Topic> topics{{"chips", chips},
                                    {"workloads", workloads},
                                    {"operators", operators},
                                    {"formats", formats},
                                    {"units", units}};
    std::string text;
    for (const auto& topic : topics) {
        if (request.what.empty() || request.what == topic.name) {
            text += (text.empty() ? "" : "\n") + topic.text();
        }
    }
    write_to_stdout(text);
}

}  // namespace systole
