#pragma once

#include "models/base/words.hpp"
#include "models/numerics/format.hpp"
#include "sim/mapping/mapping_request.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// A network as a person writes it. Nothing here is checked beyond the form of the document: shapes
// and references are the business of build_graph().

namespace systole {

template <class C>
class Schema;

using numerics::Format;

/// The numbers of a tensor: in place, or in a .npy or .csv file beside the workload.
struct Numbers {
    std::variant<std::vector<double>, std::string> source;
    SourceLocation where;
};

/// What one code of an int8 tensor is worth. The defaults are chosen in quantization.hpp.
struct Quantization {
    std::optional<double> activation_step;
    std::optional<double> weight_step;
};

struct NetworkInput {
    std::vector<std::int64_t> shape;  ///< without the batch: [h, w, c] or [features]
    std::optional<Format> format;
    std::optional<Numbers> values;
    SourceLocation where;
};

enum class Function { relu, relu6, sigmoid, tanh, gelu, silu, softmax };

/// What leaves a layer.
enum class LayerOutput { values, sums };

template <>
struct Words<Function> {
    static constexpr Word<Function> table[] = {
        {Function::relu, "relu", "max(x, 0)"},
        {Function::relu6, "relu6", "min(max(x, 0), 6)"},
        {Function::sigmoid, "sigmoid", "1 / (1 + exp(-x))"},
        {Function::tanh, "tanh", "hyperbolic tangent"},
        {Function::gelu, "gelu", "x times the normal distribution function of x"},
        {Function::silu, "silu", "x times sigmoid(x)"},
        {Function::softmax, "softmax", "exp(x) / the sum of exp(x) over the channels"}};
};

template <>
struct Words<LayerOutput> {
    static constexpr Word<LayerOutput> table[] = {
        {LayerOutput::values, "values", "numbers of the layer's format"},
        {LayerOutput::sums, "sums", "the sums as the array made them: int32 or fp32"}};
};

/// The pixels around an image. `same` is TensorFlow's: ⌈size / stride⌉ outputs, the odd pixel at
/// the bottom and at the right.
struct Padding {
    bool same = false;
    std::int64_t top = 0;
    std::int64_t left = 0;
    std::int64_t bottom = 0;
    std::int64_t right = 0;
};

struct LayerNaming {
    std::string name;   ///< empty: the layer's word and a number
    std::string input;  ///< a name; empty: the layer before
    SourceLocation name_at;
    SourceLocation input_at;
};

/// What the layers share that become an operator.
struct LayerBase : LayerNaming {
    std::optional<Format> format;
    std::optional<MappingRequest> mapping;
    Quantization quantization;
};

/// `bias: true`, `bias: false` or its numbers.
struct BiasRequest {
    bool wanted = true;
    std::optional<Numbers> values;
};

/// What the layers with weights share.
struct WeightedLayer : LayerBase {
    /// Absent: there is one, unless a batch-norm follows or the sums leave as they are.
    std::optional<BiasRequest> bias;
    std::optional<Numbers> weights;
    std::optional<Function> activation;
    LayerOutput output = LayerOutput::values;
};

struct DenseLayer : WeightedLayer {
    std::int64_t units = 0;
};

/// A pair of numbers may be written as one: `3` is `[3, 3]`.
using Pair = std::vector<std::int64_t>;

/// What the convolutions share. A batch-norm is that of inference: a scale and a shift of each
/// output channel.
struct ConvLayer : WeightedLayer {
    Pair kernel;
    Pair stride{1};
    Padding padding;
    Pair dilation{1};
    bool batch_norm = false;
    std::optional<Numbers> scale;
    std::optional<Numbers> shift;
};

struct Conv2dLayer : ConvLayer {
    std::int64_t filters = 0;
    std::int64_t groups = 1;
};

/// Each channel is convolved by itself, with `multiplier` filters.
struct DepthwiseConv2dLayer : ConvLayer {
    std::int64_t multiplier = 1;
};

struct PoolLayer : LayerBase {
    bool average = false;
    Pair kernel;
    std::optional<Pair> stride;  ///< absent: the kernel
    Padding padding;
    bool count_padding = false;
};

struct GlobalAvgPoolLayer : LayerBase {};

struct FlattenLayer : LayerNaming {};

struct AddLayer : LayerBase {
    std::vector<std::string> inputs;  ///< two or more; or
    std::string with;                 ///< one, added to `input`
    std::optional<Function> activation;
    SourceLocation inputs_at;
};

struct ActivationLayer : LayerBase {
    Function function = Function::relu;
};

struct BiasLayer : LayerBase {
    std::optional<Numbers> values;
};

struct Layer;

/// The first of `layers` works on what the iteration before has made.
struct RepeatLayer {
    std::int64_t times = 1;
    std::string input;  ///< of the first iteration; empty: the layer before
    std::string entry;  ///< what the layers call that which enters their iteration
    std::vector<Layer> layers;
    SourceLocation input_at;
    SourceLocation entry_at;
};

struct Layer {
    std::variant<DenseLayer, Conv2dLayer, DepthwiseConv2dLayer, PoolLayer, GlobalAvgPoolLayer,
                 FlattenLayer, AddLayer, ActivationLayer, BiasLayer, RepeatLayer>
        op;
    SourceLocation where;
};

struct Network {
    std::string name;
    std::string description;
    std::map<std::string, std::int64_t> parameters;
    std::int64_t batch = 1;
    std::optional<Format> format;  ///< absent: the first one of the chip
    std::optional<NetworkInput> input;
    std::map<std::string, NetworkInput> inputs;
    Quantization quantization;
    std::vector<Layer> layers;
    SourceLocation where;
};

void describe(Schema<Quantization>& schema);
void describe(Schema<NetworkInput>& schema);
void describe(Schema<DenseLayer>& schema);
void describe(Schema<Conv2dLayer>& schema);
void describe(Schema<DepthwiseConv2dLayer>& schema);
void describe(Schema<PoolLayer>& schema);
void describe(Schema<GlobalAvgPoolLayer>& schema);
void describe(Schema<FlattenLayer>& schema);
void describe(Schema<AddLayer>& schema);
void describe(Schema<ActivationLayer>& schema);
void describe(Schema<BiasLayer>& schema);
void describe(Schema<RepeatLayer>& schema);
void describe(Schema<Layer>& schema);
void describe(Schema<Network>& schema);

struct Node;
struct ReadContext;

/// Reads a workload document, whose parameters are the names of `context`; a network without a name
/// is called `default_name`. Faults are recorded in the context.
[[nodiscard]] Network read_network(const Node& document, const std::string& default_name,
                                   ReadContext& context);

}  // namespace systole
