// Ten PEs under tests/rtl_faults, each with one fault: `check_pe` and a run in lockstep name it.

#include "models/base/diagnostics.hpp"
#include "sim/mapping/mapper.hpp"
#include "sim/rtl/build_array.hpp"
#include "sim/rtl/check_pe.hpp"
#include "sim/rtl/rtl_arrays.hpp"
#include "sim/run/load.hpp"
#include "sim/run/simulate.hpp"
#include "sim/workload/load_network.hpp"
#include "tests/support/systemc.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

namespace systole::test {
namespace {

namespace fs = std::filesystem;

struct Broken {
    const char* name;
    const char* signal;  ///< in which the fault shows first
    /// In the chip, where outputs that only go to the next PE are not compared.
    const char* in_lockstep;
};

void PrintTo(const Broken& broken, std::ostream* out) {
    *out << broken.name;
}

constexpr Broken faults[] = {
    {"late_swap", "psum_out", "PE (0, 0): psum_out"},
    // The PE in the east never takes its weight over.
    {"swap_not_forwarded", "wgt_swap_out", "PE (0, 1): psum_out"},
    {"stall_ignored", "act_out", "PE (0, 0): act_out"},
    {"no_sign_extension", "psum_out", "PE (0, 0): psum_out"},
    // It is in reset whenever it should work: the first signal that moves is that of the weights.
    {"wrong_reset", "wgt_shift_out", "PE (0, 0): act_out"},
    {"late_sum", "psum_out", "PE (0, 0): psum_out"},
    {"truncating_sum", "psum_out", "PE (0, 0): psum_out"},
    {"shadow_overwritten", "psum_out", "PE (0, 0): psum_out"},
    // Only what leaves the array in the east of its last row is compared.
    {"valid_not_gated", "valid_out", "PE (3, "},
    {"own_sum", "psum_out", "PE (0, 0): psum_out"},
};

fs::path file_of(const std::string& name) {
    return fs::path{SYSTOLE_SOURCE_DIR} / "tests/rtl_faults" / (name + ".sv");
}

PeCheck check_of(const std::string& name) {
    PeCheck check;
    check.pe.pe = file_of(name);
    check.cycles = 2000;
    return check;
}

/// Runs a product with stalls on a chip of these PEs, beside the model.
std::string lockstep(const std::string& name) {
    ArraySpec spec;
    spec.pe = file_of(name);
    spec.whole = false;
    const fs::path library = fs::path{testing::TempDir()} / (name + ".so");
    build_array(spec, library);
    const auto overrides = parse_overrides(
        {"workload.m=9", "workload.n=8", "workload.k=8", "chip.core.scratchpad.width=2 B"},
        {DocumentKind::chip, DocumentKind::workload});
    const LoadedChip chip = load_chip("tiny_4x4", overrides);
    const Graph graph =
        build_graph(load_network("gemm", overrides).network, numerics::Format::int8);
    const Mapping mapping = map_graph(graph, chip.chip);
    models::RunOptions options;
    options.fidelity = models::Fidelity::rtl;
    options.values = true;
    options.rtl = rtl_arrays(
        {.library = library.string(), .lockstep = true, .stop = nullptr, .building = {}});
    const SystemCContext context;
    std::string told;
    try {
        static_cast<void>(simulate(graph, chip.chip, mapping, options, 1));
    } catch (const SimulationFault& fault) {
        told = fault.what();
    }
    fs::remove(library);
    return told;
}

std::string column(const std::string& line, int number) {
    std::istringstream words{line};
    std::string word;
    for (int i = 0; i <= number; ++i) {
        words >> word;
    }
    return word;
}

/// What is told of a fault, by the check and by the run, line by line.
std::vector<std::string> messages_of(const std::string& name) {
    std::ifstream file{file_of(name).replace_extension(".out")};
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) {
        lines.push_back(line);
    }
    return lines;
}

class PeFaults : public testing::TestWithParam<Broken> {};

TEST_P(PeFaults, AreNamedByTheCheck) {
    const PeVerdict verdict = check_pe(check_of(GetParam().name));
    ASSERT_TRUE(verdict.difference);
    EXPECT_EQ(verdict.difference->signal, GetParam().signal);
    EXPECT_EQ(verdict.difference->rows, 1);
    EXPECT_EQ(verdict.difference->r, 0);
    EXPECT_EQ(verdict.difference->c, 0);
    const auto& d = *verdict.difference;
    EXPECT_EQ(messages_of(GetParam().name).at(0), "cycle " + std::to_string(d.cycle) +
                                                      ", PE (0, 0): " + d.signal + " is " + d.got +
                                                      ", expected " + d.expected);
    // The tiles at the beginning show each of them, without luck.
    EXPECT_LT(verdict.difference->cycle, 40);
    EXPECT_NE(
        verdict.difference->history.find(" " + std::to_string(verdict.difference->cycle) + " "),
        std::string::npos)
        << verdict.difference->history;
}

TEST_P(PeFaults, AreNamedByARunInLockstep) {
    const std::string told = lockstep(GetParam().name);
    EXPECT_EQ(messages_of(GetParam().name).at(1), told);
    EXPECT_NE(told.find(std::string{"core 0, "} + GetParam().in_lockstep), std::string::npos)
        << told;
}

INSTANTIATE_TEST_SUITE_P(Ten, PeFaults, testing::ValuesIn(faults),
                         [](const auto& fault) { return fault.param.name; });

TEST(ConformingPe, Conforms) {
    const PeVerdict verdict = check_pe(check_of("conforming"));
    EXPECT_FALSE(verdict.difference);
    EXPECT_GT(verdict.cycles, 2 * 2000);
    EXPECT_EQ(lockstep("conforming"), "");
}

/// The swap reaches PE (0, 0) of an array of one with the first row: in that cycle, not in another,
/// a swap that is not forwarded is missing.
TEST(ConformingPe, TheCycleIsThatOfTheFault) {
    const PeVerdict verdict = check_pe(check_of("swap_not_forwarded"));
    ASSERT_TRUE(verdict.difference);
    std::istringstream history{verdict.difference->history};
    std::string last;
    for (std::string line; std::getline(history, line);) {
        const std::string before = last;
        last = line.empty() ? last : line;
        if (before != last && !before.empty() &&
            std::isdigit(before[before.find_first_not_of(' ')])) {
            EXPECT_EQ(column(before, 4), "0") << before;
        }
    }
    EXPECT_EQ(column(last, 0), std::to_string(verdict.difference->cycle));
    EXPECT_EQ(column(last, 4), "1") << last;  // swap_in
}

std::string told_of(const ArraySpec& spec) {
    try {
        build_array(spec, fs::path{testing::TempDir()} / "refused.so");
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(PeRefusals, NameThePort) {
    ArraySpec spec;
    spec.whole = false;
    spec.pe = file_of("conforming");
    spec.format = numerics::Format::bf16;
    const std::string mis_sized = told_of(spec);
    EXPECT_NE(mis_sized.find("port 'act_in' of module 'conforming' has 8 bits"), std::string::npos)
        << mis_sized;
    EXPECT_NE(mis_sized.find("hint: for bf16 it has 16"), std::string::npos) << mis_sized;
    spec.top = "other";
    EXPECT_NE(told_of(spec).find("there is no module 'other'"), std::string::npos) << told_of(spec);
    EXPECT_FALSE(fs::exists(fs::path{testing::TempDir()} / "refused.so"));
}

}  // namespace
}  // namespace systole::test
