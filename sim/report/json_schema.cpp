#include "sim/report/figures.hpp"
#include "sim/report/json.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <utility>

namespace systole {
namespace {

using Json = nlohmann::ordered_json;

Json typed(const std::string& type, const std::string& doc = {}) {
    Json json = Json::object();
    if (type == "number or null") {
        json["type"] = {"number", "null"};
    } else {
        json["type"] = type;
    }
    if (!doc.empty()) {
        json["description"] = doc;
    }
    return json;
}

/// An object of which every key must be there. Keys may be added within a schema version, so a
/// reader must bear unknown ones.
Json object(Json properties, const std::string& doc = {}) {
    Json json = typed("object", doc);
    json["required"] = Json::array();
    for (const auto& [key, unused] : properties.items()) {
        json["required"].push_back(key);
    }
    json["properties"] = std::move(properties);
    return json;
}

Json list(Json items, const std::string& doc = {}) {
    Json json = typed("array", doc);
    json["items"] = std::move(items);
    return json;
}

Json word(const std::vector<std::string>& words, const std::string& doc = {}) {
    Json json = typed("string", doc);
    json["enum"] = words;
    return json;
}

Json figure_properties() {
    Json properties = Json::object();
    for (const auto& figure : figures()) {
        properties[figure.key] = figure.type == "word" ? word({"memory", "compute"}, figure.doc)
                                                       : typed(figure.type, figure.doc);
    }
    return properties;
}

Json by_component(const std::string& doc) {
    Json properties = Json::object();
    for (int i = 0; i < component_count; ++i) {
        properties[to_string(static_cast<Component>(i))] = {{"type", {"number", "null"}}};
    }
    return object(std::move(properties), doc);
}

Json by_cause(const std::string& doc) {
    Json properties = Json::object();
    for (int i = 0; i < models::cause_count; ++i) {
        properties[models::to_string(static_cast<models::Cause>(i))] = typed("integer");
    }
    return object(std::move(properties), doc);
}

Json counters() {
    Json properties = Json::object();
    for (const auto& row : models::counter_table()) {
        properties[row.name] = typed("integer", row.doc);
    }
    return object(std::move(properties), "actions, all cores together");
}

Json mapping() {
    return object({{"m", typed("integer", "rows of the product: output pixels of the batch")},
                   {"n", typed("integer", "output channels")},
                   {"k", typed("integer", "length of each sum")},
                   {"order", word({"outputs_outer", "rows_outer"}, "the outer loop over blocks")},
                   {"block_m", typed("integer", "rows of a block")},
                   {"block_n", typed("integer", "output channels of a block")},
                   {"tile_m", typed("integer", "rows that stream over one stationary tile")},
                   {"tile_k", typed("integer")},
                   {"tile_n", typed("integer")},
                   {"group_pack", typed("integer", "groups side by side in one tile")},
                   {"tiles", typed("integer", "streams through an array, all cores together")},
                   {"cores", typed("integer", "that share the layer")},
                   {"split", typed("string", "over what they share it: rows, outputs or nothing")},
                   {"input_bytes", typed("integer", "off-chip traffic as the mapper reckons it")},
                   {"weight_bytes", typed("integer")},
                   {"output_bytes", typed("integer")},
                   {"input_on_chip", typed("boolean", "no input is read from off the chip")},
                   {"output_on_chip", typed("boolean", "the output stays on the chip")},
                   {"scratchpad_bytes", typed("integer", "of each core, in use")}},
                  "how the layer was laid out on the chip");
}

Json manifest() {
    const Json configuration = object({{"chip", Json::object()}, {"workload", Json::object()}},
                                      "the documents after extends, --set and defaults");
    const Json input = object({{"path", typed("string")}, {"sha256", typed("string")}});
    return object({{"version", typed("string")},
                   {"git", typed("string", "commit that was built, or unknown")},
                   {"command", typed("string")},
                   {"seed", typed("integer", "of the numbers that were drawn")},
                   {"fidelity", word({"fast", "cycle", "rtl"})},
                   {"inputs", list(input, "files that were read")},
                   {"configuration", configuration}},
                  "what it takes to repeat the run");
}

Json chip() {
    return object(
        {{"name", typed("string")},
         {"clock_hz", typed("number")},
         {"cores", typed("integer")},
         {"peak_macs_per_cycle", typed("integer", "all cores together")},
         {"peak_flops_per_s", typed("number", "2 · peak_macs_per_cycle · clock_hz")},
         {"dram_peak_bytes_per_s", typed("number or null", "null: a memory that takes no time")},
         {"ridge_flops_per_byte", typed("number", "peak_flops_per_s / dram_peak_bytes_per_s")},
         {"scratchpad_peak_bytes_per_s",
          typed("number or null",
                "a word a cycle over each port, all cores together; null: a unit takes no time")},
         {"scratchpad_ridge_flops_per_byte", typed("number")},
         {"technology", typed("string")}});
}

Json layer() {
    Json properties = {{"name", typed("string")}, {"op", typed("string")}};
    properties.update(figure_properties());
    properties["energy_j_by"] = by_component("joules; null: not published");
    properties["cycles_by"] = by_cause("cycles of the matrix units; they add up to cycles · cores");
    properties["counters"] = counters();
    properties["mapping"] = mapping();
    return object(std::move(properties));
}

}  // namespace

std::string result_json_schema() {
    Json totals = figure_properties();
    totals["counters"] = counters();
    const Json unit = object({{"core", typed("integer")},
                              {"unit", word({"load", "matrix", "vector", "store"})},
                              {"cycles_by", by_cause("they add up to the run's cycles")}});
    const Json tensor = object(
        {{"name", typed("string")},
         {"role", word({"input", "parameter", "activation", "output"})},
         {"shape", list(typed("integer"))},
         {"format", typed("string")},
         {"step", typed("number", "what one code of an integer format is worth")},
         {"values", list(typed("number or null"), "in the order of the shape; null: not finite")}});
    Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                   {"title", result_schema_name}};
    schema.update(object(
        {{"schema", {{"const", result_schema_name}}},
         {"manifest", manifest()},
         {"chip", chip()},
         {"workload", object({{"name", typed("string")}, {"description", typed("string")}})},
         {"totals", object(std::move(totals), "of the whole run")},
         {"layers", list(layer())},
         {"energy_j", by_component("joules of the whole run")},
         {"cycles_by", by_cause("cycles of the matrix units in the whole run")},
         {"units", list(unit, "where the cycles of each unit of each core went")},
         {"tensors", list(tensor, "values of tensors outside of the cores, where they are few")}},
        "what a run of systole reports; keys are added, never renamed"));
    return schema.dump(2) + "\n";
}

}  // namespace systole
