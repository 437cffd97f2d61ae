// The picture in rtl/README.md is that of a run.

#include "tests/sim/rtl/verilated.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace systole::test {
namespace {

using numerics::Format;

struct Line {
    std::string name;
    std::vector<std::string> cells;
};

std::string draw(const std::vector<Line>& lines) {
    std::string text;
    for (const Line& line : lines) {
        text += fmt::format("{:<14}", line.name);
        for (const auto& cell : line.cells) {
            text += fmt::format("{:>7}", cell);
        }
        text += "\n";
    }
    return text;
}

std::string number(std::uint32_t bits, bool there) {
    return there ? fmt::format("{}", static_cast<std::int32_t>(bits)) : ".";
}

/// One tile of weights and two rows through an array of 2×2, with a cycle without a clock.
std::string run_of_two_by_two() {
    const auto library = our_array(Format::int8, true, 2, 2);
    const auto& array = **library;
    void* pes = array.create(2, 2);
    const std::array<std::array<std::uint32_t, 2>, 2> weights{{{5, 6}, {3, 4}}};  // last row first
    const std::array<std::array<std::uint32_t, 2>, 2> rows{{{1, 2}, {10, 20}}};
    std::vector<Line> lines{{"cycle", {}},        {"en", {}},           {"wgt_shift_in", {}},
                            {"wgt_in[0..1]", {}}, {"wgt_swap_in", {}},  {"valid_in", {}},
                            {"act_in[0..1]", {}}, {"valid_out[0]", {}}, {"psum_out[0]", {}},
                            {"valid_out[1]", {}}, {"psum_out[1]", {}}};
    for (int cycle = 0; cycle < 9; ++cycle) {
        const bool shifts = cycle < 2;
        const bool stands = cycle == 4;
        const bool enters = cycle == 2 || cycle == 3;
        const auto& tile = weights[cycle == 0 ? 0 : 1];
        const auto& row = rows[cycle == 2 ? 0 : 1];
        const std::array<bool, 2> out{array.valid(pes, 1, 0) != 0, array.valid(pes, 1, 1) != 0};
        const std::vector<std::string> cells{std::to_string(cycle),
                                             stands ? "0" : "1",
                                             shifts ? "1" : "0",
                                             shifts ? fmt::format("{} {}", tile[0], tile[1]) : ".",
                                             cycle == 2 ? "1" : "0",
                                             enters ? "1" : "0",
                                             enters ? fmt::format("{} {}", row[0], row[1]) : ".",
                                             out[0] ? "1" : "0",
                                             number(array.sum(pes, 1, 0), out[0]),
                                             out[1] ? "1" : "0",
                                             number(array.sum(pes, 1, 1), out[1])};
        for (std::size_t i = 0; i < lines.size(); ++i) {
            lines[i].cells.push_back(cells[i]);
        }
        SystoleArrayEdges edges{};
        edges.activations = enters ? row.data() : nullptr;
        edges.weights = shifts ? tile.data() : nullptr;
        edges.enable = stands ? 0 : 1;
        edges.valid = enters ? 1 : 0;
        edges.swap = cycle == 2 ? 1 : 0;
        edges.shift = shifts ? 1 : 0;
        edges.first = cycle == 0 ? 1 : 0;
        array.clock(pes, &edges);
    }
    array.destroy(pes);
    return draw(lines);
}

TEST(RtlPicture, InTheReadmeIsThatOfARun) {
    std::ifstream file{SYSTOLE_SOURCE_DIR "/rtl/README.md"};
    const std::string readme{std::istreambuf_iterator<char>{file}, {}};
    const std::string picture = run_of_two_by_two();
    EXPECT_NE(readme.find(picture), std::string::npos) << picture;
    // 3 · 1 + 5 · 2 and 3 · 10 + 5 · 20, and the same with 4 and 6.
    for (const char* sum : {" 13", " 130", " 16", " 160"}) {
        EXPECT_NE(picture.find(sum), std::string::npos) << sum;
    }
}

}  // namespace
}  // namespace systole::test
