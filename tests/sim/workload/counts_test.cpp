#include "sim/config/library.hpp"
#include "sim/workload/load_network.hpp"
#include "sim/workload/summary.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace systole {
namespace {

// tests/data/models.csv: the published parameters and MACs, to the unit, in whatever format.
TEST(ShippedWorkloads, HaveThePublishedParametersAndMacs) {
    std::ifstream table{SYSTOLE_TEST_DATA "/models.csv"};
    std::string line;
    int networks = 0;
    while (std::getline(table, line)) {
        if (line.empty() || line[0] == '#' || line.rfind("workload,", 0) == 0) {
            continue;
        }
        std::istringstream cells{line};
        std::string name;
        std::string parameters;
        std::string macs;
        std::getline(cells, name, ',');
        std::getline(cells, parameters, ',');
        std::getline(cells, macs, ',');
        SCOPED_TRACE(name);
        const auto network = load_network(name, {}).network;
        for (const auto format : {Format::int8, Format::bf16, Format::fp32}) {
            const auto summary = summarize(build_graph(network, format));
            EXPECT_EQ(summary.total.parameters, std::stoll(parameters));
            EXPECT_EQ(summary.total.macs, std::stoll(macs));
        }
        ++networks;
    }
    EXPECT_EQ(networks, 9);
}

TEST(ShippedWorkloads, AllBuildInEveryFormat) {
    const auto names = list_documents(DocumentKind::workload, data_directory());
    EXPECT_GE(names.size(), 12U);
    for (const auto& name : names) {
        SCOPED_TRACE(name);
        for (const auto format : {Format::int8, Format::fp16, Format::bf16, Format::fp32}) {
            EXPECT_FALSE(build_graph(load_network(name, {}).network, format).operators.empty());
        }
    }
}

TEST(ShippedWorkloads, GemmTakesItsSizesFromTheCommandLine) {
    const auto network =
        load_network("gemm", {parse_override("workload.m=7"), parse_override("workload.n=5"),
                              parse_override("workload.parameters.k=3")})
            .network;
    const auto graph = build_graph(network, Format::int8);
    ASSERT_EQ(graph.operators.size(), 1U);
    const auto& product = graph.operators.front();
    EXPECT_EQ(product.macs, 7 * 5 * 3);
    EXPECT_EQ(product.parameters, 5 * 3);
    EXPECT_TRUE(product.raw_sums);
    EXPECT_EQ(graph.tensor(product.output).shape, (Shape{7, 5}));
    EXPECT_EQ(graph.tensor(product.output).format, Format::int32);
}

TEST(ShippedWorkloads, MlpTakesItsBatchFromTheCommandLine) {
    const auto network = load_network("mlp_784_128_10", {parse_override("workload.batch=128")});
    const auto summary = summarize(build_graph(network.network, Format::fp32));
    EXPECT_EQ(summary.total.macs, 128 * 101'632);
    EXPECT_EQ(summary.total.parameters, 101'770);
}

}  // namespace
}  // namespace systole
