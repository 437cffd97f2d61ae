#include "sim/workload/graph_builder.hpp"

#include "models/base/scalar.hpp"
#include "sim/workload/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace systole {
namespace {

std::optional<std::int64_t> multiply_all(std::initializer_list<std::int64_t> factors) {
    std::int64_t result = 1;
    for (const auto factor : factors) {
        if (__builtin_mul_overflow(result, factor, &result)) {
            return std::nullopt;
        }
    }
    return result;
}

bool are_elements_countable(const Shape& shape) {
    std::int64_t bytes = 4;  // of the widest format
    return std::all_of(shape.begin(), shape.end(), [&](std::int64_t size) {
        return !__builtin_mul_overflow(bytes, size, &bytes);
    });
}

}  // namespace

GraphBuilder::GraphBuilder(const Network& network, Format native)
    : network_{network},
      native_{native} {}

Graph GraphBuilder::build() {
    graph_.name = network_.name;
    graph_.description = network_.description;
    const auto topology = make_topology(network_, faults_);
    check_format(format_of({}), "the network", network_.where);
    check_steps(network_.quantization, "the network", network_.where);
    if (network_.batch < 1 || network_.batch > largest_dimension) {
        fault_at(network_.where, fmt::format("the batch must be from 1 to {}", largest_dimension));
    } else {
        for (const auto& input : topology.inputs) {
            add_input(input);
        }
        for (std::size_t i = 0; i < topology.layers.size(); ++i) {
            const auto& layer = topology.layers[i];
            const int first = layer.sources.front();
            Here here{*layer.layer, layer.name, {}, false};
            here.only_reader = first >= 0 && topology.uses[static_cast<std::size_t>(first)] == 1;
            for (const int source : layer.sources) {
                here.sources.push_back(source < 0 ? Value{}
                                                  : values_[static_cast<std::size_t>(source)]);
            }
            add_layer(here);
        }
    }
    if (faults_.empty()) {
        finish();
        check_totals();
    }
    ReadContext context{.faults = std::move(faults_)};
    context.throw_if_faulty();
    return std::move(graph_);
}

void GraphBuilder::add_input(const TopologyInput& topology_input) {
    const auto& input = *topology_input.input;
    const auto& name = topology_input.name;
    Shape shape{network_.batch};
    shape.insert(shape.end(), input.shape.begin(), input.shape.end());
    const bool in_range = std::all_of(shape.begin(), shape.end(), [](std::int64_t size) {
        return size >= 1 && size <= largest_dimension;
    });
    if (input.shape.size() != 1 && input.shape.size() != 3) {
        fault_at(input.where,
                 fmt::format("the shape of '{}' has {} dimensions", name, input.shape.size()),
                 "write [features] or [height, width, channels], without the batch");
    } else if (!in_range) {
        fault_at(input.where, fmt::format("the dimensions of '{}' must be from 1 to {}", name,
                                          largest_dimension));
    } else if (!are_elements_countable(shape)) {
        fault_at(input.where, fmt::format("'{}' has more bytes than 64 bits count", name));
    } else {
        const auto format = input.format.value_or(network_.format.value_or(native_));
        check_format(input.format.value_or(Format::fp32), fmt::format("'{}'", name), input.where);
        Tensor made{name, shape, format, Tensor::Role::input, 1.0, Drawn{unit_bound()}};
        if (format == Format::int8) {
            made.step = network_.quantization.activation_step.value_or(default_activation_step);
        }
        if (input.values) {
            auto values = load(*input.values, name, shape,
                               network_.batch == 1 ? input.shape : Shape{}, faults_);
            if (values && format == Format::int8 && !network_.quantization.activation_step) {
                made.step = step_of(*values);
            }
            made.source = Given{std::move(values).value_or(std::vector<double>{})};
        }
        values_.push_back({add_tensor(std::move(made)), shape, -1});
        return;
    }
    values_.emplace_back();
}

void GraphBuilder::add_layer(const Here& here) {
    const bool known = std::all_of(here.sources.begin(), here.sources.end(),
                                   [](const Value& value) { return value.tensor >= 0; });
    if (checked_.insert(&here.layer).second) {
        check_layer(here);
    }
    values_.push_back(
        known ? std::visit([&](const auto& op) { return build(here, op); }, here.layer.op)
              : Value{});
}

/// What does not depend on the input; once for all iterations of a repeat.
void GraphBuilder::check_layer(const Here& here) {
    std::visit(
        [&](const auto& op) {
            if constexpr (std::is_base_of_v<LayerBase, std::decay_t<decltype(op)>>) {
                const auto subject = fmt::format("layer '{}'", here.name);
                check_format(op.format.value_or(Format::fp32), subject, here.layer.where);
                check_steps(op.quantization, subject, here.layer.where);
            }
        },
        here.layer.op);
}

TensorId GraphBuilder::add_tensor(Tensor tensor) {
    graph_.tensors.push_back(std::move(tensor));
    return static_cast<TensorId>(graph_.tensors.size() - 1);
}

