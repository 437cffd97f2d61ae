#include "sim/workload/summary.hpp"

#include "tests/support/workload.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace systole {
namespace {

// A convolution of 3 × 3 on 6 × 6 × 2, padded to the same size, with batch-norm; a residual add; a
// dense layer. Everything by hand, batch 2, in int8.
const char* const small_net =
    "name: small\n"
    "description: a test\n"
    "batch: 2\n"
    "format: int8\n"
    "input: {shape: [6, 6, 2]}\n"
    "layers:\n"
    "  - conv2d: {name: c, filters: 2, kernel: 3, padding: same, batch_norm: true}\n"
    "  - add: {name: a, with: input, activation: relu}\n"
    "  - flatten\n"
    "  - dense: {name: d, units: 10}\n";

TEST(Summary, CountsByHand) {
    const auto summary = summarize(test::graph_of(small_net));
    ASSERT_EQ(summary.layers.size(), 3U);
    const auto& conv = summary.layers[0];
    EXPECT_EQ(conv.parameters, 3 * 3 * 2 * 2 + 2 + 2);
    EXPECT_EQ(conv.macs, 2 * 36 * 2 * 18);
    EXPECT_EQ(conv.weights, Bytes{36 + 4 * (2 + 2)}) << "int8 weights, fp32 scale and shift";
    EXPECT_EQ(conv.input, Bytes{2 * 72});
    EXPECT_EQ(conv.output, Bytes{2 * 72});
    const auto& add = summary.layers[1];
    EXPECT_EQ(add.parameters, 0);
    EXPECT_EQ(add.input, Bytes{2 * 144});
    const auto& dense = summary.layers[2];
    EXPECT_EQ(dense.output_shape, (Shape{2, 10}));
    EXPECT_EQ(dense.parameters, 72 * 10 + 10);
    EXPECT_EQ(dense.weights, Bytes{720 + 40});
    EXPECT_EQ(summary.total.parameters, 40 + 730);
    EXPECT_EQ(summary.total.macs, 2592 + 2 * 720);
    EXPECT_EQ(summary.total.weights, Bytes{52 + 760});
    EXPECT_EQ(summary.total.activations(), Bytes{(144 + 144) + (288 + 144) + (144 + 20)});
}

TEST(Summary, JsonHasTheKeysOfItsSchema) {
    const auto json = nlohmann::ordered_json::parse(to_json(summarize(test::graph_of(small_net))));
    EXPECT_EQ(json.at("schema"), "systole.summary/1");
    EXPECT_EQ(json.at("name"), "small");
    EXPECT_EQ(json.at("totals").at("parameters"), 770);
    EXPECT_EQ(json.at("totals").at("macs"), 4032);
    EXPECT_EQ(json.at("totals").at("weight_bytes"), 812);
    EXPECT_EQ(json.at("totals").at("activation_bytes"), 884);
    ASSERT_EQ(json.at("layers").size(), 3U);
    const auto& dense = json.at("layers").at(2);
    EXPECT_EQ(dense.at("name"), "d");
    EXPECT_EQ(dense.at("op"), "dense");
    EXPECT_EQ(dense.at("output_shape"), (std::vector<int>{2, 10}));
    EXPECT_EQ(dense.at("parameters"), 730);
    EXPECT_EQ(dense.at("macs"), 1440);
    EXPECT_EQ(dense.at("weight_bytes"), 760);
    EXPECT_EQ(dense.at("input_bytes"), 144);
    EXPECT_EQ(dense.at("output_bytes"), 20);
}

TEST(Summary, TableShowsEachLayerAndTheTotal) {
    EXPECT_EQ(to_table(summarize(test::graph_of(small_net))),
              "small: a test\n"
              "\n"
              "layer  op      output        parameters   MACs  weight bytes  activation bytes\n"
              "------------------------------------------------------------------------------\n"
              "c      conv2d  [2, 6, 6, 2]          40  2,592            52               288\n"
              "a      add     [2, 6, 6, 2]           0      0             0               432\n"
              "d      dense   [2, 10]              730  1,440           760               164\n"
              "------------------------------------------------------------------------------\n"
              "total                               770  4,032           812               884\n");
}

}  // namespace
}  // namespace systole
