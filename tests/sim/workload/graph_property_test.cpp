#include "sim/workload/graph.hpp"
#include "sim/workload/numbers.hpp"
#include "tests/support/random_case.hpp"
#include "tests/support/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

namespace systole {
namespace {

using test::Reference;

std::optional<Graph> random_graph(std::uint64_t seed, Format format) {
    auto network = test::RandomCase{seed}.network();
    network.format = format;
    try {
        return build_graph(network, format);
    } catch (const InputError&) {
        return std::nullopt;  // a kernel that does not fit, sums with a bias …
    }
}

std::map<TensorId, std::vector<double>> stored_values(const Graph& graph, std::uint64_t seed) {
    std::map<TensorId, std::vector<double>> stored;
    for (TensorId id = 0; id < static_cast<TensorId>(graph.tensors.size()); ++id) {
        const auto& tensor = graph.tensor(id);
        if (tensor.role == Tensor::Role::input || tensor.role == Tensor::Role::parameter) {
            auto values = make_values(graph, id, seed);
            for (auto& value : values) {
                value = Reference::rounded(value / tensor.step, tensor.format);
            }
            stored[id] = std::move(values);
        }
    }
    return stored;
}

/// What every graph keeps, whoever reads it.
void expect_sound(const Graph& graph) {
    std::set<TensorId> there;
    std::set<std::string> names;
    std::set<TensorId> read;
    for (TensorId id = 0; id < static_cast<TensorId>(graph.tensors.size()); ++id) {
        if (graph.tensor(id).role == Tensor::Role::input) {
            there.insert(id);
        }
    }
    for (const auto& op : graph.operators) {
        SCOPED_TRACE(op.name);
        EXPECT_TRUE(names.insert(op.name).second);
        for (const TensorId input : op.inputs) {
            EXPECT_TRUE(there.contains(input)) << "an input is read before it is made";
            read.insert(input);
        }
        std::int64_t parameters = op.weights ? elements(graph.tensor(*op.weights).shape) : 0;
        for (const auto& step : op.steps) {
            if (step.operand && graph.tensor(*step.operand).role == Tensor::Role::parameter) {
                parameters += elements(graph.tensor(*step.operand).shape);
                EXPECT_EQ(graph.tensor(*step.operand).shape.back(),
                          graph.tensor(op.output).shape.back());
            }
        }
        EXPECT_EQ(op.parameters, parameters);
        EXPECT_EQ(op.steps.empty(), op.raw_sums);
        const auto& v = op.view;
        const auto made = elements(graph.tensor(op.output).shape);
        if (op.kind == Operator::Kind::elementwise) {
            for (const TensorId input : op.inputs) {
                EXPECT_EQ(elements(graph.tensor(input).shape), made);
            }
        } else {
            EXPECT_EQ(v.batch * v.height * v.width * v.channels,
                      elements(graph.tensor(op.inputs[0]).shape));
            EXPECT_EQ(v.rows() * v.out_channels, made);
        }
        if (op.kind == Operator::Kind::matrix) {
            EXPECT_EQ(v.format, graph.tensor(op.inputs[0]).format);
            EXPECT_EQ(v.format, graph.tensor(*op.weights).format);
            EXPECT_EQ(op.macs, made * graph.tensor(*op.weights).shape[0]);
        } else {
            EXPECT_EQ(op.macs, 0);
        }
        there.insert(op.output);
    }
    for (const auto& op : graph.operators) {
        EXPECT_EQ(graph.tensor(op.output).role == Tensor::Role::output, !read.contains(op.output));
    }
}

TEST(GraphProperty, RandomNetworksMakeSoundGraphs) {
    int built = 0;
    for (std::uint64_t seed = 1; seed <= 3'000; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        for (const auto format : {Format::int8, Format::fp16}) {
            if (const auto graph = random_graph(seed, format)) {
                expect_sound(*graph);
                ++built;
            }
        }
        if (HasFailure()) {
            return;
        }
    }
    EXPECT_GT(built, 2'000);
}

// The same network in int8 and in fp32 computes the same, but for rounding: whoever forgets a step,
// takes a wrong one or applies it twice is off by a factor of two at least.
TEST(GraphProperty, Int8NetworksComputeWhatFp32NetworksDo) {
    int compared = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        const auto exact = random_graph(seed, Format::fp32);
        const auto coarse = random_graph(seed, Format::int8);
        ASSERT_EQ(exact.has_value(), coarse.has_value());
        if (!exact) {
            continue;
        }
        ASSERT_EQ(exact->operators.size(), coarse->operators.size());
        const Reference expected{*exact, stored_values(*exact, seed)};
        const Reference actual{*coarse, stored_values(*coarse, seed)};
        const auto last = exact->operators.back().output;
        const auto id = coarse->operators.back().output;
        double error = 0;
        double size = 0;
        for (std::size_t i = 0; i < expected.values(last).size(); ++i) {
            const double real = expected.values(last)[i];
            error += std::abs(actual.values(id)[i] * coarse->tensor(id).step - real);
            size += std::abs(real);
        }
        EXPECT_LT(error, 0.1 * static_cast<double>(expected.values(last).size()) + 0.25 * size);
        ++compared;
    }
    EXPECT_GT(compared, 200);
}

}  // namespace
}  // namespace systole
