#pragma once

#include "models/matrix_unit/matrix_config.hpp"

#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace systole::test {

/// A line of tests/data/scalesim_v2_layers.csv. `cycles` is the index of the last cycle, one less
/// than their count.
struct ScaleSimRow {
    std::string layer;
    models::Dataflow dataflow{};
    std::int64_t rows = 0, cols = 0;
    std::int64_t m = 0, n = 0, k = 0;
    std::int64_t macs = 0, folds = 0, cycles = 0;
};

inline std::vector<ScaleSimRow> scalesim_rows() {
    const std::map<std::string, models::Dataflow> dataflows{
        {"ws", models::Dataflow::weight_stationary},
        {"os", models::Dataflow::output_stationary},
        {"is", models::Dataflow::input_stationary}};
    std::ifstream file{std::string{SYSTOLE_TEST_DATA} + "/scalesim_v2_layers.csv"};
    std::string line;
    std::getline(file, line);
    std::vector<ScaleSimRow> rows;
    while (std::getline(file, line)) {
        std::istringstream cells{line};
        std::vector<std::string> cell;
        for (std::string text; std::getline(cells, text, ',');) {
            cell.push_back(text);
        }
        if (cell.at(10).empty()) {
            continue;  // one row has no figure: SCALE-Sim was not run to its end
        }
        rows.push_back(
            {.layer = cell.at(0) + " " + cell.at(1) + " " + cell.at(2) + " " + cell.at(3),
             .dataflow = dataflows.at(cell.at(2)),
             .rows = std::stoll(cell.at(3)),
             .cols = std::stoll(cell.at(4)),
             .m = std::stoll(cell.at(5)),
             .n = std::stoll(cell.at(6)),
             .k = std::stoll(cell.at(7)),
             .macs = std::stoll(cell.at(8)),
             .folds = std::stoll(cell.at(9)),
             .cycles = std::stoll(cell.at(10))});
    }
    return rows;
}

}  // namespace systole::test
