// Whole networks at `fast`, from YAML to the record, and how the cost follows the work.

#include "sim/mapping/mapper.hpp"
#include "sim/run/load.hpp"
#include "sim/run/simulate.hpp"
#include "sim/workload/load_network.hpp"
#include "tests/support/systemc.hpp"

#include <benchmark/benchmark.h>

#include <cstddef>
#include <string>
#include <vector>

namespace systole {
namespace {

Simulation run(const std::string& chip_name, const std::string& workload,
               const std::vector<std::string>& settings, std::size_t& instructions) {
    std::vector<Override> overrides;
    for (const auto& setting : settings) {
        overrides.push_back(parse_override(setting));
    }
    const LoadedChip chip = load_chip(chip_name, overrides);
    const Graph graph =
        build_graph(load_network(workload, overrides).network, native_format(chip.chip));
    const Mapping mapping = map_graph(graph, chip.chip);
    instructions = 0;
    for (const auto& program : mapping.programs) {
        for (const auto& queue : program.queues) {
            instructions += queue.size();
        }
    }
    const test::SystemCContext context;
    return simulate(graph, chip.chip, mapping, {}, 1);
}

void report(benchmark::State& state, const std::string& chip, const std::string& workload,
            const std::vector<std::string>& settings) {
    std::size_t instructions = 0;
    std::int64_t cycles = 0;
    for (auto _ : state) {
        cycles = run(chip, workload, settings, instructions).record.cycles.count();
    }
    state.counters["cycles"] = static_cast<double>(cycles);
    state.counters["instructions"] = static_cast<double>(instructions);
}

void network(benchmark::State& state, const std::string& chip, const std::string& workload) {
    report(state, chip, workload, {});
}

/// Twice the rows on as many tiles: the time stays, the cycles double.
void rows_of_a_gemm(benchmark::State& state) {
    report(state, "scalesim_32", "gemm",
           {"workload.m=" + std::to_string(state.range(0)), "workload.n=512", "workload.k=512"});
}

BENCHMARK_CAPTURE(network, resnet50_on_tpu_v1, "tpu_v1", "resnet50")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(network, vgg16_on_tpu_v4i, "tpu_v4i", "vgg16")->Unit(benchmark::kMillisecond);
BENCHMARK(rows_of_a_gemm)->RangeMultiplier(2)->Range(1024, 32768)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace systole
