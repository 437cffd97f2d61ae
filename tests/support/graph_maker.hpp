#pragma once

#include "sim/workload/graph.hpp"

#include <string>
#include <utility>
#include <vector>

namespace systole::test {

struct Window {
    std::int64_t kernel_height = 1;
    std::int64_t kernel_width = 1;
    std::int64_t stride = 1;
    std::int64_t pad = 0;
    std::int64_t dilation = 1;
    std::int64_t groups = 1;
};

/// How a product leaves: its sums, or through the vector unit with these steps.
struct Finish {
    bool raw = false;
    bool bias = true;
    std::optional<TensorId> add = std::nullopt;   ///< a tensor of the output's shape
    std::optional<Format> format = std::nullopt;  ///< of the output; the product's if absent
};

/// Puts graphs together for tests. Shapes are [n, h, w, c] or [n, c].
class GraphMaker {
public:
    TensorId tensor(Tensor::Role role, Shape shape, Format format) {
        Tensor made;
        made.name = "t" + std::to_string(graph_.tensors.size());
        made.shape = std::move(shape);
        made.format = format;
        made.role = role;
        graph_.tensors.push_back(std::move(made));
        return static_cast<TensorId>(graph_.tensors.size() - 1);
    }
    TensorId input(Shape shape, Format format) {
        return tensor(Tensor::Role::input, std::move(shape), format);
    }

    TensorId conv(TensorId in, std::int64_t outputs, const Window& window,
                  const Finish& finish = {}) {
        Operator op = begin("conv2d", Operator::Kind::matrix, in);
        op.view = view_of(in, window);
        op.view.out_channels = outputs;
        op.view.groups = window.groups;
        return product(std::move(op),
                       {op.view.batch, op.view.out_height, op.view.out_width, outputs}, finish);
    }

    TensorId dense(TensorId in, std::int64_t outputs, const Finish& finish = {}) {
        Operator op = begin("dense", Operator::Kind::matrix, in);
        const Shape& shape = graph_.tensor(in).shape;
        op.view.batch = shape.front();
        op.view.channels = elements(shape) / shape.front();
        op.view.format = graph_.tensor(in).format;
        op.view.out_channels = outputs;
        return product(std::move(op), {op.view.batch, outputs}, finish);
    }

    TensorId pool(TensorId in, const Window& window, bool max = true) {
        Operator op = begin("pool", Operator::Kind::pool, in);
        op.view = view_of(in, window);
        op.view.out_channels = op.view.channels;
        op.view.groups = op.view.channels;
        op.steps.push_back(
            {max ? models::VectorOp::max_pool : models::VectorOp::average_pool, 1.0, {}});
        const Shape shape{op.view.batch, op.view.out_height, op.view.out_width, op.view.channels};
        return end(std::move(op), shape, graph_.tensor(in).format);
    }

    TensorId add(TensorId in, TensorId other) {
        Operator op = begin("add", Operator::Kind::elementwise, in);
        op.inputs.push_back(other);
        op.steps.push_back({models::VectorOp::add, 1.0, other});
        return end(std::move(op), graph_.tensor(in).shape, graph_.tensor(in).format);
    }
    TensorId elementwise(TensorId in, models::VectorOp what) {
        Operator op = begin("activation", Operator::Kind::elementwise, in);
        op.steps.push_back({what, 1.0, {}});
        return end(std::move(op), graph_.tensor(in).shape, graph_.tensor(in).format);
    }
    /// Batch normalisation by itself: a scale and a shift of each column.
    TensorId normalize(TensorId in) {
        Operator op = begin("batch_norm", Operator::Kind::elementwise, in);
        const Shape columns{graph_.tensor(in).shape.back()};
        op.steps.push_back({models::VectorOp::scale_columns, 1.0,
                            tensor(Tensor::Role::parameter, columns, Format::fp32)});
        op.steps.push_back({models::VectorOp::add_columns, 1.0,
                            tensor(Tensor::Role::parameter, columns, Format::fp32)});
        return end(std::move(op), graph_.tensor(in).shape, graph_.tensor(in).format);
    }

    Operator& last() { return graph_.operators.back(); }
    void output(TensorId id) {
        graph_.tensors[static_cast<std::size_t>(id)].role = Tensor::Role::output;
    }
    /// The graph; what nobody reads is its output.
    Graph finish() {
        std::vector<bool> read(graph_.tensors.size(), false);
        for (const Operator& op : graph_.operators) {
            for (const TensorId in : op.inputs) {
                read[static_cast<std::size_t>(in)] = true;
            }
            for (const ElementStep& step : op.steps) {
                if (step.operand) {
                    read[static_cast<std::size_t>(*step.operand)] = true;
                }
            }
        }
        for (std::size_t i = 0; i < read.size(); ++i) {
            if (!read[i] && graph_.tensors[i].role == Tensor::Role::activation) {
                graph_.tensors[i].role = Tensor::Role::output;
            }
        }
        return graph_;
    }
    [[nodiscard]] const Graph& graph() const { return graph_; }

private:
    Operator begin(const std::string& what, Operator::Kind kind, TensorId in) {
        Operator op;
        op.op = what;
        op.name = what + std::to_string(graph_.operators.size());
        op.kind = kind;
        op.inputs = {in};
        op.where = {"net.yaml", static_cast<int>(graph_.operators.size()) + 1, 3};
        return op;
    }

    models::ConvView view_of(TensorId in, const Window& window) {
        const Tensor& input = graph_.tensor(in);
        models::ConvView view;
        view.batch = input.shape[0];
        view.height = input.shape[1];
        view.width = input.shape[2];
        view.channels = input.shape[3];
        view.kernel_height = window.kernel_height;
        view.kernel_width = window.kernel_width;
        view.stride_height = view.stride_width = window.stride;
        view.pad_top = view.pad_left = window.pad;
        view.dilation_height = view.dilation_width = window.dilation;
        const auto out = [&](std::int64_t size, std::int64_t kernel) {
            return (size + 2 * window.pad - window.dilation * (kernel - 1) - 1) / window.stride + 1;
        };
        view.out_height = out(view.height, view.kernel_height);
        view.out_width = out(view.width, view.kernel_width);
        view.format = input.format;
        return view;
    }

    TensorId product(Operator op, const Shape& shape, const Finish& finish) {
        const auto& v = op.view;
        const std::int64_t depth = v.kernel_height * v.kernel_width * v.group_channels();
        op.weights = tensor(Tensor::Role::parameter, {depth, v.out_channels}, v.format);
        op.macs = v.rows() * v.out_channels * depth;
        op.raw_sums = finish.raw;
        if (finish.raw) {
            return end(std::move(op), shape, numerics::accumulator_of(v.format));
        }
        if (finish.bias) {
            op.steps.push_back({models::VectorOp::add_columns, 1.0,
                                tensor(Tensor::Role::parameter, {v.out_channels}, Format::fp32)});
        }
        if (finish.add) {
            op.inputs.push_back(*finish.add);
            op.steps.push_back({models::VectorOp::add, 1.0, finish.add});
        }
        op.steps.push_back({models::VectorOp::relu, 1.0, {}});
        return end(std::move(op), shape, finish.format.value_or(v.format));
    }

    TensorId end(Operator op, const Shape& shape, Format format) {
        op.output = tensor(Tensor::Role::activation, shape, format);
        graph_.operators.push_back(std::move(op));
        return graph_.operators.back().output;
    }

    Graph graph_;
};

}  // namespace systole::test