GraphBuilder::Value GraphBuilder::add_operator(const Here& here, const LayerBase& base,
                                               Operator made, Pending pending, Tensor output) {
    for (const auto size : output.shape) {
        if (size > largest_dimension) {
            fault(here, fmt::format("the output {} has a dimension of more than {}",
                                    to_string(output.shape), largest_dimension));
            return {};
        }
    }
    if (!are_elements_countable(output.shape)) {
        fault(here, fmt::format("the output {} has more bytes than 64 bits count",
                                to_string(output.shape)));
        return {};
    }
    const Shape shape = output.shape;
    output.name = made.name;
    made.output = add_tensor(std::move(output));
    made.mapping = base.mapping;
    made.where = here.layer.where;
    graph_.operators.push_back(std::move(made));
    pending_.push_back(std::move(pending));
    return {graph_.operators.back().output, shape, static_cast<int>(graph_.operators.size() - 1)};
}

/// Now that the formats and steps of all results are settled, the real steps become the vector
/// unit's, and what nobody reads is an output.
void GraphBuilder::finish() {
    std::vector<bool> is_read(graph_.tensors.size(), false);
    for (std::size_t i = 0; i < graph_.operators.size(); ++i) {
        auto& made = graph_.operators[i];
        for (const TensorId input : made.inputs) {
            is_read[static_cast<std::size_t>(input)] = true;
        }
        if (!made.raw_sums) {
            made.steps = lower(pending_[i].steps, pending_[i].source_step, tensor(made.output),
                               graph_.tensors);
        }
    }
    for (const auto& made : graph_.operators) {
        if (!is_read[static_cast<std::size_t>(made.output)]) {
            tensor(made.output).role = Tensor::Role::output;
        }
    }
}

/// Every sum that a report makes of the layers must be countable.
void GraphBuilder::check_totals() {
    std::int64_t macs = 0;
    std::int64_t bytes = 0;
    for (const auto& made : graph_.operators) {
        if (__builtin_add_overflow(macs, made.macs, &macs)) {
            fault_at(made.where, fmt::format("layer '{}': with it the network has more MACs than "
                                             "64 bits count",
                                             made.name));
            return;
        }
    }
    for (const auto& each : graph_.tensors) {
        if (__builtin_add_overflow(bytes, checked_multiply(2, each.bytes()), &bytes)) {
            fault_at(network_.where, fmt::format("with tensor '{}' the network has more bytes than "
                                                 "64 bits count",
                                                 each.name));
            return;
        }
    }
}

void GraphBuilder::check_format(Format format, const std::string& subject,
                                const SourceLocation& where) {
    if (format == Format::int32) {
        fault_at(where, fmt::format("{} cannot be in int32", subject),
                 "int32 is what int8 products are summed in; write int8");
    }
}

void GraphBuilder::check_steps(const Quantization& quantization, const std::string& subject,
                               const SourceLocation& where) {
    for (const auto& step : {quantization.activation_step, quantization.weight_step}) {
        if (step && !(*step >= least_step && *step <= largest_step)) {
            fault_at(where, fmt::format("{} has a step of {:g}, but it must be from {:g} to {:g}",
                                        subject, *step, least_step, largest_step));
        }
    }
}

Format GraphBuilder::format_of(const LayerBase& base) const {
    return base.format.value_or(network_.format.value_or(native_));
}

double GraphBuilder::activation_step_of(const LayerBase& base) const {
    return base.quantization.activation_step.value_or(
        network_.quantization.activation_step.value_or(default_activation_step));
}

Tensor GraphBuilder::output_of(const LayerBase& base, Shape shape) const {
    Tensor output{{}, std::move(shape), format_of(base), Tensor::Role::activation, 1.0, Drawn{}};
    if (output.format == Format::int8) {
        output.step = activation_step_of(base);
    }
    return output;
}

double GraphBuilder::worth_of(TensorId id) const {
    return graph_.tensor(id).step;
}

void GraphBuilder::fault(const Here& here, const std::string& what, std::string hint) {
    fault_at(here.layer.where, fmt::format("layer '{}': {}", here.name, what), std::move(hint));
}

void GraphBuilder::fault_at(const SourceLocation& where, std::string what, std::string hint) {
    faults_.push_back({where, std::move(what), std::move(hint)});
}

bool GraphBuilder::is_countable(const Here& here, const std::string& what,
                                std::initializer_list<std::int64_t> factors) {
    const bool countable = multiply_all(factors).has_value();
    if (!countable) {
        fault(here, fmt::format("more {} than 64 bits count", what));
    }
    return countable;
}

bool GraphBuilder::in_range(const Here& here, const std::string& what, std::int64_t value,
                            std::int64_t low) {
    const bool inside = value >= low && value <= largest_dimension;
    if (!inside) {
        fault(here, fmt::format("'{}' is {}, but must be from {} to {}", what, value, low,
                                largest_dimension));
    }
    return inside;
}

}  // namespace systole
