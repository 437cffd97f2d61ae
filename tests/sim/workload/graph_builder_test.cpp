#include "sim/workload/quantization.hpp"
#include "tests/support/workload.hpp"

#include <gtest/gtest.h>

namespace systole {
namespace {

using models::VectorOp;
using test::faults_of;
using test::graph_of;

std::vector<VectorOp> ops_of(const Operator& made) {
    std::vector<VectorOp> ops;
    for (const auto& step : made.steps) {
        ops.push_back(step.op);
    }
    return ops;
}

TEST(GraphBuilder, InfersAConvolution) {
    const auto graph = graph_of(
        "batch: 2\n"
        "input: {shape: [17, 23, 6]}\n"
        "layers:\n"
        "  - conv2d: {filters: 8, kernel: [3, 5], stride: [2, 1], dilation: [1, 2],\n"
        "             padding: [1, 2, 0, 3], groups: 2}\n");
    ASSERT_EQ(graph.operators.size(), 1U);
    const auto& conv = graph.operators[0];
    // height (17 + 1 + 0 − 3) / 2 + 1 = 8; width 23 + 2 + 3 − 9 + 1 = 20
    EXPECT_EQ(graph.tensor(conv.output).shape, (Shape{2, 8, 20, 8}));
    EXPECT_EQ(graph.tensor(*conv.weights).shape, (Shape{3 * 5 * 3, 8}));
    EXPECT_EQ(conv.parameters, 3 * 5 * 3 * 8 + 8);
    EXPECT_EQ(conv.macs, 2 * 8 * 20 * 8 * (3 * 5 * 3));
    EXPECT_EQ(conv.view.pad_top, 1);
    EXPECT_EQ(conv.view.pad_left, 2);
    EXPECT_EQ(conv.view.dilation_width, 2);
    EXPECT_EQ(conv.view.groups, 2);
    EXPECT_EQ(conv.view.rows(), 2 * 8 * 20);
    EXPECT_EQ(ops_of(conv), std::vector<VectorOp>{VectorOp::add_columns});
    EXPECT_EQ(graph.tensor(conv.output).role, Tensor::Role::output);
}

TEST(GraphBuilder, InfersADepthwiseConvolution) {
    const auto graph = graph_of(
        "input: {shape: [10, 10, 6]}\n"
        "layers:\n"
        "  - depthwise_conv2d: {kernel: 3, multiplier: 2, stride: 2, padding: same,\n"
        "                       batch_norm: true}\n");
    const auto& conv = graph.operators[0];
    EXPECT_EQ(graph.tensor(conv.output).shape, (Shape{1, 5, 5, 12}));
    EXPECT_EQ(conv.view.groups, 6);
    EXPECT_EQ(conv.parameters, 9 * 12 + 2 * 12);
    EXPECT_EQ(conv.macs, 5 * 5 * 12 * 9);
    EXPECT_EQ(conv.view.pad_top, 0);  // (5 − 1)·2 + 3 − 10 = 1 pixel, behind
    EXPECT_EQ(ops_of(conv),
              (std::vector<VectorOp>{VectorOp::scale_columns, VectorOp::add_columns}));
}

TEST(GraphBuilder, FlattenIsAnotherViewOfTheSameTensor) {
    const auto graph = graph_of(
        "batch: 3\n"
        "input: {shape: [4, 5, 2]}\n"
        "layers:\n"
        "  - max_pool: {kernel: 2}\n"
        "  - flatten\n"
        "  - dense: {units: 7, bias: false}\n");
    ASSERT_EQ(graph.operators.size(), 2U);
    const auto& dense = graph.operators[1];
    EXPECT_EQ(dense.inputs, std::vector<TensorId>{graph.operators[0].output});
    EXPECT_EQ(dense.view.batch, 3);
    EXPECT_EQ(dense.view.channels, 2 * 2 * 2);
    EXPECT_EQ(graph.tensor(dense.output).shape, (Shape{3, 7}));
    EXPECT_EQ(ops_of(dense), std::vector<VectorOp>{VectorOp::copy});
}

TEST(GraphBuilder, DenseWorksOnTheLastDimension) {
    const auto graph = graph_of(
        "batch: 2\n"
        "input: {shape: [3, 4, 5]}\n"
        "layers: [{dense: {units: 7}}]\n");
    const auto& dense = graph.operators[0];
    EXPECT_EQ(graph.tensor(dense.output).shape, (Shape{2, 3, 4, 7}));
    EXPECT_EQ(dense.macs, 2 * 3 * 4 * 5 * 7);
    EXPECT_EQ(dense.view.rows(), 24);
}

TEST(GraphBuilder, ActivationsJoinTheOperatorThatOnlyTheyRead) {
    const auto graph = graph_of(
        "input: {shape: [4]}\n"
        "layers:\n"
        "  - dense: {name: a, units: 4, bias: false}\n"
        "  - bias\n"
        "  - relu\n"
        "  - dense: {name: b, units: 4}\n"
        "  - sigmoid: {name: c}\n"
        "  - add: {with: b}\n"
        "  - tanh\n");
    ASSERT_EQ(graph.operators.size(), 4U);
    EXPECT_EQ(ops_of(graph.operators[0]),
              (std::vector<VectorOp>{VectorOp::add_columns, VectorOp::relu}));
    EXPECT_EQ(graph.operators[0].parameters, 4 * 4 + 4);
    // b is read twice, so that its sigmoid is an operator of its own.
    EXPECT_EQ(graph.operators[2].name, "c");
    EXPECT_EQ(ops_of(graph.operators[3]), (std::vector<VectorOp>{VectorOp::add, VectorOp::tanh}));
    EXPECT_EQ(graph.operators[3].inputs,
              (std::vector<TensorId>{graph.operators[2].output, graph.operators[1].output}));
}

TEST(GraphBuilder, SoftmaxIsAnOperatorOfItsOwn) {
    const auto graph = graph_of(
        "input: {shape: [4]}\n"
        "layers: [{dense: {name: fc, units: 3, activation: softmax}}, relu]\n");
    ASSERT_EQ(graph.operators.size(), 3U);
    EXPECT_EQ(graph.operators[1].name, "fc.softmax");
    EXPECT_EQ(graph.operators[1].op, "softmax");
    EXPECT_EQ(graph.operators[1].kind, Operator::Kind::elementwise);
    EXPECT_EQ(graph.operators[2].op, "relu");
}

TEST(GraphBuilder, ActivationAfterAFlattenDoesNotJoin) {
    const auto graph = graph_of(
        "input: {shape: [2, 2, 3]}\n"
        "layers: [{conv2d: {filters: 3, kernel: 1}}, flatten, softmax]\n");
    ASSERT_EQ(graph.operators.size(), 2U);
    EXPECT_EQ(graph.tensor(graph.operators[1].output).shape, (Shape{1, 12}));
}

TEST(GraphBuilder, Int8StepsAreRealNumbers) {
    const auto graph = graph_of(
        "format: int8\n"
        "input: {shape: [64]}\n"
        "layers:\n"
        "  - dense: {units: 4, activation: relu, bias: [0.1, 0.2, 0.3, 0.4],\n"
        "            quantization: {activation_step: 0.5}}\n"
        "  - dense: {units: 2, bias: false}\n");
    const auto& first = graph.operators[0];
    // 4/√64 = 0.5 = 127 steps of 1/256 and a little; inputs are in steps of 1/32.
    EXPECT_EQ(graph.tensor(*first.weights).step, 1.0 / 128);
    EXPECT_EQ(graph.tensor(first.inputs[0]).step, 1.0 / 32);
    EXPECT_EQ(ops_of(first), (std::vector<VectorOp>{VectorOp::scale, VectorOp::add_columns,
                                                    VectorOp::relu, VectorOp::quantize}));
    EXPECT_EQ(first.steps[0].parameter, 1.0 / (128 * 32));
    EXPECT_EQ(first.steps[3].parameter, 2.0);
    const auto& bias = graph.tensor(*first.steps[1].operand);
    EXPECT_EQ(bias.format, Format::fp32);
    EXPECT_EQ(bias.step, 1.0);
    EXPECT_EQ(std::get<Given>(bias.source).values, (std::vector<double>{0.1, 0.2, 0.3, 0.4}));
    // Without a bias the scale joins the rounding.
    const auto& second = graph.operators[1];
    EXPECT_EQ(graph.tensor(second.inputs[0]).step, 0.5);
    EXPECT_EQ(ops_of(second), std::vector<VectorOp>{VectorOp::quantize});
}

TEST(GraphBuilder, Int8SumsOfBranchesShareOneStep) {
    const auto graph = graph_of(
        "format: int8\n"
        "inputs: {a: {shape: [2], values: [127, 0]}, b: {shape: [2], values: [0, 0.9921875]}}\n"
        "layers: [{add: {inputs: [a, b]}}]\n");
    const auto& add = graph.operators[0];
    EXPECT_EQ(graph.tensor(add.inputs[0]).step, 1.0);
    EXPECT_EQ(graph.tensor(add.inputs[1]).step, 1.0 / 128);
    EXPECT_EQ(ops_of(add),
              (std::vector<VectorOp>{VectorOp::scale, VectorOp::add, VectorOp::quantize}));
    EXPECT_EQ(add.steps[0].parameter, 128.0);
    EXPECT_EQ(add.steps[2].parameter, 32.0 / 128);
}

TEST(GraphBuilder, PoolsKeepTheStepOfTheirInput) {
    const auto graph = graph_of(
        "format: int8\n"
        "quantization: {activation_step: 0.125}\n"
        "input: {shape: [4, 4, 2]}\n"
        "layers: [{max_pool: {kernel: 2}}, global_avg_pool]\n");
    EXPECT_EQ(graph.tensor(graph.operators[0].output).step, 0.125);
    EXPECT_EQ(ops_of(graph.operators[0]),
              (std::vector<VectorOp>{VectorOp::max_pool, VectorOp::quantize}));
    EXPECT_EQ(graph.operators[0].steps[1].parameter, 1.0);
    EXPECT_EQ(graph.tensor(graph.operators[1].output).shape, (Shape{1, 2}));
    EXPECT_EQ(graph.operators[1].view.kernel_height, 2);
}

TEST(GraphBuilder, SumsLeaveInTheFormatOfTheAccumulators) {
    const std::string text =
        "input: {shape: [16]}\nlayers: [{dense: {units: 2, output: sums}}, relu]\n";
    const auto integers = graph_of("format: int8\n" + text);
    const auto& sums = integers.tensor(integers.operators[0].output);
    EXPECT_TRUE(integers.operators[0].raw_sums);
    EXPECT_TRUE(integers.operators[0].steps.empty());
    EXPECT_EQ(sums.format, Format::int32);
    // 4/√16 = 1 needs steps of 1/64.
    EXPECT_EQ(sums.step, 1.0 / 32 / 64);
    EXPECT_EQ(integers.operators[1].name, "relu_1");
    const auto halves = graph_of("format: bf16\n" + text);
    EXPECT_EQ(halves.tensor(halves.operators[0].output).format, Format::fp32);
}

TEST(GraphBuilder, ConvertsWhereFormatsMeetAndOnlyOnce) {
    const auto graph = graph_of(
        "format: fp32\n"
        "input: {shape: [4]}\n"
        "layers:\n"
        "  - dense: {name: a, units: 4, format: bf16, input: input}\n"
        "  - dense: {name: b, units: 4, format: bf16, input: input}\n");
    ASSERT_EQ(graph.operators.size(), 3U);
    EXPECT_EQ(graph.operators[0].op, "convert");
    EXPECT_EQ(graph.operators[0].name, "a.input");
    EXPECT_EQ(graph.tensor(graph.operators[0].output).format, Format::bf16);
    EXPECT_EQ(graph.operators[2].inputs, std::vector<TensorId>{graph.operators[0].output});
    EXPECT_EQ(graph.operators[2].view.format, Format::bf16);
}

TEST(GraphBuilder, NativeFormatIsThatOfANetworkThatNamesNone) {
    const std::string text = "input: {shape: [4]}\nlayers: [{dense: {units: 2}}]\n";
    EXPECT_EQ(graph_of(text, Format::fp16).operators[0].view.format, Format::fp16);
    EXPECT_EQ(graph_of("format: bf16\n" + text, Format::fp16).operators[0].view.format,
              Format::bf16);
}

TEST(GraphBuilder, KeepsTheMappingAskedFor) {
    const auto graph = graph_of(
        "input: {shape: [4]}\n"
        "layers:\n"
        "  - dense: {units: 2, mapping: {order: rows_outer, rows: 8, keep_output: false}}\n"
        "  - relu: {mapping: {rows: 4}}\n");
    ASSERT_EQ(graph.operators.size(), 2U) << "a layer with a mapping of its own joins no other";
    EXPECT_EQ(graph.operators[0].mapping->order, LoopOrder::rows_outer);
    EXPECT_EQ(graph.operators[0].mapping->rows, 8);
    EXPECT_EQ(graph.operators[0].mapping->outputs, std::nullopt);
    EXPECT_EQ(graph.operators[0].mapping->keep_output, false);
    EXPECT_EQ(graph.operators[1].mapping->rows, 4);
}

// What the file format cannot say but a program can.
TEST(GraphBuilder, ChecksNetworksThatWereNotRead) {
    Network network;
    network.input = NetworkInput{{4}, {}, {}, {}};
    DenseLayer dense;
    dense.units = 0;
    network.layers.push_back({dense, {}});
    PoolLayer pool;
    network.layers.push_back({pool, {}});
    network.format = Format::int32;
    try {
        static_cast<void>(build_graph(network, Format::fp32));
        FAIL() << "accepted";
    } catch (const InputError& error) {
        ASSERT_EQ(error.faults().size(), 2U) << error.what();
        EXPECT_EQ(error.faults()[0].what, "the network cannot be in int32");
        EXPECT_EQ(error.faults()[1].what,
                  "layer 'dense_1': 'units' is 0, but must be from 1 to 2147483647");
    }
}

TEST(GraphBuilder, TellsAFaultOfARepeatedLayerOnce) {
    EXPECT_EQ(faults_of("input: {shape: [4]}\n"
                        "layers:\n"
                        "  - repeat: {times: 50, layers: [{dense: {units: 4, format: int32}}]}\n"),
              "net.yaml:3:35: error: layer 'dense_1' cannot be in int32\n"
              "  hint: int32 is what int8 products are summed in; write int8\n");
}

TEST(GraphBuilder, TellsAllFaultsInTheOrderOfTheFile) {
    EXPECT_EQ(faults_of("input: {shape: [8, 8, 3]}\n"
                        "layers:\n"
                        "  - conv2d: {name: a, filters: 4, kernel: 9}\n"
                        "  - relu: {input: nowhere}\n"
                        "  - conv2d: {name: a, input: input, filters: 4, kernel: 3, groups: 2}\n"),
              "net.yaml:3:5: error: layer 'a': the kernel is 9 pixels high, its input with the "
              "padding 8\n"
              "net.yaml:4:19: error: layer 'relu_1' works on 'nowhere', but no input and no "
              "earlier layer is called so\n"
              "net.yaml:5:5: error: layer 'a': 2 groups do not divide the 3 input channels\n"
              "net.yaml:5:20: error: the name 'a' is taken\n"
              "  hint: it was given at net.yaml:3:20\n");
}

}  // namespace
}  // namespace systole
