#include "models/matrix_unit/wave.hpp"

#include "tests/models/matrix_unit/dense.hpp"
#include "tests/support/dump.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

namespace systole::test {
namespace {

using namespace models;
namespace fs = std::filesystem;

class Wave : public testing::Test {
protected:
    Wave() {
        folder = fs::temp_directory_path() /
                 ("systole_wave_" + std::to_string(::getpid()) + "_" +
                  testing::UnitTest::GetInstance()->current_test_info()->name());
        fs::create_directories(folder);
    }
    ~Wave() override { fs::remove_all(folder); }

    /// Two rows through a 2×2 array: (5, 6) and (7, −8) times ((1, 2), (3, 4)).
    Rig rig(Format format) const {
        const SystolicConfig config{.rows = 2, .cols = 2, .accumulators = 4, .formats = {format}};
        auto made = array_rig(config, view_of(format), 16);
        const int numbers[] = {5, 6, 7, -8, 1, 2, 3, 4};
        for (const int number : numbers) {
            if (format == Format::int8) {
                made.scratchpad.push_back(static_cast<std::byte>(number));
            } else {
                const auto real = static_cast<float>(number) / 2;
                const auto* bytes = reinterpret_cast<const std::byte*>(&real);
                made.scratchpad.insert(made.scratchpad.end(), bytes, bytes + sizeof real);
            }
        }
        made.wave = WaveConfig{.path = folder / "wave.vcd", .from = Cycles{0}};
        return made;
    }
    static ConvView view_of(Format format) { return dense_view(2, 2, 2, format); }
    static std::vector<Issue> program(Format format) {
        const auto view = view_of(format);
        const auto north = right(view, 0, 2, 0, 2, 4 * numerics::bytes_of(format));
        return {preload(north), stream(left(view, 0, 2, 0, 2), north, true)};
    }

