#include "tests/support/random_case.hpp"

#include <string>
#include <utility>

namespace systole::test {

using models::Dataflow;
using models::EdgeTiles;
using models::MemoryModel;

std::optional<Function> RandomCase::activation() {
    if (chance(50)) {
        return std::nullopt;
    }
    return one_of({Function::relu, Function::relu6, Function::sigmoid, Function::tanh,
                   Function::gelu, Function::silu});
}

Layer RandomCase::convolution(std::int64_t channels) {
    const auto fill = [&](ConvLayer& conv) {
        conv.kernel = {pick(1, 3), pick(1, 3)};
        conv.stride = {pick(1, 2), pick(1, 2)};
        conv.dilation = {pick(1, 2), pick(1, 2)};
        conv.padding = {chance(30), pick(0, 1), pick(0, 1), pick(0, 1), pick(0, 1)};
        conv.batch_norm = chance(20);
        if (chance(20)) {
            conv.bias = BiasRequest{false, {}};
        }
        conv.activation = activation();
    };
    if (chance(25)) {
        DepthwiseConv2dLayer depthwise;
        fill(depthwise);
        depthwise.multiplier = pick(1, 2);
        return {std::move(depthwise), {}};
    }
    Conv2dLayer conv;
    fill(conv);
    conv.groups = chance(30) && channels % 2 == 0 ? 2 : 1;
    conv.filters = conv.groups * pick(1, 5);
    return {std::move(conv), {}};
}

Layer RandomCase::image_layer(std::int64_t channels) {
    if (chance(20)) {
        PoolLayer pool;
        pool.average = chance(50);
        pool.kernel = {pick(1, 3), pick(1, 3)};
        pool.stride = Pair{pick(1, 3), pick(1, 2)};
        pool.padding = {chance(20), 0, 0, 0, 0};
        pool.count_padding = chance(50);
        return {std::move(pool), {}};
    }
    return convolution(channels);
}

Layer RandomCase::features_layer() {
    if (chance(15)) {
        ActivationLayer layer;
        layer.function = one_of({Function::relu, Function::tanh, Function::softmax});
        return {std::move(layer), {}};
    }
    DenseLayer dense;
    dense.units = pick(1, 20);
    dense.activation = activation();
    if (chance(20)) {
        dense.bias = BiasRequest{false, {}};
    }
    return {std::move(dense), {}};
}

/// x + convolution(x), as in a residual network.
void RandomCase::residual_block(Network& network, std::int64_t channels) {
    Conv2dLayer first;
    first.name = "fork" + std::to_string(network.layers.size());
    first.kernel = {1};
    first.filters = channels;
    Conv2dLayer second;
    second.kernel = {3};
    second.padding.same = true;
    second.filters = channels;
    AddLayer add;
    add.with = first.name;
    add.activation = activation();
    network.layers.push_back({std::move(first), {}});
    network.layers.push_back({std::move(second), {}});
    network.layers.push_back({std::move(add), {}});
}

Network RandomCase::network() {
    Network network;
    network.name = "random";
    network.batch = pick(1, 4);
    network.format = one_of({Format::int8, Format::bf16, Format::fp16, Format::fp32});
    network.input.emplace();
    if (chance(60)) {
        const std::int64_t channels = pick(1, 6);
        network.input->shape = {pick(1, 8), pick(1, 8), channels};
        if (chance(30)) {
            residual_block(network, pick(1, 5));
        } else {
            network.layers.push_back(image_layer(channels));
        }
        for (auto more = pick(0, 2); more > 0; --more) {
            network.layers.push_back(image_layer(1));
        }
        network.layers.push_back(chance(30) ? Layer{GlobalAvgPoolLayer{}, {}}
                                            : Layer{FlattenLayer{}, {}});
    } else {
        network.input->shape = {pick(1, 40)};
    }
    for (auto more = pick(1, 3); more > 0; --more) {
        network.layers.push_back(features_layer());
    }
    if (chance(20)) {
        DenseLayer sums;
        sums.units = pick(1, 9);
        sums.output = LayerOutput::sums;
        network.layers.push_back({std::move(sums), {}});
    }
    return network;
}

models::MatrixConfig RandomCase::matrix_unit() {
    const std::vector<Format> formats{Format::int8, Format::bf16, Format::fp16, Format::fp32};
    if (chance(10)) {
        return models::SimtConfig{pick(1, 4), pick(1, 9), pick(1, 40), formats};
    }
    models::SystolicConfig array;
    array.rows = pick(1, 8);
    array.cols = pick(1, 8);
    array.dataflow = one_of({Dataflow::weight_stationary, Dataflow::weight_stationary,
                             Dataflow::output_stationary, Dataflow::input_stationary});
    array.weight_buffers = array.dataflow == Dataflow::output_stationary ? 1 : pick(1, 2);
    array.edge_tiles = chance(50) ? EdgeTiles::full : EdgeTiles::trimmed;
    array.accumulators = pick(array.dataflow == Dataflow::output_stationary ? array.rows : 1, 60);
    array.formats = formats;
    array.pe.latency = chance(70) ? 1 : pick(2, 5);
    return array;
}

models::ChipConfig RandomCase::chip(Bytes scratchpad) {
    models::ChipConfig chip;
    chip.name = "random";
    chip.clock = Hertz{1e9};
    chip.cores = chance(50) ? 1 : pick(2, 4);
    chip.core.matrix = matrix_unit();
    if (chance(85)) {
        chip.core.vector.lanes = pick(1, 16);
    }
    chip.core.scratchpad = {scratchpad, pick(1, 16), Bytes{pick(1, 40)}};
    if (chance(30)) {
        chip.shared_sram = models::SharedSramConfig{Bytes{pick(64, 1 << 16)}, pick(1, 4),
                                                    Bytes{pick(1, 16)}, pick(0, 9)};
    }
    chip.interconnect = {Bytes{pick(1, 64)}, pick(1, 9), Bytes{pick(1, 300)}};
    if (chance(80)) {
        chip.memory.model = MemoryModel::bandwidth;
        chip.memory.bandwidth = BytesPerSecond{static_cast<double>(pick(1, 40)) * 1e9};
        chip.memory.latency = Seconds{static_cast<double>(pick(0, 100)) * 1e-9};
    } else {
        chip.memory.model = MemoryModel::ideal;
    }
    return chip;
}

}  // namespace systole::test
