// The law for the third fidelity: random programs of random tiles, and whole shipped networks, take
// the same cycles, count the same actions and find the same values on Verilog PEs.

#include "tests/models/matrix_unit/random_tiles.hpp"
#include "tests/sim/rtl/verilated.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

namespace systole::test {
namespace {

using namespace models;

/// A longer run: SYSTOLE_RTL_CASES=20000.
std::uint64_t cases() {
    const char* wanted = std::getenv("SYSTOLE_RTL_CASES");
#if defined(__SANITIZE_ADDRESS__)
    constexpr std::uint64_t usual = 60;
#else
    constexpr std::uint64_t usual = 1200;
#endif
    return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : usual;
}

/// Arrays of one PE put together, each library loaded once.
PeArrayMaker grids() {
    using Key = std::tuple<Format, PeForm, std::int64_t, std::int64_t>;
    auto loaded = std::make_shared<std::map<Key, std::shared_ptr<const ArrayLibrary>>>();
    return [loaded](const PeArrayShape& shape, const auto& wave) {
        auto& library =
            (*loaded)[{shape.format, shape.form, shape.design.latency, shape.design.sum_bits}];
        if (library == nullptr) {
            library = our_pe(shape.format, shape.form == PeForm::two_buffers, shape.design);
        }
        return std::make_unique<RtlArray>(library, shape, wave);
    };
}

/// Whether the Verilog array can run the program: it holds a stationary operand. Few designs of a
/// PE, as each is built.
bool fits(const RandomTiles& tiles) {
    const auto& config = std::get<SystolicConfig>(tiles.rig.config);
    return config.dataflow != Dataflow::output_stationary && config.rows <= 16 &&
           config.cols <= 16 && config.pe.latency <= 2;
}

TEST(RtlLaw, HoldsForRandomTiles) {
    const PeArrayMaker rtl = grids();
    std::uint64_t seed = 7'000'000;
    std::uint64_t stalled = 0;
    for (std::uint64_t i = 0; i < cases(); ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        const RandomTiles tiles = random_systolic(seed, true);
        if (!fits(tiles)) {
            continue;
        }
        ++i;
        const auto fast = run(tiles.rig, Fidelity::fast, tiles.program);
        const auto cycle = run(tiles.rig, Fidelity::cycle, tiles.program);
        const auto verilog = run(tiles.rig, Fidelity::rtl, tiles.program, rtl);
        ASSERT_TRUE(verilog == cycle) << "rtl\n" << to_text(verilog) << "cycle\n" << to_text(cycle);
        ASSERT_TRUE(verilog == fast) << "rtl\n" << to_text(verilog) << "fast\n" << to_text(fast);
        ASSERT_EQ(verilog.sums, expected_of(tiles).sums);
        stalled += verilog.ledger.spent(Cause::input_stall) > Cycles{0} ? 1U : 0U;
    }
    EXPECT_GT(stalled, cases() / 20);  // so that the clock enable is tried
}

/// The two forms of the library are one array.
class RtlForms
    : public testing::TestWithParam<std::tuple<Format, bool, std::int64_t, std::int64_t>> {};

TEST_P(RtlForms, AgreeInEveryRegister) {
    const auto [format, shadow, rows, cols] = GetParam();
    const auto form = shadow ? PeForm::two_buffers : PeForm::one_buffer;
    const auto whole = our_array(format, shadow, rows, cols);
    const auto pe = our_pe(format, shadow);
    whole->check({format, rows, cols, form, {}});
    const auto size = [](std::int64_t n) { return static_cast<std::uint32_t>(n); };
    void* one = (*whole)->create(size(rows), size(cols));
    void* many = (*pe)->create(size(rows), size(cols));
    std::mt19937 random{11};
    const auto often = [&](unsigned percent) { return random() % 100 < percent; };
    const std::uint32_t mask = ~0U >> (32 - (*pe)->activation_bits);
    std::vector<std::uint32_t> activations(static_cast<std::size_t>(rows));
    std::vector<std::uint32_t> weights(static_cast<std::size_t>(cols));
    for (int clock = 0; clock < 2000; ++clock) {
        for (auto* operand : {&activations, &weights}) {
            std::ranges::generate(*operand, [&] { return random() & mask; });
        }
        SystoleArrayEdges edges{};
        edges.activations = activations.data();
        edges.weights = weights.data();
        edges.enable = often(80);
        edges.valid = often(70);
        edges.swap = often(10);
        edges.shift = often(50);
        edges.first = often(10);
        edges.reset = clock == 1000 ? 1 : 0;
        (*whole)->clock(one, &edges);
        (*pe)->clock(many, &edges);
        for (std::uint32_t r = 0; r < size(rows); ++r) {
            for (std::uint32_t c = 0; c < size(cols); ++c) {
                ASSERT_EQ((*whole)->sum(one, r, c), (*pe)->sum(many, r, c)) << clock;
                ASSERT_EQ((*whole)->activation(one, r, c), (*pe)->activation(many, r, c)) << clock;
                ASSERT_EQ((*whole)->valid(one, r, c), (*pe)->valid(many, r, c)) << clock;
            }
        }
    }
    (*whole)->destroy(one);
    (*pe)->destroy(many);
}

INSTANTIATE_TEST_SUITE_P(Sizes, RtlForms,
                         testing::Values(std::tuple{Format::int8, true, 1, 1},
                                         std::tuple{Format::int8, false, 3, 5},
                                         std::tuple{Format::bf16, true, 5, 2},
                                         std::tuple{Format::fp32, true, 4, 4}));

}  // namespace
}  // namespace systole::test
