// The closed forms that weight-, input- and output-stationary arrays are known by.

#include "tests/models/matrix_unit/dense.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace systole::test {
namespace {

using namespace models;

struct Case {
    std::int64_t rows;
    std::int64_t cols;
    std::int64_t streamed;  ///< T, or the depth for output_stationary
    std::int64_t tiles;
    std::int64_t latency = 1;  ///< of a PE
};

Case random_case(std::mt19937_64& random, std::int64_t largest) {
    const auto draw = [&](std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>{1, most}(random);
    };
    return {draw(largest), draw(largest), draw(3 * largest), draw(6), draw(5)};
}

SystolicConfig config_of(const Case& c, Dataflow dataflow, std::int64_t buffers) {
    return {.rows = c.rows,
            .cols = c.cols,
            .dataflow = dataflow,
            .weight_buffers = buffers,
            .accumulators = 1 << 20,
            .formats = {Format::int8},
            .pe = {.latency = c.latency}};
}

/// `tiles` full tiles, issued as fast as the unit takes them.
Outcome run_tiles(const Case& c, Dataflow dataflow, std::int64_t buffers, Fidelity fidelity) {
    std::vector<Issue> program;
    const bool moving = dataflow == Dataflow::output_stationary;
    const auto view =
        moving ? dense_view(c.rows, c.cols, c.streamed) : dense_view(c.streamed, c.cols, c.rows);
    const auto depth = moving ? c.streamed : c.rows;
    const auto rows = moving ? c.rows : c.streamed;
    for (std::int64_t tile = 0; tile < c.tiles; ++tile) {
        if (!moving) {
            program.push_back(preload(right(view, 0, c.cols, 0, depth)));
        }
        program.push_back(stream(left(view, 0, rows, 0, depth), right(view, 0, c.cols, 0, depth),
                                 /*swap=*/!moving));
    }
    return run(array_rig(config_of(c, dataflow, buffers), view), fidelity, program);
}

struct Form {
    Dataflow dataflow;
    std::int64_t buffers;
    std::int64_t (*cycles)(const Case&);
};
const Form forms[] = {
    {Dataflow::weight_stationary, 1,
     [](const Case& c) {
         return c.tiles * (2 * c.rows + c.cols + c.streamed - 2 + c.latency - 1);
     }},
    {Dataflow::input_stationary, 1,
     [](const Case& c) {
         return c.tiles * (2 * c.rows + c.cols + c.streamed - 2 + c.latency - 1);
     }},
    {Dataflow::output_stationary, 1,
     [](const Case& c) { return c.tiles * (c.rows + c.cols + c.streamed - 2 + c.latency - 1); }},
    {Dataflow::weight_stationary, 2,
     [](const Case& c) {
         return c.rows + (c.tiles - 1) * std::max(c.streamed, c.rows) + c.streamed + c.rows +
                c.cols - 2 + c.latency - 1;
     }},
    {Dataflow::input_stationary, 2,
     [](const Case& c) {
         return c.rows + (c.tiles - 1) * std::max(c.streamed, c.rows) + c.streamed + c.rows +
                c.cols - 2 + c.latency - 1;
     }},
};

void hold(Fidelity fidelity, int cases, std::int64_t largest, std::uint64_t seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937_64 random{seed};
    for (int i = 0; i < cases; ++i) {
        const Case c = random_case(random, largest);
        for (const Form& form : forms) {
            SCOPED_TRACE(testing::Message()
                         << "R " << c.rows << " C " << c.cols << " T " << c.streamed << " F "
                         << c.tiles << " dataflow " << static_cast<int>(form.dataflow)
                         << " buffers " << form.buffers);
            const auto outcome = run_tiles(c, form.dataflow, form.buffers, fidelity);
            ASSERT_EQ(outcome.last(Milestone::summed), form.cycles(c));
            ASSERT_EQ(outcome.end, form.cycles(c));
            ASSERT_TRUE(outcome.idle);
            const auto steps = c.tiles * c.streamed;
            ASSERT_EQ(outcome.ledger.spent(Cause::active), Cycles{steps});
            ASSERT_EQ(outcome.ledger.total(), Cycles{outcome.settled});
            ASSERT_EQ(outcome.counters.rows_streamed, steps);
        }
    }
}

TEST(ClosedForms, HoldForRandomShapesFast) {
    hold(Fidelity::fast, 1000, 300, 1);
}

TEST(ClosedForms, HoldForRandomShapesByTheCycle) {
    hold(Fidelity::cycle, 200, 12, 2);
}

// By hand: R = C = 4, two tiles of 2 rows, two buffers. Weights 0–3; rows at 4 and 5, meanwhile the
// next weights 4–7; rows at 8 and 9; the last sum in cycle 9 + 4 + 4 − 2 = 15.
TEST(SystolicArray, StreamShorterThanTheFillWaitsForTheShift) {
    const Case c{4, 4, 2, 2};
    for (const auto fidelity : {Fidelity::fast, Fidelity::cycle}) {
        const auto outcome = run_tiles(c, Dataflow::weight_stationary, 2, fidelity);
        using Posted = std::tuple<std::int64_t, Milestone>;
        const std::vector<Posted> expected{{4, Milestone::preloaded}, {6, Milestone::streamed},
                                           {8, Milestone::preloaded}, {10, Milestone::streamed},
                                           {12, Milestone::summed},   {16, Milestone::summed}};
        EXPECT_EQ(outcome.milestones, expected);
        EXPECT_EQ(outcome.issued, (std::vector<std::int64_t>{0, 0, 4, 4}));
        EXPECT_EQ(outcome.ledger.spent(Cause::weight_shift), Cycles{4 + 2});
        EXPECT_EQ(outcome.ledger.spent(Cause::active), Cycles{4});
        EXPECT_EQ(outcome.ledger.spent(Cause::drain), Cycles{6});
        EXPECT_EQ(outcome.end, 16);
    }
}

// One buffer: the next weights wait for the last sum of the tile before.
TEST(SystolicArray, OneBufferShiftsIntoAnEmptyArray) {
    const Case c{4, 4, 2, 2};
    for (const auto fidelity : {Fidelity::fast, Fidelity::cycle}) {
        const auto outcome = run_tiles(c, Dataflow::weight_stationary, 1, fidelity);
        // Weights 0–3, rows 4 and 5, last sum in cycle 11; again from 12 on.
        EXPECT_EQ(outcome.issued, (std::vector<std::int64_t>{0, 0, 4, 12}));
        EXPECT_EQ(outcome.ledger.spent(Cause::weight_shift), Cycles{8});
        EXPECT_EQ(outcome.ledger.spent(Cause::drain), Cycles{12});
        EXPECT_EQ(outcome.end, 24);
    }
}

// Rows of 6 bytes through a port of 4: complete after 2, 3, 5, 6 beats. Row 0 is there in the
// second cycle after its fetch begins with the Stream in the latch; the weights are long in. In the
// two cycles between in which no row is complete everything stands still, drain included.
TEST(SystolicArray, RowsThatComeTooSlowlyStopTheClock) {
    const auto view = dense_view(4, 3, 6);
    SystolicConfig config{
        .rows = 6, .cols = 3, .weight_buffers = 2, .accumulators = 16, .formats = {Format::int8}};
    for (const auto fidelity : {Fidelity::fast, Fidelity::cycle}) {
        const auto outcome =
            run(array_rig(config, view, 4), fidelity,
                {preload(right(view, 0, 3, 0, 6)),
                 stream(left(view, 0, 4, 0, 6), right(view, 0, 3, 0, 6), true, 20)});
        // Latched at 20, rows enter at 21, 22, 24, 25: array time has lost one cycle by then.
        EXPECT_EQ(outcome.last(Milestone::streamed), 26);
        EXPECT_EQ(outcome.last(Milestone::summed), 25 + 6 + 3 - 1);
        EXPECT_EQ(outcome.ledger.spent(Cause::active), Cycles{4});
        EXPECT_EQ(outcome.ledger.spent(Cause::input_stall), Cycles{2});
        EXPECT_EQ(outcome.counters.scratchpad_reads, 6 + 6);  // a weight row fits in a beat
        EXPECT_EQ(outcome.counters.scratchpad_read_bytes, 6 * 3 + 4 * 6);
    }
}

// A later tile's stalls hold back the shift of the weights behind it and the sums before it.
TEST(SystolicArray, AStallHoldsBackWhatIsInFlight) {
    const auto view = dense_view(8, 2, 4);
    SystolicConfig config{
        .rows = 4, .cols = 2, .weight_buffers = 2, .accumulators = 16, .formats = {Format::int8}};
    for (const auto fidelity : {Fidelity::fast, Fidelity::cycle}) {
        const auto outcome = run(array_rig(config, view, 2), fidelity,
                                 {preload(right(view, 0, 2, 0, 4)),
                                  stream(left(view, 0, 1, 0, 4), right(view, 0, 2, 0, 4), true),
                                  stream(left(view, 0, 3, 0, 4), right(view, 0, 2, 0, 4), false),
                                  preload(right(view, 0, 2, 0, 4))});
        // Weights 0–3. Row 0 of the first Stream is fetched in 0 and 1, enters at 4. The next
        // Stream fetches from 5 on: rows at 6, 8, 10, the clock stands in 7 and 9. The first sums
        // are due after 4 + 2 − 1 = 5 enabled cycles from 4 on: 4 5 6 8 10. The weights behind
        // are issued at 6 and shift in 6, 8, 10, 11; the last sum comes 4 clocks after row 10's.
        using Posted = std::tuple<std::int64_t, Milestone>;
        const std::vector<Posted> expected{{4, Milestone::preloaded},  {5, Milestone::streamed},
                                           {11, Milestone::streamed},  {11, Milestone::summed},
                                           {12, Milestone::preloaded}, {15, Milestone::summed}};
        EXPECT_EQ(outcome.milestones, expected) << to_text(outcome);
        EXPECT_EQ(outcome.issued, (std::vector<std::int64_t>{0, 0, 4, 6}));
        EXPECT_EQ(outcome.ledger.spent(Cause::active), Cycles{4});
        EXPECT_EQ(outcome.ledger.spent(Cause::input_stall), Cycles{1 + 2});
    }
}

// Trimmed: a tile of depth 1 behind one of depth 5 waits, so that its sums stay behind.
TEST(SystolicArray, TrimmedSumsDoNotOvertake) {
    const auto deep = dense_view(2, 3, 5);
    SystolicConfig config{.rows = 8,
                          .cols = 8,
                          .weight_buffers = 2,
                          .edge_tiles = EdgeTiles::trimmed,
                          .accumulators = 16,
                          .formats = {Format::int8}};
    for (const auto fidelity : {Fidelity::fast, Fidelity::cycle}) {
        const auto outcome = run(array_rig(config, deep), fidelity,
                                 {preload(right(deep, 0, 3, 0, 5)),
                                  stream(left(deep, 0, 2, 0, 5), right(deep, 0, 3, 0, 5), true),
                                  preload(right(deep, 0, 1, 0, 1)),
                                  stream(left(deep, 0, 2, 0, 1), right(deep, 0, 1, 0, 1), true)});
        // Weights 0–4, rows 5 and 6, last sum in cycle 6 + 5 + 3 − 2 = 12. The sum of the shallow
        // tile's first row leaves in its own cycle: at 7 + 5 − 1 = 11 at the earliest, when the
        // deep tile's last row has left column 0 in cycle 10.
        EXPECT_EQ(outcome.last(Milestone::streamed), 13) << to_text(outcome);
        // Its sums are there after cycle 12, like the last of the wide tile's.
        EXPECT_EQ(outcome.last(Milestone::summed), 13);
        EXPECT_EQ(outcome.ledger.spent(Cause::drain), Cycles{4});
        EXPECT_EQ(outcome.counters.stationary_rows, 5 + 1);
    }
}

// output_stationary: steps of r and n elements come through two ports of w bytes, and a step enters
// when both are there. The wider one sets the pace: T steps take ⌈T·max(r, n) / w⌉ beats.
TEST(SystolicArray, TheNarrowerPortIsNeverInTheWay) {
    constexpr std::int64_t depth = 12;
    constexpr std::int64_t most = 14;
    SystolicConfig config{.rows = most,
                          .cols = most,
                          .dataflow = Dataflow::output_stationary,
                          .weight_buffers = 1,
                          .accumulators = most,
                          .formats = {Format::int8}};
    const auto view = dense_view(most, most, depth);
    for (std::int64_t r = 1; r <= most; ++r) {
        for (std::int64_t n = 1; n <= most; ++n) {
            for (std::int64_t w = 1; w <= 16; ++w) {
                SCOPED_TRACE(testing::Message() << "r " << r << " n " << n << " w " << w);
                const std::vector<Issue> program{
                    stream(left(view, 0, r, 0, depth), right(view, 0, n, 0, depth), false)};
                const auto streamed = std::max(depth, (depth * std::max(r, n) + w - 1) / w);
                for (const auto fidelity : {Fidelity::fast, Fidelity::cycle}) {
                    const auto outcome = run(array_rig(config, view, w), fidelity, program);
                    ASSERT_EQ(outcome.last(Milestone::streamed), streamed);
                    ASSERT_EQ(outcome.last(Milestone::summed), streamed + 2 * most - 2);
                }
            }
        }
    }
}

}  // namespace
}  // namespace systole::test
