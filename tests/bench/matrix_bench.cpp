// Speed of the matrix units, in a release build:
//   cmake --preset release && cmake --build --preset release --target systole_bench
//   build/release/tests/systole_bench
// `PE-cycles/s` is of the CPU time of the whole thread, kernel and queue included.

#include "tests/bench/tiles.hpp"

#include <benchmark/benchmark.h>

namespace systole::test {
namespace {

using namespace models;

void run_tiles(benchmark::State& state, const Tiles& tiles, Fidelity fidelity) {
    const Rig rig = rig_of(tiles);
    const auto program = program_of(tiles, rig.views.front());
    std::int64_t cycles = 0;
    for (auto unused : state) {
        cycles += run(rig, fidelity, program).end;
    }
    const auto pes = static_cast<double>(tiles.size * tiles.size);
    state.counters["PE-cycles/s"] =
        benchmark::Counter(static_cast<double>(cycles) * pes, benchmark::Counter::kIsRate);
    state.counters["cycles/s"] =
        benchmark::Counter(static_cast<double>(cycles), benchmark::Counter::kIsRate);
    state.counters["tiles/s"] = benchmark::Counter(static_cast<double>(tiles.count),
                                                   benchmark::Counter::kIsIterationInvariantRate);
}

void cycle(benchmark::State& state, Format format, bool values) {
    run_tiles(
        state,
        {.size = state.range(0), .rows = 1024, .count = 4, .format = format, .values = values},
        Fidelity::cycle);
}
BENCHMARK_CAPTURE(cycle, int8, Format::int8, false)->Arg(32)->Arg(128)->Arg(256);
BENCHMARK_CAPTURE(cycle, bf16, Format::bf16, false)->Arg(32)->Arg(128)->Arg(256);
BENCHMARK_CAPTURE(cycle, fp32, Format::fp32, false)->Arg(32)->Arg(128)->Arg(256);
BENCHMARK_CAPTURE(cycle, int8_values, Format::int8, true)->Arg(32)->Arg(128)->Arg(256);
BENCHMARK_CAPTURE(cycle, fp32_values, Format::fp32, true)->Arg(32)->Arg(128)->Arg(256);

/// The cost of a tile must not depend on the rows it streams.
void fast(benchmark::State& state) {
    run_tiles(state,
              {.size = 128,
               .rows = state.range(0),
               .count = 1000,
               .format = Format::int8,
               .values = false},
              Fidelity::fast);
}
BENCHMARK(fast)->RangeMultiplier(2)->Range(256, 8192);

void fast_values(benchmark::State& state) {
    run_tiles(
        state,
        {.size = 128, .rows = state.range(0), .count = 10, .format = Format::int8, .values = true},
        Fidelity::fast);
}
BENCHMARK(fast_values)->Arg(1024);

}  // namespace
}  // namespace systole::test
