// The three fidelities of an array beside each other, in one run. Of each form of the Verilog:
// how long it takes to be built, and how many times faster `cycle` is; and `fast` against `cycle`.

#include "models/matrix_unit/rtl_array.hpp"
#include "sim/rtl/build_array.hpp"
#include "tests/bench/tiles.hpp"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

namespace systole::test {
namespace {

using namespace models;

template <class Body>
double seconds(Body body) {
    const auto start = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A library built for the measurement, and gone with it.
class Built {
public:
    Built(std::int64_t size, bool whole)
        : path_{std::filesystem::temp_directory_path() /
                ("systole_bench." + std::to_string(::getpid()) + (whole ? ".whole" : ".grid"))} {
        ArraySpec spec;
        spec.rows = spec.cols = size;
        spec.whole = whole;
        taken_ = seconds([&] { build_array(spec, path_); });
        library_ = std::make_shared<ArrayLibrary>(path_);
        std::filesystem::remove(path_);
    }
    [[nodiscard]] double taken() const { return taken_; }
    [[nodiscard]] PeArrayMaker maker() const {
        return [library = library_](const PeArrayShape& shape, const auto& wave) {
            return std::make_unique<RtlArray>(library, shape, wave);
        };
    }

private:
    std::filesystem::path path_;
    double taken_ = 0;
    std::shared_ptr<const ArrayLibrary> library_;
};

void fidelities(benchmark::State& state) {
    const Tiles tiles{
        .size = state.range(0), .rows = 1024, .count = 4, .format = Format::int8, .values = true};
    // Verilated as a whole, larger arrays take the compiler many minutes.
    const bool whole = tiles.size <= 32;
    const Rig rig = rig_of(tiles);
    const auto program = program_of(tiles, rig.views.front());
    const auto time = [&](Fidelity fidelity, const PeArrayMaker& rtl) {
        return seconds([&] { benchmark::DoNotOptimize(run(rig, fidelity, program, rtl)); });
    };
    for (auto unused : state) {
        const double cycle = time(Fidelity::cycle, {});
        state.counters["fast:cycle"] = cycle / time(Fidelity::fast, {});
        const Built grid{tiles.size, false};
        state.counters["grid_build_s"] = grid.taken();
        state.counters["cycle:grid"] = time(Fidelity::rtl, grid.maker()) / cycle;
        if (whole) {
            const Built array{tiles.size, true};
            state.counters["whole_build_s"] = array.taken();
            state.counters["cycle:whole"] = time(Fidelity::rtl, array.maker()) / cycle;
        }
    }
}
BENCHMARK(fidelities)->Arg(8)->Arg(16)->Arg(32)->Arg(128)->Iterations(1);

}  // namespace
}  // namespace systole::test
