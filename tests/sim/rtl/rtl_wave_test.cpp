// The FST of the Verilog array shows, in each cycle, what the VCD of the model does.

#include "tests/models/matrix_unit/random_tiles.hpp"
#include "tests/sim/rtl/verilated.hpp"
#include "tests/support/dump.hpp"
#include "tests/support/fst.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string>
#include <utility>
#include <variant>

namespace systole::test {
namespace {

using namespace models;
namespace fs = std::filesystem;

struct Form {
    const char* name;
    bool whole;
    /// Where PE (r, c) is.
    std::string (*scope)(std::int64_t r, std::int64_t c);
};

std::string in_the_grid(std::int64_t r, std::int64_t c) {
    return "pe_" + std::to_string(r) + "_" + std::to_string(c) + ".";
}
std::string in_the_array(std::int64_t r, std::int64_t c) {
    return "array.systolic_array.gen_row[" + std::to_string(r) + "].gen_col[" + std::to_string(c) +
           "].pe.";
}

class RtlWave : public testing::TestWithParam<Form> {
protected:
    RtlWave() : folder{fs::path{testing::TempDir()} / (std::string{"wave_"} + GetParam().name)} {
        fs::create_directories(folder);
    }
    ~RtlWave() override { fs::remove_all(folder); }
    fs::path folder;
};

/// Tiles of int8 on an array of the usual PEs, with stalls.
RandomTiles integers() {
    for (std::uint64_t seed = 1;; ++seed) {
        RandomTiles tiles = random_systolic(seed, true);
        const auto& config = std::get<SystolicConfig>(tiles.rig.config);
        const auto is_integer = [](const ConvView& view) { return view.format == Format::int8; };
        if (config.dataflow == Dataflow::weight_stationary && config.weight_buffers == 2 &&
            config.pe == PeDesign{} && config.rows > 2 && config.cols > 2 && config.rows <= 4 &&
            config.cols <= 4 && tiles.rig.width < config.rows &&
            std::ranges::all_of(tiles.rig.views, is_integer)) {
            std::get<SystolicConfig>(tiles.rig.config).formats = {Format::int8};
            return tiles;
        }
    }
}

TEST_P(RtlWave, ShowsWhatTheModelDoes) {
    RandomTiles tiles = integers();
    const auto config = std::get<SystolicConfig>(tiles.rig.config);
    const std::int64_t from = 7;
    tiles.rig.wave = WaveConfig{folder / "model.vcd", Cycles{from}, Cycles{60}};
    run(tiles.rig, Fidelity::cycle, tiles.program);
    const auto maker = [&](const PeArrayShape& shape, const auto& wave) {
        ArraySpec spec;
        spec.rows = shape.rows;
        spec.cols = shape.cols;
        spec.whole = GetParam().whole;
        spec.wave = true;
        return std::make_unique<RtlArray>(std::make_shared<ArrayLibrary>(cached_array(spec)), shape,
                                          wave);
    };
    tiles.rig.wave->path = folder / "rtl.fst";
    run(tiles.rig, Fidelity::rtl, tiles.program, maker);
    ASSERT_TRUE(fst_to_vcd(folder / "rtl.fst", folder / "rtl.vcd"));
    const Dump model{folder / "model.vcd"};
    const Dump verilog{folder / "rtl.vcd"};

    EXPECT_GE(verilog.times().front(), 10 * from);
    EXPECT_LT(verilog.times().back(), 10 * (from + 60));
    const std::string module = model.module();
    int compared = 0;
    int stalls = 0;
    for (std::int64_t cycle = from; cycle < from + 60; ++cycle) {
        // Before the first clock there is no array yet.
        if (model.at(module + "clock_enable", cycle) != "1" ||
            model.at(module + "pe_0_0.psum", cycle).empty()) {
            stalls += model.at(module + "cause", cycle) == "input_stall" ? 1 : 0;
            continue;
        }
        for (std::int64_t r = 0; r < config.rows; ++r) {
            for (std::int64_t c = 0; c < config.cols; ++c) {
                const std::string of_model = module + in_the_grid(r, c);
                const std::string of_verilog = GetParam().scope(r, c);
                const auto same = [&](const std::string& one, const std::string& other) {
                    EXPECT_EQ(model.integer(of_model + one, cycle),
                              verilog.integer(of_verilog + other, 10 * cycle + 9))
                        << "cycle " << cycle << " " << of_verilog << other;
                };
                same("psum", "psum_out");
                same("activation", "act_out");
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 100);
    EXPECT_GT(stalls, 0);
}

void PrintTo(const Form& form, std::ostream* out) {
    *out << form.name;
}

INSTANTIATE_TEST_SUITE_P(Forms, RtlWave,
                         testing::Values(Form{"grid", false, in_the_grid},
                                         Form{"whole", true, in_the_array}),
                         [](const auto& form) { return form.param.name; });

}  // namespace
}  // namespace systole::test
