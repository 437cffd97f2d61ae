#pragma once

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

/// What leaves a layer: numbers of its format, or the sums as the array made them.
enum class LayerOutput { values, sums };

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

/// `bias: true`, `bias: false` or its numbers. Absent: yes, unless a batch-norm follows or the sums
/// leave as they are.
struct BiasRequest {
    std::optional<bool> wanted;
    std::optional<Numbers> values;
};

/// What the layers with weights share.
struct WeightedLayer : LayerBase {
    BiasRequest bias;
    std::optional<Numbers> weights;
    std::optional<Function> activation;
    LayerOutput output = LayerOutput::values;
};

struct DenseLayer : WeightedLayer {
    std::int64_t units = 0;
};

/// A pair of numbers may be written as one: `3` is `[3, 3]`.
using Pair = std::vector<std::int64_t>;

struct ConvLayer : WeightedLayer {
    bool depthwise = false;
    std::int64_t filters = 0;     ///< not for depthwise
    std::int64_t multiplier = 1;  ///< depthwise: filters of each channel
    Pair kernel;
    Pair stride{1, 1};
    Padding padding;
    Pair dilation{1, 1};
    std::int64_t groups = 1;  ///< not for depthwise
    bool batch_norm = false;
    std::optional<Numbers> scale;  ///< of the batch-norm, one a filter
    std::optional<Numbers> shift;
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

struct RepeatLayer {
    std::int64_t times = 1;
    std::vector<Layer> layers;  ///< the first reads what the iteration before has made
};

struct Layer {
    std::variant<DenseLayer, ConvLayer, PoolLayer, GlobalAvgPoolLayer, FlattenLayer, AddLayer,
                 ActivationLayer, BiasLayer, RepeatLayer>
        op;
    SourceLocation where;
};

struct Network {
    std::int64_t schema_version = 1;
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

}  // namespace systole
