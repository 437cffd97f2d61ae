// The law of the project: cycles, counters and values do not depend on the fidelity. Random
// programs of random tiles on random units, each held against the other fidelity and against
// tests/models/matrix_unit/expected_tiles.cpp.

#include "tests/models/matrix_unit/random_tiles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

namespace systole::test {
namespace {

using namespace models;

// Sanitizers make everything some ten times slower.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::uint64_t scale = 20;
#else
constexpr std::uint64_t scale = 1;
#endif

std::int64_t count(const Outcome& outcome, Milestone milestone) {
    return std::ranges::count_if(
        outcome.milestones, [&](const auto& posted) { return std::get<1>(posted) == milestone; });
}

/// What holds for a run at either fidelity.
void hold(const Outcome& outcome, const Expected& expected) {
    EXPECT_TRUE(outcome.idle);
    EXPECT_EQ(outcome.counters, expected.counters);
    EXPECT_EQ(outcome.sums, expected.sums);
    EXPECT_EQ(outcome.ledger.total(), Cycles{outcome.settled});
    EXPECT_EQ(outcome.ledger.spent(Cause::active), Cycles{expected.steps});
    EXPECT_EQ(count(outcome, Milestone::preloaded), expected.preloads);
    EXPECT_EQ(count(outcome, Milestone::streamed), expected.streams);
    EXPECT_EQ(count(outcome, Milestone::summed), expected.streams);
}

void compare(const RandomTiles& tiles) {
    const auto expected = expected_of(tiles);
    const auto fast = run(tiles.rig, Fidelity::fast, tiles.program);
    const auto cycle = run(tiles.rig, Fidelity::cycle, tiles.program);
    {
        SCOPED_TRACE("fast");
        hold(fast, expected);
    }
    {
        SCOPED_TRACE("cycle");
        hold(cycle, expected);
    }
    EXPECT_TRUE(fast == cycle) << "fast\n" << to_text(fast) << "cycle\n" << to_text(cycle);
}

/// Seeds are dealt out over several tests, which may run side by side.
class FidelityLaw : public testing::TestWithParam<std::uint64_t> {
protected:
    template <class Body>
    void for_seeds(std::uint64_t cases, Body body) {
        for (std::uint64_t i = 0; i < cases / scale; ++i) {
            const std::uint64_t seed = GetParam() * 1'000'000 + i;
            SCOPED_TRACE(testing::Message() << "seed " << seed);
            body(seed);
            if (HasFailure()) {
                return;
            }
        }
    }
};

TEST_P(FidelityLaw, HoldsForSystolicArraysWithValues) {
    for_seeds(1500, [](auto seed) { compare(random_systolic(seed, true)); });
}

TEST_P(FidelityLaw, HoldsForSystolicArraysWithTimeAlone) {
    for_seeds(1000, [](auto seed) { compare(random_systolic(seed + 500'000, false)); });
}

TEST_P(FidelityLaw, HoldsForSimtUnits) {
    for_seeds(200, [](auto seed) { compare(random_simt(seed)); });
}

INSTANTIATE_TEST_SUITE_P(Seeds, FidelityLaw, testing::Range<std::uint64_t>(0, 8));

}  // namespace
}  // namespace systole::test
