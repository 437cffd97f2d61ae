// The law of the project on whole machines: a run's cycles, counters, accounts and values do not
// depend on the fidelity of the matrix unit. Random networks on random chips. The values are also
// held against a plain evaluation of the network.

#include "sim/mapping/mapper.hpp"
#include "sim/run/simulate.hpp"
#include "sim/workload/network.hpp"
#include "sim/workload/network_values.hpp"
#include "sim/workload/numbers.hpp"
#include "tests/support/random_case.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/systemc.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <sstream>
#include <string>

namespace systole {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr std::uint64_t cases_per_test = 15;
#else
constexpr std::uint64_t cases_per_test = 300;
#endif

struct Case {
    Graph graph;
    models::ChipConfig chip;
    Mapping mapping;
};

/// The case of a seed, or none where the network drawn is no network or does not fit.
std::optional<Case> draw(std::uint64_t seed) {
    test::RandomCase random{seed};
    const Network network = random.network();
    Graph graph;
    try {
        graph = build_graph(network, Format::fp32);
    } catch (const InputError&) {
        return std::nullopt;
    }
    models::ChipConfig chip = random.chip(Bytes{1 << random.pick(9, 14)});
    for (; chip.core.scratchpad.size < Bytes{1 << 22};
         chip.core.scratchpad.size += chip.core.scratchpad.size) {
        try {
            Mapping mapping = map_graph(graph, chip);
            return Case{std::move(graph), std::move(chip), std::move(mapping)};
        } catch (const InputError&) {
            continue;
        }
    }
    return std::nullopt;
}

Simulation run(const Case& c, models::Fidelity fidelity, std::uint64_t seed, bool values = true) {
    const test::SystemCContext context;
    models::RunOptions options;
    options.fidelity = fidelity;
    options.values = values;
    return simulate(c.graph, c.chip, c.mapping, options, seed);
}

/// A run's record in words, to find the first difference.
std::string to_text(const models::RunRecord& record) {
    std::ostringstream text;
    text << "cycles " << record.cycles.count() << '\n';
    for (const auto& layer : record.layers) {
        text << "layer " << layer.start.count() << " to " << layer.end.count() << ':';
        for (const auto& row : models::counter_table()) {
            text << ' ' << row.name << ' ' << layer.counters.*row.member;
        }
        text << '\n';
    }
    for (const auto& unit : record.units) {
        text << "core " << unit.core << ' ' << to_string(unit.queue) << ':';
        for (int cause = 0; cause < models::cause_count; ++cause) {
            text << ' ' << models::to_string(static_cast<models::Cause>(cause)) << ' '
                 << unit.cycles.spent(static_cast<models::Cause>(cause)).count();
        }
        text << '\n';
    }
    return text.str();
}

class Law : public testing::TestWithParam<std::uint64_t> {
protected:
    template <class Body>
    void for_cases(Body body) {
        std::uint64_t drawn = 0;
        for (std::uint64_t i = 0; i < cases_per_test && !HasFailure(); ++i) {
            const std::uint64_t seed = GetParam() * 1'000'000 + i;
            SCOPED_TRACE("seed " + std::to_string(seed));
            if (const auto c = draw(seed)) {
                ++drawn;
                body(*c, seed);
            }
        }
        EXPECT_TRUE(HasFailure() || 2 * drawn > cases_per_test) << "too few cases are possible";
    }
};

TEST_P(Law, FastEqualsCycle) {
    for_cases([](const Case& c, std::uint64_t seed) {
        const Simulation fast = run(c, models::Fidelity::fast, seed);
        const Simulation cycle = run(c, models::Fidelity::cycle, seed);
        EXPECT_EQ(to_text(fast.record), to_text(cycle.record));
        EXPECT_TRUE(fast.record == cycle.record);
        ASSERT_EQ(fast.tensors.size(), cycle.tensors.size());
        for (std::size_t t = 0; t < fast.tensors.size(); ++t) {
            EXPECT_EQ(fast.tensors[t].values, cycle.tensors[t].values) << fast.tensors[t].name;
        }
    });
}

/// The closed form of the work: whatever the mapping, the products are those of the network.
TEST_P(Law, EveryMacIsDoneOnce) {
    for_cases([](const Case& c, std::uint64_t seed) {
        const Simulation timing = run(c, models::Fidelity::fast, seed, false);
        for (std::size_t op = 0; op < c.graph.operators.size(); ++op) {
            EXPECT_EQ(timing.record.layers[op].counters.macs, c.graph.operators[op].macs);
        }
        // Without values the time is the same.
        EXPECT_EQ(to_text(timing.record), to_text(run(c, models::Fidelity::fast, seed).record));
    });
}

/// The numbers of inputs and parameters as they are stored: codes where the format is an integer.
std::map<TensorId, std::vector<double>> stored_values(const Graph& graph, std::uint64_t seed) {
    std::map<TensorId, std::vector<double>> stored;
    for (TensorId id = 0; id < static_cast<TensorId>(graph.tensors.size()); ++id) {
        const Tensor& tensor = graph.tensor(id);
        if (tensor.role != Tensor::Role::input && tensor.role != Tensor::Role::parameter) {
            continue;
        }
        auto& values = stored[id] = make_values(graph, id, seed);
        for (auto& value : values) {
            value = test::Reference::rounded(value / tensor.step, tensor.format);
        }
    }
    return stored;
}

/// The largest of a tensor's numbers.
double largest(const std::vector<double>& values) {
    double found = 0;
    for (const double value : values) {
        found = std::max(found, std::abs(value));
    }
    return found;
}

/// The same of everything that the network computes on the way, in real numbers: what cancellation
/// may leave the roundings of.
double largest_on_the_way(const Graph& graph, const test::Reference& reference) {
    double found = 0;
    for (TensorId id = 0; id < static_cast<TensorId>(graph.tensors.size()); ++id) {
        found = std::max(found, graph.tensor(id).step * largest(reference.values(id)));
    }
    return found;
}

/// By how much sums of int8 codes may differ: not at all on a network's input; elsewhere two codes
/// of the input, times the weights of an output.
double tolerance_of_sums(const Graph& graph, const Operator& op, const test::Reference& reference) {
    if (graph.tensor(op.inputs.front()).role == Tensor::Role::input) {
        return 0;
    }
    const auto& weights = reference.values(*op.weights);
    std::vector<double> columns(static_cast<std::size_t>(op.view.out_channels));
    for (std::size_t i = 0; i < weights.size(); ++i) {
        columns[i % columns.size()] += 2 * std::abs(weights[i]);
    }
    return largest(columns);
}

/// One rounding in a floating format, with room for some on the way: relative to the largest
/// number.
double roundings(Format format) {
    switch (format) {
        case Format::fp16:
            return 0x1p-8;
        case Format::bf16:
            return 0x1p-5;
        default:
            return 0x1p-18;
    }
}

/// How far an output may lie from one in double precision: some roundings of the coarsest format
/// that anything on the way is written in. An int8 code may fall to the other side of a half, layer
/// by layer.
double tolerance(const Graph& graph, TensorId id, const test::Reference& reference) {
    if (graph.tensor(id).format == Format::int8) {
        return 2.0;
    }
    if (graph.tensor(id).format == Format::int32) {
        const auto made = std::ranges::find(graph.operators, id, &Operator::output);
        return tolerance_of_sums(graph, *made, reference);
    }
    double coarsest = 0;
    for (const auto& op : graph.operators) {
        coarsest = std::max(coarsest, roundings(graph.tensor(op.output).format));
    }
    return coarsest * largest_on_the_way(graph, reference);
}

TEST_P(Law, ValuesAreThoseOfAPlainEvaluation) {
    for_cases([](const Case& c, std::uint64_t seed) {
        const test::Reference reference{c.graph, stored_values(c.graph, seed)};
        for (const auto& tensor : run(c, models::Fidelity::fast, seed).tensors) {
            const auto named = std::ranges::find(c.graph.tensors, tensor.name, &Tensor::name);
            const auto id = static_cast<TensorId>(named - c.graph.tensors.begin());
            const auto& expected = reference.values(id);
            ASSERT_EQ(tensor.values.size(), expected.size());
            const double off = tolerance(c.graph, id, reference);
            for (std::size_t i = 0; i < expected.size(); ++i) {
                ASSERT_NEAR(tensor.values[i] / tensor.step, expected[i], off)
                    << tensor.name << '[' << i << "] " << to_string(tensor.format);
            }
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Seeds, Law, testing::Range<std::uint64_t>(1, 11));

}  // namespace
}  // namespace systole
