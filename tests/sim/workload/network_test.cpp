#include "sim/workload/network.hpp"

#include "models/base/schema.hpp"
#include "sim/config/json_schema.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/workload.hpp"

#include <gtest/gtest.h>

namespace systole {
namespace {

using test::network_of;

const std::string conv_head = "input: {shape: [8, 8, 3]}\nlayers:\n  - conv2d: {filters: 4, ";

Conv2dLayer conv_of(const std::string& keys) {
    return std::get<Conv2dLayer>(network_of(conv_head + keys + "}\n").layers.at(0).op);
}

Padding padding_of(const std::string& padding) {
    return conv_of("kernel: 3, padding: " + padding).padding;
}

void expect_padding(const std::string& text, std::int64_t top, std::int64_t left,
                    std::int64_t bottom, std::int64_t right) {
    SCOPED_TRACE(text);
    const auto padding = padding_of(text);
    EXPECT_FALSE(padding.same);
    EXPECT_EQ(padding.top, top);
    EXPECT_EQ(padding.left, left);
    EXPECT_EQ(padding.bottom, bottom);
    EXPECT_EQ(padding.right, right);
}

TEST(Network, PaddingHasFiveForms) {
    EXPECT_TRUE(padding_of("same").same);
    expect_padding("valid", 0, 0, 0, 0);
    expect_padding("2", 2, 2, 2, 2);
    expect_padding("[1, 2]", 1, 2, 1, 2);
    expect_padding("[1, 2, 3, 4]", 1, 2, 3, 4);
}

TEST(Network, OneNumberStandsForBothDirections) {
    EXPECT_EQ(conv_of("kernel: 3").kernel, Pair{3});
    EXPECT_EQ(conv_of("kernel: [3, 5]").kernel, (Pair{3, 5}));
    EXPECT_EQ(conv_of("kernel: 3").stride, Pair{1});
    const auto pool = network_of("input: {shape: [8, 8, 3]}\nlayers: [{max_pool: {kernel: 2}}]\n");
    EXPECT_EQ(std::get<PoolLayer>(pool.layers[0].op).stride, std::nullopt);
}

TEST(Network, BiasIsAWordOrItsNumbers) {
    EXPECT_EQ(conv_of("kernel: 1").bias.has_value(), false);
    EXPECT_EQ(conv_of("kernel: 1, bias: false").bias->wanted, false);
    EXPECT_EQ(conv_of("kernel: 1, bias: true").bias->values.has_value(), false);
    const auto listed = conv_of("kernel: 1, bias: [1, 2.5, -3, 4e-1]").bias.value();
    EXPECT_EQ(listed.wanted, true);
    EXPECT_EQ(std::get<0>(listed.values->source), (std::vector<double>{1, 2.5, -3, 0.4}));
    EXPECT_EQ(std::get<0>(conv_of("kernel: 1, bias: 0.5").bias->values->source),
              std::vector<double>{0.5});
    EXPECT_EQ(std::get<1>(conv_of("kernel: 1, bias: data/b.npy").bias->values->source),
              "data/b.npy");
}

TEST(Network, LayersWithoutKeysAreWords) {
    const auto network = network_of(
        "input: {shape: [8]}\nlayers: [relu, {gelu: {}}, {softmax: {name: p}}, flatten]\n");
    ASSERT_EQ(network.layers.size(), 4U);
    EXPECT_EQ(std::get<ActivationLayer>(network.layers[0].op).function, Function::relu);
    EXPECT_EQ(std::get<ActivationLayer>(network.layers[1].op).function, Function::gelu);
    EXPECT_EQ(std::get<ActivationLayer>(network.layers[2].op).name, "p");
    EXPECT_TRUE(std::holds_alternative<FlattenLayer>(network.layers[3].op));
}

TEST(Network, ParametersStandForIntegersAnywhere) {
    const std::string text =
        "parameters: {m: 3, k: 5, units: 7}\n"
        "batch: m\n"
        "input: {shape: [k]}\n"
        "layers:\n"
        "  - repeat: {times: m, layers: [{dense: {units: units}}]}\n";
    const auto network = network_of(text);
    EXPECT_EQ(network.batch, 3);
    EXPECT_EQ(network.input->shape, std::vector<std::int64_t>{5});
    const auto& repeat = std::get<RepeatLayer>(network.layers[0].op);
    EXPECT_EQ(repeat.times, 3);
    EXPECT_EQ(std::get<DenseLayer>(repeat.layers[0].op).units, 7);

    const auto set = network_of(text, {"workload.m=11", "workload.parameters.k=13"});
    EXPECT_EQ(set.batch, 11);
    EXPECT_EQ(set.input->shape, std::vector<std::int64_t>{13});
}

TEST(Network, DefaultsAreThoseOfTheSchema) {
    const auto network = network_of("input: {shape: [8]}\nlayers: [{dense: {units: 2}}]\n");
    EXPECT_EQ(network.name, "net");
    EXPECT_EQ(network.batch, 1);
    EXPECT_EQ(network.format, std::nullopt);
    const auto& dense = std::get<DenseLayer>(network.layers[0].op);
    EXPECT_EQ(dense.output, LayerOutput::values);
    EXPECT_EQ(dense.activation, std::nullopt);
    EXPECT_FALSE(dense.weights.has_value());
}

// What is written after all defaults reads back to the same document.
TEST(Network, WritesWhatItReads) {
    const auto network = network_of(
        "parameters: {m: 3}\n"
        "batch: m\n"
        "format: int8\n"
        "inputs: {a: {shape: [4, 4, 2], values: x.npy}}\n"
        "layers:\n"
        "  - conv2d: {filters: 2, kernel: [3, 1], padding: [1, 2, 3, 4], bias: [1, 2]}\n"
        "  - conv2d: {filters: 2, kernel: 1, padding: same, bias: false, weights: [1, 2, 3, 4]}\n"
        "  - repeat: {times: 2, entry: x, layers: [relu, {add: {with: x}}]}\n"
        "  - dense: {units: 3, output: sums, mapping: {rows: 4}}\n");
    const auto text = to_yaml(to_node(network));
    const auto again = to_yaml(to_node(network_of(text)));
    EXPECT_EQ(again, text);
    EXPECT_NE(text.find("padding: [1, 2, 3, 4]"), std::string::npos) << text;
}

// What editors read; generated from the declaration, so that the two cannot differ.
TEST(Network, HasAJsonSchemaForEditors) {
    const auto schema =
        json_schema(declaration<Network>(), {.title = "Systole workload", .names = true});
    test::expect_golden("../../configs/schema/workload.schema.json", schema);
}

}  // namespace
}  // namespace systole
