#include "sim/workload/topology.hpp"

#include "tests/support/workload.hpp"

#include <gtest/gtest.h>

namespace systole {
namespace {

Topology topology_of(const Network& network) {
    std::vector<Fault> faults;
    auto topology = make_topology(network, faults);
    for (const auto& fault : faults) {
        ADD_FAILURE() << to_string(fault);
    }
    return topology;
}

std::vector<std::string> names_of(const Topology& topology) {
    std::vector<std::string> names;
    for (const auto& layer : topology.layers) {
        names.push_back(layer.name);
    }
    return names;
}

std::vector<int> sources_of(const Topology& topology, const std::string& name) {
    for (const auto& layer : topology.layers) {
        if (layer.name == name) {
            return layer.sources;
        }
    }
    ADD_FAILURE() << "no layer " << name;
    return {};
}

int value_of(const Topology& topology, const std::string& name) {
    for (std::size_t i = 0; i < topology.layers.size(); ++i) {
        if (topology.layers[i].name == name) {
            return topology.value_of_layer(i);
        }
    }
    ADD_FAILURE() << "no layer " << name;
    return -1;
}

TEST(Topology, ChainsLayersAndNumbersThemByTheirWord) {
    const auto network = test::network_of(
        "input: {shape: [8, 8, 3]}\n"
        "layers:\n"
        "  - conv2d: {filters: 4, kernel: 3}\n"
        "  - relu\n"
        "  - conv2d: {filters: 4, kernel: 3, name: conv2d_2}\n"
        "  - conv2d: {filters: 4, kernel: 1}\n"
        "  - relu\n");
    const auto topology = topology_of(network);
    // conv2d_2 is a chosen name, so the second unnamed convolution is the third.
    EXPECT_EQ(names_of(topology),
              (std::vector<std::string>{"conv2d_1", "relu_1", "conv2d_2", "conv2d_3", "relu_2"}));
    for (std::size_t i = 0; i < topology.layers.size(); ++i) {
        EXPECT_EQ(topology.layers[i].sources, std::vector<int>{static_cast<int>(i)});
    }
    EXPECT_EQ(topology.uses, (std::vector<int>{1, 1, 1, 1, 1, 0}));
}

TEST(Topology, WritesRepeatsOutWithTheirOwnNames) {
    const auto network = test::network_of(
        "input: {shape: [8]}\n"
        "layers:\n"
        "  - dense: {name: stem, units: 8}\n"
        "  - repeat:\n"
        "      times: 2\n"
        "      entry: x\n"
        "      layers:\n"
        "        - dense: {name: a, units: 8}\n"
        "        - repeat: {times: 2, layers: [{dense: {name: b, units: 8, input: a}}]}\n"
        "        - add: {name: sum, inputs: [x, a, b_1_2]}\n"
        "  - dense: {units: 3, input: a_2}\n");
    std::vector<Fault> faults;
    const auto topology = make_topology(network, faults);
    EXPECT_EQ(names_of(topology),
              (std::vector<std::string>{"stem", "a_1", "b_1_1", "b_1_2", "sum_1", "a_2", "b_2_1",
                                        "b_2_2", "sum_2", "dense_1"}));
    const auto value = [&](const std::string& name) { return value_of(topology, name); };
    EXPECT_TRUE(faults.empty());
    EXPECT_EQ(sources_of(topology, "a_1"), std::vector<int>{value("stem")});
    EXPECT_EQ(sources_of(topology, "b_1_2"), std::vector<int>{value("a_1")});
    EXPECT_EQ(sources_of(topology, "a_2"), std::vector<int>{value("sum_1")});
    EXPECT_EQ(sources_of(topology, "b_2_1"), std::vector<int>{value("a_2")});
    EXPECT_EQ(sources_of(topology, "sum_1"),
              (std::vector<int>{value("stem"), value("a_1"), value("b_1_2")}));
    // x is what entered, a is of this iteration, and a full name means one layer only.
    EXPECT_EQ(sources_of(topology, "sum_2"),
              (std::vector<int>{value("sum_1"), value("a_2"), value("b_1_2")}));
    EXPECT_EQ(sources_of(topology, "dense_1"), std::vector<int>{value("a_2")});
}

TEST(Topology, BranchesFromNamedInputs) {
    const auto network = test::network_of(
        "inputs: {left: {shape: [4]}, right: {shape: [4]}}\n"
        "layers:\n"
        "  - dense: {name: a, units: 2, input: right}\n"
        "  - repeat: {times: 1, input: left, layers: [{dense: {name: b, units: 2}}]}\n"
        "  - add: {with: a}\n");
    const auto topology = topology_of(network);
    ASSERT_EQ(topology.inputs.size(), 2U);
    EXPECT_EQ(topology.inputs[0].name, "left");
    EXPECT_EQ(sources_of(topology, "a"), std::vector<int>{1});
    EXPECT_EQ(sources_of(topology, "b_1"), std::vector<int>{0});
    EXPECT_EQ(sources_of(topology, "add_1"), (std::vector<int>{3, 2}));
}

TEST(Topology, TellsAFaultOfARepeatedLineOnce) {
    auto network = test::network_of(
        "input: {shape: [4]}\n"
        "layers:\n"
        "  - repeat: {times: 9, layers: [{dense: {units: 2, input: nowhere}}]}\n");
    std::vector<Fault> faults;
    static_cast<void>(make_topology(network, faults));
    EXPECT_EQ(faults.size(), 1U);
}

TEST(Topology, RefusesRepeatsWithoutEndBeforeItWritesThemOut) {
    auto network = test::network_of(
        "input: {shape: [4]}\n"
        "layers:\n"
        "  - repeat:\n"
        "      times: 2000000000\n"
        "      layers: [{repeat: {times: 2000000000, layers: [relu]}}]\n");
    std::vector<Fault> faults;
    EXPECT_TRUE(make_topology(network, faults).layers.empty());
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_EQ(faults[0].where.line, 3);
}

}  // namespace
}  // namespace systole
