#include "sim/report/table.hpp"

#include "sim/report/numbers.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace systole {
namespace {

TEST(Table, AlignsColumnsByWhatIsSeen) {
    Table table{{{"layer", Table::Align::left}, {"MACs"}, {"note", Table::Align::left}}};
    table.add_row({"a", "1,000", ""});
    table.add_row({"größe", "7", "2 × 3"});  // five places, though seven bytes
    table.add_rule();
    table.add_row({"total", "1,007", ""});
    EXPECT_EQ(table.text(),
              "layer   MACs  note\n"
              "-------------------\n"
              "a      1,000\n"
              "größe      7  2 × 3\n"
              "-------------------\n"
              "total  1,007\n");
}

TEST(Table, GroupsDigitsByThrees) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1'000), "1,000");
    EXPECT_EQ(grouped(-1'000), "-1,000");
    EXPECT_EQ(grouped(-999), "-999");
    EXPECT_EQ(grouped(2'097'152), "2,097,152");
    EXPECT_EQ(grouped(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
}

}  // namespace
}  // namespace systole
