#include "sim/report/csv.hpp"

#include "sim/report/figures.hpp"
#include "tests/sim/report/sample.hpp"

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace systole {
namespace {

/// RFC 4180, for fields without line breaks.
std::vector<std::string> fields(const std::string& line) {
    std::vector<std::string> all(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"') {
            if (quoted && i + 1 < line.size() && line[i + 1] == '"') {
                all.back() += line[i++];
            } else {
                quoted = !quoted;
            }
        } else if (line[i] == ',' && !quoted) {
            all.emplace_back();
        } else {
            all.back() += line[i];
        }
    }
    return all;
}

std::vector<std::map<std::string, std::string>> read(const std::string& text) {
    std::istringstream lines{text};
    std::string line;
    std::getline(lines, line);
    const auto header = fields(line);
    std::vector<std::map<std::string, std::string>> rows;
    while (std::getline(lines, line)) {
        const auto cells = fields(line);
        EXPECT_EQ(cells.size(), header.size()) << line;
        rows.emplace_back();
        for (std::size_t i = 0; i < header.size(); ++i) {
            rows.back()[header[i]] = cells.at(i);
        }
    }
    return rows;
}

TEST(Csv, HasOneRowForEachLayer) {
    const auto rows = read(to_csv(test::sample_result()));
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].at("name"), "dense1");
    EXPECT_EQ(rows[0].at("op"), "dense");
    EXPECT_EQ(rows[0].at("macs"), "4096");
    EXPECT_EQ(rows[0].at("cycles"), "400");
    EXPECT_EQ(rows[0].at("operational_intensity"), "2");
    EXPECT_EQ(rows[0].at("bound"), "memory");
    EXPECT_EQ(rows[0].at("cycles_weight_stall"), "672");
    EXPECT_EQ(std::stod(rows[0].at("energy_mac_j")), 4096 * 6 * 1e-12);
    EXPECT_EQ(rows[1].at("name"), "pool, the last");
}

TEST(Csv, LeavesWhatIsNotDefinedEmpty) {
    const auto rows = read(to_csv(test::sample_result()));
    EXPECT_EQ(rows.at(1).at("roof_fraction"), "");
    EXPECT_EQ(rows.at(1).at("scratchpad_operational_intensity"), "");
}

TEST(Csv, QuotesNamesWithQuotes) {
    auto result = test::sample_result();
    result.layers[0].name = "the \"first\"";
    EXPECT_EQ(read(to_csv(result)).at(0).at("name"), "the \"first\"");
}

/// Sweeps rely on the columns: they may only grow.
TEST(Csv, KeepsItsHeader) {
    const auto text = to_csv(test::sample_result());
    EXPECT_EQ(text.substr(0, text.find('\n')),
              "name,op,macs,flops,cycles,start_cycle,end_cycle,seconds,utilization,"
              "dram_read_bytes,dram_write_bytes,sram_read_bytes,sram_write_bytes,"
              "shared_read_bytes,shared_write_bytes,energy_j,operational_intensity,"
              "attained_flops_per_s,roof_flops_per_s,roof_fraction,bound,"
              "scratchpad_operational_intensity,scratchpad_roof_flops_per_s,"
              "scratchpad_roof_fraction,scratchpad_bound,energy_mac_j,energy_vector_j,"
              "energy_scratchpad_j,energy_accumulators_j,energy_shared_sram_j,energy_dram_j,"
              "cycles_active,cycles_input_stall,cycles_weight_stall,cycles_weight_shift,"
              "cycles_input_wait,cycles_accumulator_wait,cycles_result_wait,cycles_buffer_wait,"
              "cycles_drain,cycles_idle");
}

}  // namespace
}  // namespace systole
