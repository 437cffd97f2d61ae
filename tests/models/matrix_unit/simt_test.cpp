#include "tests/models/matrix_unit/dense.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

namespace systole::test {
namespace {

using namespace models;

Rig simt_rig(std::int64_t lanes, const ConvView& view, std::int64_t width) {
    return {.config = SimtConfig{.lanes = lanes,
                                 .cols = 8,
                                 .accumulators = 8,
                                 .formats = {Format::int8, Format::fp32}},
            .accumulator_cols = 8,
            .accumulator_rows = 8,
            .width = width,
            .views = {view}};
}

// One lane on a port of 8 bytes: 1 + 1 beats of operands and 1 written back for the first product
// of a sum, one more for each later one, whose partial sum is read.
TEST(Simt, OneLaneGoesToMemoryForEverything) {
    const auto view = dense_view(2, 3, 5);
    for (const auto fidelity : {Fidelity::fast, Fidelity::cycle}) {
        const auto outcome = run(simt_rig(1, view, 8), fidelity,
                                 {stream(left(view, 0, 2, 0, 5), right(view, 0, 3, 0, 5), false)});
        const std::int64_t sums = 2 * 3;
        EXPECT_EQ(outcome.end, sums * (3 + 4 * 4));
        EXPECT_EQ(outcome.ledger.spent(Cause::active), Cycles{outcome.end});
        EXPECT_EQ(outcome.counters.scratchpad_reads, sums * (2 + 4 * 3));
        EXPECT_EQ(outcome.counters.scratchpad_read_bytes, sums * (2 + 4 * (2 + 4)));
        EXPECT_EQ(outcome.counters.scratchpad_writes, sums * 5);
        EXPECT_EQ(outcome.counters.scratchpad_write_bytes, sums * 5 * 4);
        EXPECT_EQ(outcome.counters.macs, sums * 5);
        EXPECT_EQ(outcome.counters.accumulator_writes, 0);
    }
}

// Four lanes on six columns of fp32: groups of 4 and 2. A port of 8 bytes moves the 4 in 2 beats
// and the 2 in 1, operands and sums alike.
TEST(Simt, LanesWorkOnAdjacentColumns) {
    const auto view = dense_view(1, 6, 2, Format::fp32);
    for (const auto fidelity : {Fidelity::fast, Fidelity::cycle}) {
        const auto outcome = run(simt_rig(4, view, 8), fidelity,
                                 {stream(left(view, 0, 1, 0, 2), right(view, 0, 6, 0, 2), false),
                                  stream(left(view, 0, 1, 0, 2), right(view, 0, 6, 0, 2), false)});
        const std::int64_t first = (1 + 2 + 2) + (1 + 1 + 1);
        const std::int64_t second = (1 + 2 + 2 + 2) + (1 + 1 + 1 + 1);
        EXPECT_EQ(outcome.end, 2 * (first + second));
        EXPECT_EQ(outcome.issued, (std::vector<std::int64_t>{0, 0}));
        using Posted = std::tuple<std::int64_t, Milestone>;
        EXPECT_EQ(outcome.milestones.front(), (Posted{first + second, Milestone::streamed}));
    }
}

// z = 0.8·x1 − 1.5·x2, the products and the sum rounded to fp32.
TEST(Simt, ComputesAPerceptron) {
    const auto view = dense_view(1, 1, 2, Format::fp32);
    const float numbers[] = {3.0F, 0.7F, 0.8F, -1.5F};
    auto rig = simt_rig(1, view, 8);
    rig.scratchpad.resize(sizeof numbers);
    std::memcpy(rig.scratchpad.data(), numbers, sizeof numbers);
    const float a = 3.0F * 0.8F;
    const float b = 0.7F * -1.5F;
    const float expected = a + b;
    for (const auto fidelity : {Fidelity::fast, Fidelity::cycle}) {
        const auto outcome = run(
            rig, fidelity, {stream(left(view, 0, 1, 0, 2, 0), right(view, 0, 1, 0, 2, 8), false)});
        EXPECT_EQ(std::bit_cast<float>(outcome.sums[0][0]), expected);
    }
}

}  // namespace
}  // namespace systole::test