    fs::path folder;
};

// Weights 0 and 1; rows in 2 and 3; the last sum in 5.
TEST_F(Wave, ShowsEachPeInEachCycle) {
    run(rig(Format::int8), Fidelity::cycle, program(Format::int8));
    const Dump dump{folder / "wave.vcd"};
    EXPECT_EQ(dump.signals(), 2U + 4U * 4U);
    const std::vector<std::string> causes{"weight_shift", "weight_shift", "active", "active",
                                          "drain",        "drain",        "idle"};
    for (std::size_t cycle = 0; cycle < causes.size(); ++cycle) {
        const auto time = static_cast<std::int64_t>(cycle);
        EXPECT_EQ(dump.at("matrix.cause", time), causes[cycle]) << cycle;
        EXPECT_EQ(dump.at("matrix.clock_enable", time), cycle < 6 ? "1" : "0") << cycle;
    }
    struct Seen {
        std::string pe;
        std::int64_t cycle, activation, weight, sum;
        std::string swap;
    };
    const std::vector<Seen> all{{"pe_0_0", 2, 5, 1, 5, "1"},    {"pe_0_1", 3, 5, 2, 10, "1"},
                                {"pe_1_0", 3, 6, 3, 23, "1"},   {"pe_1_1", 4, 6, 4, 34, "1"},
                                {"pe_0_0", 3, 7, 1, 7, "0"},    {"pe_0_1", 4, 7, 2, 14, "0"},
                                {"pe_1_0", 4, -8, 3, -17, "0"}, {"pe_1_1", 5, -8, 4, -18, "0"}};
    for (const Seen& seen : all) {
        SCOPED_TRACE(testing::Message() << seen.pe << " in cycle " << seen.cycle);
        const std::string pe = "matrix." + seen.pe + '.';
        EXPECT_EQ(dump.integer(pe + "activation", seen.cycle), seen.activation);
        EXPECT_EQ(dump.integer(pe + "weight", seen.cycle), seen.weight);
        EXPECT_EQ(dump.integer(pe + "psum", seen.cycle), seen.sum);
        EXPECT_EQ(dump.at(pe + "swap", seen.cycle), seen.swap);
    }
}

TEST_F(Wave, ShowsRealsForFloatingFormats) {
    run(rig(Format::fp32), Fidelity::cycle, program(Format::fp32));
    const Dump dump{folder / "wave.vcd"};
    EXPECT_EQ(std::stod(dump.at("matrix.pe_1_1.activation", 5)), -4.0);
    EXPECT_EQ(std::stod(dump.at("matrix.pe_1_1.weight", 5)), 2.0);
    EXPECT_EQ(std::stod(dump.at("matrix.pe_1_1.psum", 5)), -4.5);
}

TEST_F(Wave, KeepsToItsWindow) {
    auto some = rig(Format::int8);
    some.wave->from = Cycles{3};
    some.wave->cycles = Cycles{2};
    run(some, Fidelity::cycle, program(Format::int8));
    const Dump dump{folder / "wave.vcd"};
    EXPECT_EQ(dump.times(), (std::vector<std::int64_t>{3, 4, 5}));
    EXPECT_EQ(dump.at("matrix.cause", 3), "active");
    EXPECT_EQ(dump.integer("matrix.pe_1_0.psum", 3), 23);
}

// The window opens while the unit waits.
TEST_F(Wave, ShowsWhatTheUnitWaitsFor) {
    auto some = rig(Format::int8);
    some.wave->from = Cycles{10};
    auto late = program(Format::int8);
    late[0].delay = 20;
    late[0].cause = Cause::weight_stall;
    run(some, Fidelity::cycle, late);
    const Dump dump{folder / "wave.vcd"};
    EXPECT_EQ(dump.at("matrix.cause", 10), "weight_stall");
    EXPECT_EQ(dump.at("matrix.clock_enable", 10), "0");
    EXPECT_EQ(dump.at("matrix.cause", 20), "weight_shift");
}

// A stall shows as the clock that stands: rows of 2 bytes through a port of 1.
TEST_F(Wave, ShowsAStall) {
    auto some = rig(Format::int8);
    some.width = 1;
    const auto outcome = run(some, Fidelity::cycle, program(Format::int8));
    ASSERT_EQ(outcome.ledger.spent(Cause::input_stall), Cycles{1});
    const Dump dump{folder / "wave.vcd"};
    // Weights take 2 cycles a row: 0 to 3. Rows enter in 4 and 6.
    EXPECT_EQ(dump.at("matrix.cause", 5), "input_stall");
    EXPECT_EQ(dump.at("matrix.clock_enable", 5), "0");
    EXPECT_EQ(dump.at("matrix.cause", 6), "active");
    EXPECT_EQ(dump.at("matrix.clock_enable", 6), "1");
}

TEST_F(Wave, DoesNotChangeTheRun) {
    auto silent = rig(Format::int8);
    silent.wave.reset();
    EXPECT_TRUE(run(rig(Format::int8), Fidelity::cycle, program(Format::int8)) ==
                run(silent, Fidelity::cycle, program(Format::int8)));
}

std::string fault_of(const Rig& rig, Fidelity fidelity) {
    try {
        run(rig, fidelity, {});
    } catch (const InputError& error) {
        return to_string(error.faults().front());
    }
    return "no fault";
}

TEST_F(Wave, IsRefusedWhereThereIsNone) {
    EXPECT_NE(fault_of(rig(Format::int8), Fidelity::fast).find("--fidelity cycle"),
              std::string::npos);
    auto simt = rig(Format::int8);
    simt.config = SimtConfig{.formats = {Format::int8}};
    EXPECT_NE(fault_of(simt, Fidelity::cycle).find("simt"), std::string::npos);
    auto large = rig(Format::int8);
    std::get<SystolicConfig>(large.config).rows = 33;
    EXPECT_NE(fault_of(large, Fidelity::cycle).find("33 rows"), std::string::npos);
    EXPECT_FALSE(fs::exists(folder / "wave.vcd"));
}

TEST_F(Wave, AFileThatCannotBeWrittenIsAFaultOfTheInput) {
    auto nowhere = rig(Format::int8);
    nowhere.wave->path = folder / "missing" / "wave.vcd";
    EXPECT_NE(fault_of(nowhere, Fidelity::cycle).find("cannot be written"), std::string::npos);
    auto full = rig(Format::int8);
    full.wave->path = "/dev/full";
    if (fs::exists(full.wave->path)) {
        EXPECT_NE(fault_of(full, Fidelity::cycle).find("cannot be written"), std::string::npos);
        EXPECT_TRUE(fs::exists(full.wave->path)) << "a device is not a file to be removed";
    }
}

}  // namespace
}  // namespace systole::test
