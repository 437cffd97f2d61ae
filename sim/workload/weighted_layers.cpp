#include "sim/workload/graph_builder.hpp"
#include "sim/workload/numbers.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace systole {
namespace {

/// Rows of the weight matrix: the products of one sum.
std::int64_t depth_of(const models::ConvView& view) {
    return view.kernel_height * view.kernel_width * view.group_channels();
}

bool has_bias(const WeightedLayer& weighted, const ConvLayer* conv) {
    return weighted.bias
               ? weighted.bias->wanted
               : (conv == nullptr || !conv->batch_norm) && weighted.output == LayerOutput::values;
}

}  // namespace

GraphBuilder::Value GraphBuilder::build(const Here& here, const DenseLayer& dense) {
    Shape shape = here.sources.front().shape;
    if (!in_range(here, "units", dense.units, 1)) {
        return {};
    }
    models::ConvView view;
    view.channels = shape.back();
    view.out_channels = dense.units;
    for (std::size_t i = 0; i + 1 < shape.size(); ++i) {
        view.batch *= shape[i];  // at most the elements of the input, which were counted
    }
    shape.back() = dense.units;
    return product(here, dense, nullptr, view, std::move(shape));
}

GraphBuilder::Value GraphBuilder::build(const Here& here, const Conv2dLayer& conv) {
    const bool are_filters = in_range(here, "filters", conv.filters, 1);
    const bool are_groups = in_range(here, "groups", conv.groups, 1);
    return are_filters && are_groups && is_image(here)
               ? convolution(here, conv, conv.filters, conv.groups)
               : Value{};
}

GraphBuilder::Value GraphBuilder::build(const Here& here, const DepthwiseConv2dLayer& conv) {
    if (!is_image(here) || !in_range(here, "multiplier", conv.multiplier, 1)) {
        return {};
    }
    const std::int64_t channels = here.sources.front().shape.back();
    return convolution(here, conv, channels * conv.multiplier, channels);
}

GraphBuilder::Value GraphBuilder::convolution(const Here& here, const ConvLayer& conv,
                                              std::int64_t filters, std::int64_t groups) {
    const auto& input = here.sources.front().shape;
    models::ConvView view;
    view.batch = input[0];
    view.height = input[1];
    view.width = input[2];
    view.channels = input[3];
    view.out_channels = filters;
    view.groups = groups;
    const bool fits =
        set_windows(here, conv.kernel, conv.stride, conv.dilation, conv.padding, view);
    if (!do_groups_divide(here, view) || !fits) {
        return {};
    }
    Shape shape{view.batch, view.out_height, view.out_width, view.out_channels};
    return product(here, conv, &conv, view, std::move(shape));
}

bool GraphBuilder::do_groups_divide(const Here& here, const models::ConvView& view) {
    bool divide = true;
    for (const auto& [count, what] :
         {std::pair{view.channels, "input channels"}, std::pair{view.out_channels, "filters"}}) {
        if (count % view.groups != 0) {
            fault(here, fmt::format("{} groups do not divide the {} {}", view.groups, count, what));
            divide = false;
        }
    }
    return divide;
}

/// The operator weights · im2col(input), and what the layer adds to its sums.
GraphBuilder::Value GraphBuilder::product(const Here& here, const WeightedLayer& weighted,
                                          const ConvLayer* conv, models::ConvView view,
                                          Shape shape) {
    view.format = format_of(weighted);
    const bool raw = weighted.output == LayerOutput::sums;
    if (raw && (has_bias(weighted, conv) || weighted.activation || (conv && conv->batch_norm))) {
        fault(here, "'output: sums' leaves no place for a bias, a batch-norm or an activation",
              "make them layers of their own");
        return {};
    }
    const auto kernel = {view.kernel_height, view.kernel_width, view.group_channels()};
    const auto all = {view.batch,           view.out_height,    view.out_width,
                      view.out_channels,    view.kernel_height, view.kernel_width,
                      view.group_channels()};
    if (!is_countable(here, "products in a sum", kernel) || !is_countable(here, "MACs", all)) {
        return {};
    }
    Operator made;
    made.name = here.name;
    made.op = op_of(here.layer);
    made.raw_sums = raw;
    made.view = view;
    made.macs = view.rows() * view.out_channels * depth_of(view);
    Pending pending;
    const bool has_columns = add_columns(here, weighted, conv, made, pending);
    made.weights = add_weights(here, weighted, view);
    const auto input = factor(here, view.format);
    if (!has_columns || !made.weights || !input) {
        return {};
    }
    made.inputs = {*input};
    made.parameters += elements(graph_.tensor(*made.weights).shape);
    pending.source_step = worth_of(*input) * worth_of(*made.weights);
    Tensor output = output_of(weighted, std::move(shape));
    if (raw) {
        output.format = numerics::accumulator_of(view.format);
        output.step = pending.source_step;
    }
    const auto value =
        add_operator(here, weighted, std::move(made), std::move(pending), std::move(output));
    return weighted.activation && value.tensor >= 0
               ? activate(here, weighted, value, *weighted.activation)
               : value;
}

