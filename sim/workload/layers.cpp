#include "models/base/diagnostics.hpp"
#include "sim/workload/graph_builder.hpp"
#include "sim/workload/numbers.hpp"

#include <fmt/format.h>

#include <utility>

namespace systole {
namespace {

models::VectorOp vector_op(Function function) {
    using models::VectorOp;
    switch (function) {
        case Function::relu:
            return VectorOp::relu;
        case Function::relu6:
            return VectorOp::relu6;
        case Function::sigmoid:
            return VectorOp::sigmoid;
        case Function::tanh:
            return VectorOp::tanh;
        case Function::gelu:
            return VectorOp::gelu;
        case Function::silu:
            return VectorOp::silu;
        case Function::softmax:
            return VectorOp::softmax;
    }
    return VectorOp::copy;
}

/// An image of which each channel is a group of its own.
models::ConvView view_of_pool(const Shape& image) {
    models::ConvView view;
    view.batch = image[0];
    view.height = image[1];
    view.width = image[2];
    view.channels = image[3];
    view.out_channels = view.channels;
    view.groups = view.channels;
    return view;
}

}  // namespace

GraphBuilder::Value GraphBuilder::build(const Here& here, const PoolLayer& pool) {
    if (!is_image(here)) {
        return {};
    }
    auto view = view_of_pool(here.sources.front().shape);
    if (!set_windows(here, pool.kernel, pool.stride.value_or(pool.kernel), {1, 1}, pool.padding,
                     view)) {
        return {};
    }
    return add_pool(here, pool, pool.average, pool.count_padding, view,
                    {view.batch, view.out_height, view.out_width, view.channels});
}

GraphBuilder::Value GraphBuilder::build(const Here& here, const GlobalAvgPoolLayer& pool) {
    if (!is_image(here)) {
        return {};
    }
    auto view = view_of_pool(here.sources.front().shape);
    view.kernel_height = view.stride_height = view.height;
    view.kernel_width = view.stride_width = view.width;
    return add_pool(here, pool, true, false, view, {view.batch, view.channels});
}

GraphBuilder::Value GraphBuilder::add_pool(const Here& here, const LayerBase& base, bool average,
                                           bool count_padding, const models::ConvView& view,
                                           Shape shape) {
    if (!is_countable(here, "pixels in the windows",
                      {view.batch, view.out_height, view.out_width, view.channels,
                       view.kernel_height, view.kernel_width})) {
        return {};
    }
    const auto op = average ? models::VectorOp::average_pool : models::VectorOp::max_pool;
    Operator made;
    made.kind = Operator::Kind::pool;
    made.count_padding = count_padding;
    made.view = view;
    return add_vector_operator(here, base, here.name, std::move(made), {{op, std::nullopt}},
                               std::move(shape));
}

GraphBuilder::Value GraphBuilder::build(const Here& here, const FlattenLayer&) {
    Value value = here.sources.front();
    if (value.shape.size() != 2) {
        value.shape = {value.shape.front(), elements(value.shape) / value.shape.front()};
        value.op = -1;
        if (value.shape.back() > largest_dimension) {
            fault(here, fmt::format("makes {} features, more than {}", value.shape.back(),
                                    largest_dimension));
            return {};
        }
    }
    return value;
}

GraphBuilder::Value GraphBuilder::build(const Here& here, const AddLayer& add) {
    if (here.sources.size() < 2) {
        return {};  // the topology has said so
    }
    const auto& shape = here.sources.front().shape;
    std::vector<RealStep> steps;
    Operator made;
    for (std::size_t i = 1; i < here.sources.size(); ++i) {
        const auto& other = here.sources[i];
        if (other.shape != shape) {
            fault(here,
                  fmt::format("cannot add {} and {}", to_string(shape), to_string(other.shape)));
            return {};
        }
        steps.push_back({models::VectorOp::add, other.tensor});
        made.inputs.push_back(other.tensor);
    }
    const auto value =
        add_vector_operator(here, add, here.name, std::move(made), std::move(steps), shape);
    return add.activation && value.tensor >= 0 ? activate(here, add, value, *add.activation)
                                               : value;
}

GraphBuilder::Value GraphBuilder::build(const Here& here, const ActivationLayer& activation) {
    const auto& source = here.sources.front();
    if (activation.function != Function::softmax && can_join(here, activation)) {
        join(activation, source, {vector_op(activation.function), std::nullopt});
        return source;
    }
    return add_vector_operator(here, activation, here.name, {},
                               {{vector_op(activation.function), std::nullopt}}, source.shape);
}

GraphBuilder::Value GraphBuilder::build(const Here& here, const BiasLayer& bias) {
    const auto& source = here.sources.front();
    const std::int64_t columns = source.shape.back();
    const auto vector = add_vector(here, "bias", columns, unit_bound(), bias.values);
    if (!vector) {
        return {};
    }
    const RealStep step{models::VectorOp::add_columns, vector};
    if (can_join(here, bias)) {
        join(bias, source, step);
        graph_.operators[static_cast<std::size_t>(source.op)].parameters += columns;
        return source;
    }
    Operator made;
    made.parameters = columns;
    return add_vector_operator(here, bias, here.name, std::move(made), {step}, source.shape);
}

GraphBuilder::Value GraphBuilder::build(const Here&, const RepeatLayer&) {
    SYSTOLE_ASSERT(false, "the topology writes repeats out");
    return {};
}

/// The activation that a layer has as its own: part of its operator, but for softmax, which needs
/// whole rows of results and so is an operator.
GraphBuilder::Value GraphBuilder::activate(const Here& here, const LayerBase& base,
                                           const Value& value, Function function) {
    if (function != Function::softmax) {
        join(base, value, {vector_op(function), std::nullopt});
        return value;
    }
    tensor(value.tensor).step =
        tensor(value.tensor).format == Format::int8 ? activation_step_of({}) : 1.0;
    Here inner{here.layer, here.name, {value}, true};
    LayerBase own;
    own.format = base.format;
    own.quantization = base.quantization;
    return add_vector_operator(inner, own, here.name + ".softmax", {},
                               {{models::VectorOp::softmax, std::nullopt}}, value.shape);
}

/// An operator of the vector unit alone, on the first source. Where nothing can make the numbers
/// larger, an int8 result has the step of its input.
GraphBuilder::Value GraphBuilder::add_vector_operator(const Here& here, const LayerBase& base,
                                                      const std::string& name, Operator made,
                                                      std::vector<RealStep> steps, Shape shape) {
    const Tensor& source = graph_.tensor(here.sources.front().tensor);
    Tensor output = output_of(base, std::move(shape));
    const auto op = steps.front().op;
    const bool keeps_range = op == models::VectorOp::relu || op == models::VectorOp::max_pool ||
                             op == models::VectorOp::average_pool;
    if (keeps_range && source.format == Format::int8 && output.format == Format::int8 &&
        !base.quantization.activation_step) {
        output.step = source.step;
    }
    made.name = name;
    made.op = name == here.name ? op_of(here.layer) : "softmax";
    if (made.kind == Operator::Kind::pool) {
        made.view.format = source.format;
    } else {
        made.kind = Operator::Kind::elementwise;
    }
    made.inputs.insert(made.inputs.begin(), here.sources.front().tensor);
    const double worth = source.step;
    return add_operator(here, base, std::move(made), {std::move(steps), worth}, std::move(output));
}

/// Whether what the layer does can be done by the operator that made its input: nobody else wants
/// to see the result as it was before.
bool GraphBuilder::can_join(const Here& here, const LayerBase& base) const {
    const auto& source = here.sources.front();
    if (source.op < 0 || !here.only_reader || base.mapping) {
        return false;
    }
    const auto& writer = graph_.operators[static_cast<std::size_t>(source.op)];
    return !writer.raw_sums && (writer.kind != Operator::Kind::elementwise || writer.op == "add" ||
                                writer.op == "bias");
}

void GraphBuilder::join(const LayerBase& base, const Value& value, const RealStep& step) {
    pending_[static_cast<std::size_t>(value.op)].steps.push_back(step);
    Tensor& output = tensor(value.tensor);
    if (base.format) {
        output.format = *base.format;
    }
    if (output.format != Format::int8) {
        output.step = 1.0;
    } else if (base.format || base.quantization.activation_step) {
        output.step = activation_step_of(base);
    }
}

}  // namespace systole
