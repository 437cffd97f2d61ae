// PEs under tests/rtl_choices, each with a choice of its designer: with it declared they conform,
// alone and in a chip that has it; without, they do not, and the check says what would do.

#include "models/base/diagnostics.hpp"
#include "sim/mapping/mapper.hpp"
#include "sim/rtl/check_pe.hpp"
#include "sim/rtl/rtl_arrays.hpp"
#include "sim/run/load.hpp"
#include "sim/run/simulate.hpp"
#include "sim/workload/load_network.hpp"
#include "tests/support/systemc.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace systole::test {
namespace {

namespace fs = std::filesystem;
using models::Overflow;
using models::PeDesign;

ArraySpec pe_of(const std::string& name, const PeDesign& design) {
    ArraySpec spec;
    spec.pe = fs::path{SYSTOLE_SOURCE_DIR} / "tests/rtl_choices" / (name + ".sv");
    spec.whole = false;
    spec.design = design;
    return spec;
}

PeVerdict verdict_on(const std::string& name, const PeDesign& design) {
    PeCheck check;
    check.pe = pe_of(name, design);
    check.cycles = 2000;
    return check_pe(check);
}

/// A product whose sums leave 20 bits, on a chip of such PEs.
struct Ran {
    std::int64_t cycles = 0;
    std::vector<double> values;
};
Ran run(const PeDesign& declared, models::Fidelity fidelity, const std::string& library = {}) {
    const auto overrides = parse_overrides({"workload.m=9", "workload.n=8", "workload.k=64"},
                                           {DocumentKind::workload});
    LoadedChip chip = load_chip("tiny_4x4", {});
    auto& array = std::get<models::SystolicConfig>(chip.chip.core.matrix);
    array.pe = declared;
    const Graph graph =
        build_graph(load_network("gemm", overrides).network, numerics::Format::int8);
    const Mapping mapping = map_graph(graph, chip.chip);
    models::RunOptions options;
    options.fidelity = fidelity;
    options.values = true;
    if (fidelity == models::Fidelity::rtl) {
        options.rtl =
            rtl_arrays({.library = library, .lockstep = true, .stop = nullptr, .building = {}});
    }
    const SystemCContext context;
    const Simulation simulation = simulate(graph, chip.chip, mapping, options, 1);
    return {simulation.record.cycles.count(), simulation.tensors.back().values};
}

struct Choice {
    const char* name;
    PeDesign design;
};
void PrintTo(const Choice& choice, std::ostream* out) {
    *out << choice.name;
}

class PeChoices : public testing::TestWithParam<Choice> {};

TEST_P(PeChoices, ConformWhenTheyAreDeclared) {
    const auto& [name, design] = GetParam();
    const PeVerdict verdict = verdict_on(name, design);
    EXPECT_FALSE(verdict.difference) << verdict.difference->history;
    const fs::path library = fs::path{testing::TempDir()} / (std::string{name} + ".so");
    build_array(pe_of(name, design), library);
    const Ran fast = run(design, models::Fidelity::fast);
    const Ran cycle = run(design, models::Fidelity::cycle);
    const Ran rtl = run(design, models::Fidelity::rtl, library);
    EXPECT_EQ(rtl.cycles, fast.cycles);
    EXPECT_EQ(rtl.values, fast.values);
    EXPECT_EQ(cycle.cycles, fast.cycles);
    EXPECT_EQ(cycle.values, fast.values);
    // A chip whose description does not say so is another.
    PeDesign other = design;
    ++other.latency;
    EXPECT_THROW(run(other, models::Fidelity::rtl, library), InputError);
    fs::remove(library);
}

/// Those that the ports do not show.
class HiddenChoices : public testing::TestWithParam<Choice> {};

TEST_P(HiddenChoices, AreDifferencesWhenTheyAreNotDeclared) {
    const auto& [name, design] = GetParam();
    const PeVerdict verdict = verdict_on(name, {});
    ASSERT_TRUE(verdict.difference);
    EXPECT_EQ(verdict.difference->signal, "psum_out");
    ASSERT_TRUE(verdict.conforms_as);
    EXPECT_EQ(*verdict.conforms_as, design);
}

constexpr Choice extra_stage{"extra_stage", {.latency = 2}};
constexpr Choice saturating{"saturating", {.overflow = Overflow::saturate}};
constexpr Choice narrow_sums{"narrow_sums", {.sum_bits = 20}};
constexpr Choice zero_gated{"zero_gated", {}};
const auto name_of = [](const auto& choice) { return choice.param.name; };

INSTANTIATE_TEST_SUITE_P(Four, PeChoices,
                         testing::Values(extra_stage, saturating, narrow_sums, zero_gated),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Two, HiddenChoices, testing::Values(extra_stage, saturating), name_of);

/// A faulty PE is no choice of anybody.
TEST(PeChoice, ExplainsNoFault) {
    PeCheck check;
    check.pe.pe = fs::path{SYSTOLE_SOURCE_DIR} / "tests/rtl_faults/truncating_sum.sv";
    check.cycles = 500;
    const PeVerdict verdict = check_pe(check);
    ASSERT_TRUE(verdict.difference);
    EXPECT_FALSE(verdict.conforms_as);
}

TEST(PeChoice, NarrowPortsAreNamed) {
    try {
        static_cast<void>(verdict_on("narrow_sums", {}));
        FAIL();
    } catch (const InputError& error) {
        const std::string told = error.what();
        EXPECT_NE(told.find("port 'psum_in' of module 'narrow_sums' has 20 bits"),
                  std::string::npos)
            << told;
        EXPECT_NE(told.find("for int8 it has 32; --sum-bits declares another width"),
                  std::string::npos)
            << told;
    }
}

}  // namespace
}  // namespace systole::test
