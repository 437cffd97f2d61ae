#include "sim/report/json.hpp"

#include "sim/report/figures.hpp"
#include "sim/report/json_node.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>

namespace systole {
namespace {

using Json = nlohmann::ordered_json;

struct ToJson {
    Json operator()(std::monostate) const { return nullptr; }
    Json operator()(std::int64_t value) const { return value; }
    Json operator()(double value) const { return value; }
    Json operator()(const std::string& value) const { return value; }
};

/// JSON has no word for what is not finite: null.
Json numbers(const std::vector<double>& values) {
    Json json = Json::array();
    for (const double value : values) {
        json.push_back(std::isfinite(value) ? Json(value) : Json(nullptr));
    }
    return json;
}

Json of(const CyclesBy& cycles_by) {
    Json json = Json::object();
    for (std::size_t cause = 0; cause < cycles_by.size(); ++cause) {
        json[models::to_string(static_cast<models::Cause>(cause))] = cycles_by[cause].count();
    }
    return json;
}

Json of(const Energy& energy) {
    Json json = Json::object();
    for (int i = 0; i < component_count; ++i) {
        const auto component = static_cast<Component>(i);
        json[to_string(component)] = 1e-12 * energy.of(component).count();
    }
    return json;
}

Json of(const models::Counters& counters) {
    Json json = Json::object();
    for (const auto& row : models::counter_table()) {
        json[row.name] = counters.*row.member;
    }
    return json;
}

Json of(const LayerMapping& mapping) {
    return {{"m", mapping.m},
            {"n", mapping.n},
            {"k", mapping.k},
            {"order", mapping.order == LoopOrder::outputs_outer ? "outputs_outer" : "rows_outer"},
            {"block_m", mapping.block_m},
            {"block_n", mapping.block_n},
            {"tile_m", mapping.tile_m},
            {"tile_k", mapping.tile_k},
            {"tile_n", mapping.tile_n},
            {"group_pack", mapping.group_pack},
            {"tiles", mapping.tiles},
            {"cores", mapping.cores},
            {"split", mapping.split},
            {"input_bytes", mapping.input_bytes.count()},
            {"weight_bytes", mapping.weight_bytes.count()},
            {"output_bytes", mapping.output_bytes.count()},
            {"input_on_chip", mapping.input_on_chip},
            {"output_on_chip", mapping.output_on_chip},
            {"scratchpad_bytes", mapping.scratchpad_used.count()}};
}

void add_figures(Json& json, const Figures& values) {
    for (const auto& figure : figures()) {
        json[figure.key] = std::visit(ToJson{}, figure.value(values));
    }
}

Json of(const Manifest& manifest) {
    Json inputs = Json::array();
    for (const auto& input : manifest.inputs) {
        inputs.push_back({{"path", input.path}, {"sha256", input.sha256}});
    }
    return {{"version", manifest.version},
            {"git", manifest.git},
            {"command", manifest.command},
            {"seed", manifest.seed},
            {"fidelity", manifest.fidelity},
            {"inputs", std::move(inputs)},
            {"configuration",
             {{"chip", json_of(manifest.chip)}, {"workload", json_of(manifest.workload)}}}};
}

Json optional(const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json of(const ChipFacts& chip) {
    return {{"name", chip.name},
            {"clock_hz", chip.clock_hz},
            {"cores", chip.cores},
            {"peak_macs_per_cycle", chip.peak_macs_per_cycle},
            {"peak_flops_per_s", chip.dram.flops_per_s},
            {"dram_peak_bytes_per_s", optional(chip.dram.bytes_per_s)},
            {"ridge_flops_per_byte", chip.dram.ridge()},
            {"scratchpad_peak_bytes_per_s", optional(chip.scratchpad.bytes_per_s)},
            {"scratchpad_ridge_flops_per_byte", chip.scratchpad.ridge()},
            {"technology", chip.technology}};
}

Json of(const LayerResult& layer) {
    Json json = {{"name", layer.name}, {"op", layer.op}};
    add_figures(json, layer.figures);
    json["energy_j_by"] = of(layer.figures.energy);
    json["cycles_by"] = of(layer.figures.cycles_by);
    json["counters"] = of(layer.figures.counters);
    json["mapping"] = of(layer.mapping);
    return json;
}

Json of(const UnitResult& unit) {
    return {{"core", unit.core},
            {"unit", models::to_string(unit.queue)},
            {"cycles_by", of(unit.cycles_by)}};
}

Json of(const TensorValues& tensor) {
    return {{"name", tensor.name},   {"role", to_string(tensor.role)},
            {"shape", tensor.shape}, {"format", numerics::to_string(tensor.format)},
            {"step", tensor.step},   {"values", numbers(tensor.values)}};
}

template <class T>
Json list_of(const std::vector<T>& items) {
    Json json = Json::array();
    for (const auto& item : items) {
        json.push_back(of(item));
    }
    return json;
}

/// A command line may hold any bytes; what is not UTF-8 is replaced.
std::string text_of(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string to_json(const Result& result) {
    Json json = {{"schema", result_schema_name}};
    json["manifest"] = of(result.manifest);
    json["chip"] = of(result.chip);
    json["workload"] = {{"name", result.workload}, {"description", result.workload_description}};
    json["totals"] = Json::object();
    add_figures(json["totals"], result.totals);
    json["totals"]["counters"] = of(result.totals.counters);
    json["layers"] = list_of(result.layers);
    json["energy_j"] = of(result.totals.energy);
    json["cycles_by"] = of(result.totals.cycles_by);
    json["units"] = list_of(result.units);
    json["tensors"] = list_of(result.tensors);
    return text_of(json);
}

std::string chip_json(const ChipFacts& chip, const Node& configuration) {
    return text_of({{"schema", "systole.chip/1"},
                    {"chip", of(chip)},
                    {"configuration", json_of(configuration)}});
}

std::string mapping_json(const Graph& graph, const Mapping& mapping) {
    Json layers = Json::array();
    for (std::size_t i = 0; i < mapping.layers.size(); ++i) {
        layers.push_back({{"name", graph.operators[i].name},
                          {"op", graph.operators[i].op},
                          {"mapping", of(mapping.layers[i])}});
    }
    return text_of({{"schema", "systole.mapping/1"},
                    {"workload", graph.name},
                    {"dram_used_bytes", mapping.dram_used.count()},
                    {"shared_used_bytes", mapping.shared_used.count()},
                    {"layers", std::move(layers)}});
}

std::string to_json(const Node& node) {
    return text_of(json_of(node));
}

}  // namespace systole
