#include "sim/workload/network.hpp"

#include "models/base/schema.hpp"
#include "sim/workload/network_values.hpp"
#include "sim/workload/quantization.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace systole {
namespace {

const char* const name_rule = "must consist of letters, digits, '_' and '-'";
constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();

bool is_name(const std::string& text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-';
    });
}

/// A parameter stands where a number may stand, and on the left of a `--set`.
bool are_parameter_names(const Network& network) {
    return std::all_of(network.parameters.begin(), network.parameters.end(), [](const auto& entry) {
        const auto& name = entry.first;
        return is_name(name) && name.find('-') == std::string::npos &&
               !(name.front() >= '0' && name.front() <= '9');
    });
}

bool are_input_names(const Network& network) {
    return std::all_of(network.inputs.begin(), network.inputs.end(),
                       [](const auto& entry) { return is_name(entry.first); });
}

template <class C>
void describe_naming(Schema<C>& schema) {
    schema.field("name", &C::name, "what reports and other layers call it")
        .location(&C::name_at)
        .check([](const std::string& name) { return name.empty() || is_name(name); }, name_rule);
    schema.field("input", &C::input, "the layer or input it works on; absent: the layer before")
        .location(&C::input_at);
}

template <class C>
void describe_base(Schema<C>& schema) {
    describe_naming(schema);
    schema.field("format", &C::format, "number format; absent: the network's");
    schema.section("mapping", &C::mapping, "what is fixed of the mapping onto the chip");
    schema.section("quantization", &C::quantization, "steps of this layer's int8 tensors");
}

template <class C>
void describe_weighted(Schema<C>& schema) {
    describe_base(schema);
    schema.field("weights", &C::weights,
                 "values in the order [kernel height, kernel width, inputs, outputs]");
    schema.field("bias", &C::bias, "whether there is one, or its values");
    schema.field("activation", &C::activation, "function of the results");
    schema.field("output", &C::output, "what leaves the layer");
}

template <class C>
void describe_windows(Schema<C>& schema) {
    schema.field("padding", &C::padding, "pixels of zeros around the image");
}

template <class Handle>
void as_pair(Handle handle) {
    handle.or_one()
        .range(1, largest)
        .check([](const Pair& pair) { return pair.size() == 1 || pair.size() == 2; },
               "must be one number, or [height, width]");
}

template <class C>
void describe_convolution(Schema<C>& schema) {
    as_pair(schema.field("kernel", &C::kernel, "taps, [height, width]").required());
    as_pair(schema.field("stride", &C::stride, "pixels from one window to the next"));
    describe_windows(schema);
    as_pair(schema.field("dilation", &C::dilation, "pixels from one tap to the next"));
    schema.field("batch_norm", &C::batch_norm, "a scale and a shift of each output channel");
    schema.field("scale", &C::scale, "values of the batch-norm's scale");
    schema.field("shift", &C::shift, "values of the batch-norm's shift");
    describe_weighted(schema);
}

/// `- relu`, `- softmax: {input: logits}`: one struct, whose word says the function.
AlternativeOf<ActivationLayer> function_layer(const std::string& word, Function function) {
    std::string doc;
    for (const auto& entry : Words<Function>::table) {
        doc = entry.value == function ? entry.doc : doc;
    }
    return alternative<ActivationLayer>(word, doc, &ActivationLayer::function, function);
}

}  // namespace

void describe(Schema<Quantization>& schema) {
    schema
        .field("activation_step", &Quantization::activation_step,
               "the real value of one step of an int8 activation")
        .range(least_step, largest_step);
    schema
        .field("weight_step", &Quantization::weight_step,
               "the real value of one step of an int8 weight")
        .range(least_step, largest_step);
}

void describe(Schema<NetworkInput>& schema) {
    schema.location(&NetworkInput::where);
    schema
        .field("shape", &NetworkInput::shape,
               "[features] or [height, width, channels], without the batch")
        .required()
        .range(1, largest);
    schema.field("format", &NetworkInput::format, "number format; absent: the network's");
    schema.field("values", &NetworkInput::values,
                 "numbers in the order [batch, height, width, channels]; absent: drawn");
}

void describe(Schema<DenseLayer>& schema) {
    schema.field("units", &DenseLayer::units, "outputs").required().range(1, largest);
    describe_weighted(schema);
}

void describe(Schema<Conv2dLayer>& schema) {
    schema.field("filters", &Conv2dLayer::filters, "output channels").required().range(1, largest);
    schema.field("groups", &Conv2dLayer::groups, "parts of the channels that do not see each other")
        .range(1, largest);
    describe_convolution(schema);
}

