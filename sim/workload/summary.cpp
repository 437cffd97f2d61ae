#include "sim/workload/summary.hpp"

#include "sim/report/numbers.hpp"
#include "sim/report/table.hpp"
#include "sim/workload/numbers.hpp"

#include <nlohmann/json.hpp>

namespace systole {
namespace {

Summary::Layer layer_of(const Graph& graph, const Operator& made) {
    Summary::Layer layer{
        made.name, made.op, graph.tensor(made.output).shape, made.parameters, made.macs, {},
        {},        {}};
    const auto size = [&](TensorId id) { return Bytes{graph.tensor(id).bytes()}; };
    if (made.weights) {
        layer.weights += size(*made.weights);
    }
    for (const auto& step : made.steps) {
        if (step.operand && graph.tensor(*step.operand).role == Tensor::Role::parameter) {
            layer.weights += size(*step.operand);
        }
    }
    for (const TensorId input : made.inputs) {
        layer.input += size(input);
    }
    layer.output = size(made.output);
    return layer;
}

nlohmann::ordered_json json_of(const Summary::Layer& layer) {
    return {{"name", layer.name},
            {"op", layer.op},
            {"output_shape", layer.output_shape},
            {"parameters", layer.parameters},
            {"macs", layer.macs},
            {"weight_bytes", layer.weights.count()},
            {"input_bytes", layer.input.count()},
            {"output_bytes", layer.output.count()}};
}

}  // namespace

Summary summarize(const Graph& graph) {
    Summary summary{graph.name, graph.description, {}, {}};
    auto& total = summary.total;
    total.name = "total";
    for (const auto& made : graph.operators) {
        const auto layer = layer_of(graph, made);
        total.parameters = checked_add(total.parameters, layer.parameters);
        total.macs = checked_add(total.macs, layer.macs);
        total.weights += layer.weights;
        total.input += layer.input;
        total.output += layer.output;
        summary.layers.push_back(layer);
    }
    return summary;
}

std::string to_table(const Summary& summary) {
    using Align = Table::Align;
    Table table{{{"layer", Align::left},
                 {"op", Align::left},
                 {"output", Align::left},
                 {"parameters"},
                 {"MACs"},
                 {"weight bytes"},
                 {"activation bytes"}}};
    const auto add = [&](const Summary::Layer& layer) {
        table.add_row({layer.name, layer.op,
                       layer.output_shape.empty() ? "" : to_string(layer.output_shape),
                       grouped(layer.parameters), grouped(layer.macs),
                       grouped(layer.weights.count()), grouped(layer.activations().count())});
    };
    for (const auto& layer : summary.layers) {
        add(layer);
    }
    table.add_rule();
    add(summary.total);
    std::string head = summary.name;
    if (!summary.description.empty()) {
        head += ": " + summary.description;
    }
    return head + "\n\n" + table.text();
}

std::string to_json(const Summary& summary) {
    const auto& total = summary.total;
    nlohmann::ordered_json json{{"schema", "systole.summary/1"},
                                {"name", summary.name},
                                {"totals",
                                 {{"parameters", total.parameters},
                                  {"macs", total.macs},
                                  {"weight_bytes", total.weights.count()},
                                  {"activation_bytes", total.activations().count()}}},
                                {"layers", nlohmann::ordered_json::array()}};
    for (const auto& layer : summary.layers) {
        json["layers"].push_back(json_of(layer));
    }
    return json.dump(2) + "\n";
}

}  // namespace systole
