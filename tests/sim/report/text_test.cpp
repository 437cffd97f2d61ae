#include "sim/report/text.hpp"

#include "sim/report/picture.hpp"
#include "tests/sim/report/sample.hpp"
#include "tests/support/golden.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace systole {
namespace {

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(TextReport, KeepsTheFormOfItsGoldenFile) {
    test::expect_golden("result.txt", to_text(test::sample_result(), {.roofline = true}));
}

TEST(TextReport, ExplainsTheBound) {
    // 16 GB/s · 8192/4160 FLOP/byte = 31.5 GFLOP/s; 8192 FLOPs in 500 ns are 52.0 % of it.
    EXPECT_TRUE(contains(to_text(test::sample_result()),
                         "  main memory: 16.0 GB/s, ridge at 4.00 FLOP/byte\n"
                         "    memory-bound: 1.97 FLOP/byte is left of the ridge, so at most "
                         "31.5 GFLOP/s can be had; 52.0 % of that is reached\n"));
    EXPECT_TRUE(contains(to_text(test::sample_result()),
                         "  scratchpad: 192 GB/s, ridge at 0.33 FLOP/byte\n"
                         "    compute-bound: 1.00 FLOP/byte is right of the ridge, so it could "
                         "feed the arrays at their peak; 25.6 % of that is reached\n"));
}

TEST(TextReport, ExplainsAMemoryWithoutTime) {
    auto chip = test::sample_chip();
    chip.memory.model = models::MemoryModel::ideal;
    EXPECT_TRUE(contains(to_text(make_result(test::sample_graph(), chip, test::sample_technology(),
                                             test::sample_mapping(), test::sample_record())),
                         "  main memory: takes no time on this chip\n"
                         "    compute-bound: the arrays reach 25.6 % of their peak\n"));
}

TEST(TextReport, ExplainsALayerAboveItsRoof) {
    const std::string sentence =
        "A layer above its roof had data loaded behind the layer before.\n";
    auto record = test::sample_record();
    const auto text_of = [](const models::RunRecord& run) {
        return to_text(make_result(test::sample_graph(), test::sample_chip(),
                                   test::sample_technology(), test::sample_mapping(), run));
    };
    EXPECT_FALSE(contains(text_of(record), sentence));
    // 4096 bytes at 16 GB/s take 256 cycles; the layer's own are 200.
    record.layers[0].end = Cycles{200};
    record.layers[0].matrix_cycles = test::ledger({{models::Cause::active, 400}});
    record.layers[1].matrix_cycles = test::ledger({{models::Cause::idle, 600}});
    EXPECT_TRUE(contains(text_of(record), sentence));
}

TEST(TextReport, ShowsSmallTensors) {
    EXPECT_TRUE(contains(to_text(test::sample_result()), "output z [1×2] fp32: 0.25, -1.5\n"));
}

TEST(TextReport, CutsLongTensors) {
    auto result = test::sample_result();
    result.tensors[0].values.assign(17, 3.0);
    EXPECT_TRUE(contains(to_text(result), "3, 3, …\n"));
}

TEST(TextReport, ExplainsARunWithoutMacs) {
    auto graph = test::sample_graph();
    graph.operators.erase(graph.operators.begin());
    auto record = test::sample_record();
    record.layers.erase(record.layers.begin());
    record.layers[0].matrix_cycles = test::ledger({{models::Cause::idle, 1000}});
    auto mapping = test::sample_mapping();
    mapping.layers.erase(mapping.layers.begin());
    const auto text = to_text(
        make_result(graph, test::sample_chip(), test::sample_technology(), mapping, record));
    EXPECT_TRUE(contains(text, "no MACs were done, so there is no place on it")) << text;
}

TEST(RooflinePicture, PutsLayersUnderTheRoof) {
    const auto result = test::sample_result();
    std::istringstream lines{roofline_picture(result)};
    std::vector<std::string> rows;
    for (std::string line; std::getline(lines, line);) {
        rows.push_back(line);
    }
    const auto column_of = [&](char mark) {
        std::size_t row = 0;
        while (row < rows.size() && rows[row].find(mark, 16) == std::string::npos) {
            ++row;
        }
        return std::pair{row, row < rows.size() ? rows[row].find(mark, 16) : 0};
    };
    const auto [dense_row, dense_column] = column_of('a');
    ASSERT_LT(dense_row, 16U);
    // The roof at the layer's intensity stands above it.
    std::size_t roof_row = 0;
    while (roof_row < 16 &&
           (rows[roof_row].size() <= dense_column ||
            (rows[roof_row][dense_column] != '/' && rows[roof_row][dense_column] != '-'))) {
        ++roof_row;
    }
    EXPECT_LT(roof_row, dense_row);
    EXPECT_TRUE(contains(roofline_picture(result), "a dense1: 2.00 FLOP/byte, 20.5 GFLOP/s"));
}

TEST(RooflinePicture, IsEmptyWhereThereIsNothingToDraw) {
    auto result = test::sample_result();
    result.chip.dram.bytes_per_s.reset();
    EXPECT_EQ(roofline_picture(result), "");
    result = test::sample_result();
    result.layers.erase(result.layers.begin());
    EXPECT_EQ(roofline_picture(result), "");
}

}  // namespace
}  // namespace systole