void describe(Schema<DepthwiseConv2dLayer>& schema) {
    schema.field("multiplier", &DepthwiseConv2dLayer::multiplier, "filters of each input channel")
        .range(1, largest);
    describe_convolution(schema);
}

void describe(Schema<PoolLayer>& schema) {
    as_pair(schema.field("kernel", &PoolLayer::kernel, "window, [height, width]").required());
    as_pair(schema.field("stride", &PoolLayer::stride,
                         "pixels from one window to the next; absent: the kernel"));
    describe_windows(schema);
    schema.field("count_padding", &PoolLayer::count_padding,
                 "whether an average counts the padding as pixels");
    describe_base(schema);
}

void describe(Schema<GlobalAvgPoolLayer>& schema) {
    describe_base(schema);
}

void describe(Schema<FlattenLayer>& schema) {
    describe_naming(schema);
}

void describe(Schema<AddLayer>& schema) {
    schema.field("inputs", &AddLayer::inputs, "two or more layers or inputs to add")
        .location(&AddLayer::inputs_at);
    schema.field("with", &AddLayer::with, "the layer or input that is added to `input`")
        .location(&AddLayer::inputs_at);
    schema.field("activation", &AddLayer::activation, "function of the sum");
    describe_base(schema);
}

void describe(Schema<ActivationLayer>& schema) {
    describe_base(schema);
}

void describe(Schema<BiasLayer>& schema) {
    schema.field("values", &BiasLayer::values, "one number a column; absent: drawn");
    describe_base(schema);
}

void describe(Schema<RepeatLayer>& schema) {
    schema.field("times", &RepeatLayer::times, "how often").required().range(1, largest);
    schema
        .field("input", &RepeatLayer::input,
               "the layer or input the first iteration works on; absent: the layer before")
        .location(&RepeatLayer::input_at);
    schema
        .field("entry", &RepeatLayer::entry,
               "what the layers inside call that which enters their iteration")
        .location(&RepeatLayer::entry_at)
        .check([](const std::string& name) { return name.empty() || is_name(name); }, name_rule);
    schema.list("layers", &RepeatLayer::layers, "what is repeated").required();
}

void describe(Schema<Layer>& schema) {
    schema.location(&Layer::where);
    schema.tagged(
        &Layer::op, alternative<DenseLayer>("dense", "each output sees every input"),
        alternative<Conv2dLayer>("conv2d", "convolution over height and width"),
        alternative<DepthwiseConv2dLayer>("depthwise_conv2d", "convolution of each channel alone"),
        alternative<PoolLayer>("max_pool", "largest pixel of a window", &PoolLayer::average, false),
        alternative<PoolLayer>("avg_pool", "mean of a window", &PoolLayer::average, true),
        alternative<GlobalAvgPoolLayer>("global_avg_pool", "mean of each channel"),
        alternative<FlattenLayer>("flatten", "an image as a row of features"),
        alternative<AddLayer>("add", "sum of layers of one shape"),
        function_layer("relu", Function::relu), function_layer("relu6", Function::relu6),
        function_layer("sigmoid", Function::sigmoid), function_layer("tanh", Function::tanh),
        function_layer("gelu", Function::gelu), function_layer("silu", Function::silu),
        function_layer("softmax", Function::softmax),
        alternative<BiasLayer>("bias", "adds a number to each channel"),
        alternative<RepeatLayer>("repeat", "layers, several times over"));
}

void describe(Schema<Network>& schema) {
    schema.location(&Network::where);
    schema.field("name", &Network::name, "absent: the name of the file")
        .check([](const std::string& name) { return name.find('\n') == std::string::npos; },
               "must be one line");
    schema.field("description", &Network::description, "what it is, and from where");
    schema
        .map("parameters", &Network::parameters,
             "names for integers, with their defaults; --set workload.NAME=value changes one")
        .literal()
        .check(are_parameter_names, "must have names of letters, digits and '_'");
    schema.field("batch", &Network::batch, "items that are worked on together").range(1, largest);
    schema.field("format", &Network::format, "number format; absent: the first one of the chip");
    schema.section("input", &Network::input, "the only input");
    schema.map("inputs", &Network::inputs, "several inputs, by name")
        .check(are_input_names, "must have names of letters, digits, '_' and '-'");
    schema.section("quantization", &Network::quantization, "steps of int8 tensors");
    schema.list("layers", &Network::layers, "in the order in which they work").required();
}

Network read_network(const Node& document, const std::string& default_name, ReadContext& context) {
    auto network = read<Network>(document, context);
    if (network.name.empty()) {
        network.name = default_name;
    }
    return network;
}

}  // namespace systole