/// The input in the format of the product: itself, or converted by an operator of its own.
std::optional<TensorId> GraphBuilder::factor(const Here& here, Format format) {
    const auto& source = here.sources.front();
    if (source.op >= 0 && graph_.operators[static_cast<std::size_t>(source.op)].raw_sums) {
        fault(
            here,
            fmt::format("the sums of '{}' cannot be multiplied", graph_.tensor(source.tensor).name),
            "leave out its 'output: sums'");
        return std::nullopt;
    }
    if (graph_.tensor(source.tensor).format == format) {
        return source.tensor;
    }
    const auto key = std::pair{source.tensor, format};
    if (const auto found = converted_.find(key); found != converted_.end()) {
        return found->second;
    }
    Operator made;
    made.name = here.name + ".input";
    made.op = "convert";
    made.kind = Operator::Kind::elementwise;
    made.inputs = {source.tensor};
    LayerBase base;
    base.format = format;
    const double worth = worth_of(source.tensor);
    const auto value = add_operator(here, base, std::move(made), {{}, worth},
                                    output_of(base, graph_.tensor(source.tensor).shape));
    return converted_[key] = value.tensor;
}

std::optional<TensorId> GraphBuilder::add_weights(const Here& here, const WeightedLayer& weighted,
                                                  const models::ConvView& view) {
    const std::int64_t depth = depth_of(view);
    const auto& own = weighted.quantization.weight_step;
    const auto& step = own ? own : network_.quantization.weight_step;
    const Shape shape{depth, view.out_channels};
    if (!is_countable(here, "bytes of weights", {depth, view.out_channels, 4})) {
        return std::nullopt;
    }
    Tensor made{here.name + ".weights",  shape, view.format,
                Tensor::Role::parameter, 1.0,   Drawn{weight_bound(depth)}};
    if (view.format == Format::int8) {
        made.step = step.value_or(drawn_weight_step(depth));
    }
    if (weighted.weights) {
        const Shape file_shape{view.kernel_height, view.kernel_width, view.group_channels(),
                               view.out_channels};
        auto values = load(*weighted.weights, made.name, shape, file_shape, faults_);
        if (!values) {
            return std::nullopt;
        }
        if (view.format == Format::int8 && !step) {
            made.step = step_of(*values);
        }
        made.source = Given{std::move(*values)};
    }
    return add_tensor(std::move(made));
}

/// Bias, then the batch-norm of inference: a scale and a shift of each channel.
bool GraphBuilder::add_columns(const Here& here, const WeightedLayer& weighted,
                               const ConvLayer* conv, Operator& made, Pending& pending) {
    using models::VectorOp;
    const std::int64_t columns = made.view.out_channels;
    const double bound = weight_bound(depth_of(made.view));
    bool complete = true;
    const auto add = [&](VectorOp op, const std::string& what, double largest,
                         const std::optional<Numbers>& numbers) {
        const auto vector = add_vector(here, what, columns, largest, numbers);
        complete = complete && vector;
        pending.steps.push_back({op, vector});
        made.parameters += columns;
    };
    if (has_bias(weighted, conv)) {
        add(VectorOp::add_columns, "bias", bound,
            weighted.bias ? weighted.bias->values : std::nullopt);
    }
    if (conv != nullptr && conv->batch_norm) {
        add(VectorOp::scale_columns, "scale", unit_bound(), conv->scale);
        add(VectorOp::add_columns, "shift", bound, conv->shift);
    }
    return complete;
}

/// One number for each column. They are fp32 whatever the layer's format is: the vector unit works
/// in fp32, so that a bias is never rounded, and an int8 network's is a real number.
std::optional<TensorId> GraphBuilder::add_vector(const Here& here, const std::string& what,
                                                 std::int64_t columns, double bound,
                                                 const std::optional<Numbers>& numbers) {
    Tensor vector;
    vector.name = fmt::format("{}.{}", here.name, what);
    vector.shape = {columns};
    vector.role = Tensor::Role::parameter;
    vector.source = Drawn{bound};
    if (numbers) {
        auto values = load(*numbers, vector.name, vector.shape, {}, faults_);
        if (!values) {
            return std::nullopt;
        }
        vector.source = Given{std::move(*values)};
    }
    return add_tensor(std::move(vector));
}

}  // namespace systole
