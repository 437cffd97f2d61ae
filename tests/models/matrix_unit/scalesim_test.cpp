// SCALE-Sim v2's total cycles, which are the index of the last cycle and so one less than the
// count, for every layer of tests/data/scalesim_v2_layers.csv (attribution there beside it).

#include "tests/support/scalesim.hpp"

#include "tests/models/matrix_unit/dense.hpp"

#include <gtest/gtest.h>

namespace systole::test {
namespace {

using namespace models;

/// The product of the row, one fold after the other.
std::vector<Issue> folds(const ScaleSimRow& row, const ConvView& view) {
    std::vector<Issue> program;
    const auto each = [](std::int64_t extent, std::int64_t step, auto body) {
        for (std::int64_t first = 0; first < extent; first += step) {
            body(first, std::min(step, extent - first));
        }
    };
    switch (row.dataflow) {
        case Dataflow::weight_stationary:
            each(row.n, row.cols, [&](auto n, auto columns) {
                each(row.k, row.rows, [&](auto k, auto depth) {
                    const auto north = right(view, n, columns, k, depth);
                    program.push_back(preload(north));
                    program.push_back(stream(left(view, 0, row.m, k, depth), north, true));
                });
            });
            break;
        case Dataflow::input_stationary:
            each(row.m, row.cols, [&](auto m, auto pixels) {
                each(row.k, row.rows, [&](auto k, auto depth) {
                    const auto north = left(view, m, pixels, k, depth);
                    program.push_back(preload(north));
                    program.push_back(stream(right(view, 0, row.n, k, depth), north, true));
                });
            });
            break;
        case Dataflow::output_stationary:
            each(row.m, row.rows, [&](auto m, auto pixels) {
                each(row.n, row.cols, [&](auto n, auto columns) {
                    program.push_back(stream(left(view, m, pixels, 0, row.k),
                                             right(view, n, columns, 0, row.k), false));
                });
            });
            break;
    }
    return program;
}

TEST(SystolicFast, TakesTheCyclesOfScaleSim) {
    const auto rows = scalesim_rows();
    ASSERT_EQ(rows.size(), 861U);
    for (const ScaleSimRow& row : rows) {
        SCOPED_TRACE(row.layer);
        const auto view = dense_view(row.m, row.n, row.k);
        const SystolicConfig config{.rows = row.rows,
                                    .cols = row.cols,
                                    .dataflow = row.dataflow,
                                    .weight_buffers = 1,
                                    .accumulators = 1 << 30,
                                    .formats = {Format::int8}};
        const auto outcome = run(array_rig(config, view), Fidelity::fast, folds(row, view));
        EXPECT_EQ(outcome.end, row.cycles + 1);
        EXPECT_EQ(outcome.counters.macs, row.macs);
        const auto posted = std::ranges::count_if(outcome.milestones, [](const auto& one) {
            return std::get<1>(one) == Milestone::summed;
        });
        EXPECT_EQ(posted, row.folds);
    }
}

}  // namespace
}  // namespace systole::test
