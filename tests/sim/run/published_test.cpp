// Whole runs of shipped chips and workloads against figures from elsewhere.

#include "sim/mapping/mapper.hpp"
#include "sim/run/load.hpp"
#include "sim/run/simulate.hpp"
#include "sim/workload/load_network.hpp"
#include "tests/support/scalesim.hpp"
#include "tests/support/systemc.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace systole {
namespace {

struct Run {
    Result result;
    std::vector<TensorValues> tensors;
};

Run run(const std::string& chip_name, const std::string& workload,
        const std::vector<std::string>& settings = {}, models::RunOptions options = {}) {
    std::vector<Override> overrides;
    for (const auto& setting : settings) {
        overrides.push_back(parse_override(setting));
    }
    const LoadedChip chip = load_chip(chip_name, overrides);
    const Graph graph =
        build_graph(load_network(workload, overrides).network, native_format(chip.chip));
    const Mapping mapping = map_graph(graph, chip.chip);
    const test::SystemCContext context;
    const Simulation simulation = simulate(graph, chip.chip, mapping, options, 1);
    return {make_result(graph, chip.chip, chip.technology, mapping, simulation.record),
            simulation.tensors};
}

std::vector<std::string> gemm(std::int64_t m, std::int64_t n, std::int64_t k) {
    return {"workload.m=" + std::to_string(m), "workload.n=" + std::to_string(n),
            "workload.k=" + std::to_string(k)};
}

TEST(Published, EveryLayerTakesScaleSimsCycles) {
    const auto rows = test::scalesim_rows();
    ASSERT_GT(rows.size(), 800U);
#if defined(__SANITIZE_ADDRESS__)
    constexpr std::size_t step = 10;
#else
    constexpr std::size_t step = 1;
#endif
    for (std::size_t i = 0; i < rows.size(); i += step) {
        const auto& row = rows[i];
        SCOPED_TRACE(row.layer);
        auto settings = gemm(row.m, row.n, row.k);
        settings.push_back("chip.core.matrix.dataflow=" + to_string(row.dataflow));
        const auto totals =
            run("scalesim_" + std::to_string(row.rows), "gemm", settings).result.totals;
        EXPECT_EQ(totals.cycles, row.cycles + 1);
        EXPECT_EQ(totals.macs, row.macs);
        EXPECT_EQ(totals.counters.stationary_rows,
                  row.dataflow == models::Dataflow::output_stationary ? 0 : row.folds * row.rows);
    }
}

/// R + (F − 1) · max(M, R) + M + R + C − 2 cycles for F tiles of M rows, weights loaded behind.
TEST(Published, TwoWeightBuffersHideTheShift) {
    constexpr std::uint64_t seed = 20261201;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random{seed};
    const auto pick = [&](std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution{low, high}(random);
    };
    const LoadedChip base = load_chip("scalesim_8", {});
#if defined(__SANITIZE_ADDRESS__)
    const int cases = 200;
#else
    const int cases = 4000;
#endif
    for (int i = 0; i < cases; ++i) {
        const std::int64_t m = pick(1, 300);
        const std::int64_t n = pick(1, 150);
        const std::int64_t k = pick(1, 150);
        models::ChipConfig chip = base.chip;
        auto& array = std::get<models::SystolicConfig>(chip.core.matrix);
        array.rows = pick(1, 40);
        array.cols = pick(1, 40);
        array.weight_buffers = 2;
        const std::int64_t folds = ceil_div(n, array.cols) * ceil_div(k, array.rows);
        SCOPED_TRACE("M " + std::to_string(m) + " N " + std::to_string(n) + " K " +
                     std::to_string(k) + " on " + std::to_string(array.rows) + "×" +
                     std::to_string(array.cols));
        std::vector<Override> overrides;
        for (const auto& setting : gemm(m, n, k)) {
            overrides.push_back(parse_override(setting));
        }
        const Graph graph = build_graph(load_network("gemm", overrides).network, Format::int8);
        const Mapping mapping = map_graph(graph, chip);
        const test::SystemCContext context;
        ASSERT_EQ(
            simulate(graph, chip, mapping, {}, 1).record.cycles.count(),
            array.rows + (folds - 1) * std::max(m, array.rows) + m + array.rows + array.cols - 2);
    }
}

/// Jouppi et al., ISCA 2017, Table 3, row MLP0: of all cycles 12.7 % active, 53.9 % weight stall,
/// 15.9 % weight shift, and 17.5 % "non-matrix", which is not modelled; 12.3 TOPS.
TEST(Published, TpuV1SpendsItsTimeOnMlp0AsMeasured) {
    const auto result = run("tpu_v1", "tpu_mlp0").result;
    const double tops = static_cast<double>(result.totals.flops) / result.totals.seconds / 1e12;
    EXPECT_NEAR(tops, 12.3, 0.15 * 12.3);
    const auto share = [&](models::Cause cause) {
        return static_cast<double>(
                   result.totals.cycles_by[static_cast<std::size_t>(cause)].count()) /
               static_cast<double>(result.totals.cycles);
    };
    EXPECT_NEAR(share(models::Cause::weight_stall), 53.9 / 82.5, 0.05);
    EXPECT_NEAR(share(models::Cause::weight_shift), 15.9 / 82.5, 0.02);
}

TEST(Published, ThePerceptronIsExactInFp32) {
    models::RunOptions options;
    options.values = true;
    for (const auto fidelity : {models::Fidelity::fast, models::Fidelity::cycle}) {
        options.fidelity = fidelity;
        for (const float sunny : {0.0F, 1.0F, 0.3F, -7.25F}) {
            for (const float homework : {0.0F, 1.0F, 2.5F, 1e-3F}) {
                const auto outcome = run("tiny_4x4", "course/2_1_perceptron",
                                         {"workload.input.values=[" + std::to_string(sunny) + ", " +
                                          std::to_string(homework) + "]"},
                                         options);
                // As IEEE 754 has it, one rounding an operation.
                const volatile float first = 0.8F * std::stof(std::to_string(sunny));
                const volatile float second = -1.5F * std::stof(std::to_string(homework));
                const volatile float sum = first + second;
                const float expected = sum + 0.5F;
                const auto output =
                    std::ranges::find(outcome.tensors, Tensor::Role::output, &TensorValues::role);
                ASSERT_NE(output, outcome.tensors.end());
                EXPECT_EQ(output->values, std::vector{static_cast<double>(expected)});
                EXPECT_EQ(outcome.result.totals.macs, 2);
            }
        }
    }
}

/// Horowitz, ISSCC 2014: what a processor without reuse spends is spent on memory.
TEST(Published, AVonNeumannMachineSpendsItsEnergyOnMemory) {
    const auto serial = run("von_neumann", "mlp_784_128_10", {"workload.batch=128"}).result;
    const Energy& energy = serial.totals.energy;
    const Picojoules memory = energy.of(Component::scratchpad) +
                              energy.of(Component::accumulators) +
                              energy.of(Component::shared_sram) + energy.of(Component::dram);
    EXPECT_GT(memory.count() / energy.total().count(), 0.95);
    const auto systolic =
        run("edge_32x32", "mlp_784_128_10", {"workload.batch=128", "workload.format=fp32"}).result;
    EXPECT_EQ(systolic.chip.technology, serial.chip.technology);
    EXPECT_EQ(systolic.totals.macs, serial.totals.macs);
    EXPECT_GT(serial.totals.energy_j / systolic.totals.energy_j, 3.0);
}

}  // namespace
}  // namespace systole
