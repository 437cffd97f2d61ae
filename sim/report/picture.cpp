#include "sim/report/picture.hpp"

#include "sim/report/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace systole {
namespace {

constexpr int columns = 64;
constexpr int rows = 16;

/// The decades that an axis spans, and the cell of a value on it.
struct Axis {
    double low = 0;  ///< log10
    double high = 0;
    int cells = 0;

    Axis(double least, double most, int cell_count)
        : low{std::floor(std::log10(least))},
          high{std::max(std::ceil(std::log10(most)), low + 1)},
          cells{cell_count} {}

    [[nodiscard]] int cell(double value) const {
        const double place = (std::log10(value) - low) / (high - low) * (cells - 1);
        return std::clamp(static_cast<int>(std::lround(place)), 0, cells - 1);
    }
    [[nodiscard]] double value(int cell) const {
        return std::pow(10.0, low + (high - low) * cell / (cells - 1));
    }
};

struct Mark {
    double intensity;
    double flops_per_s;
    std::string name;
};

std::vector<Mark> marks_of(const Result& result) {
    std::vector<Mark> marks;
    for (const auto& layer : result.layers) {
        const auto& point = layer.figures.dram;
        if (point.operational_intensity && *point.operational_intensity > 0 &&
            point.attained_flops_per_s > 0) {
            marks.push_back({*point.operational_intensity, point.attained_flops_per_s, layer.name});
        }
    }
    return marks;
}

std::string letter(std::size_t index) {
    constexpr std::size_t letters = 26;
    return std::string(1, static_cast<char>((index < letters ? 'a' : 'A') + index % letters));
}

void draw_roof(std::vector<std::string>& grid, const Roof& roof, const Axis& x, const Axis& y) {
    for (int column = 0; column < columns; ++column) {
        const double intensity = x.value(column);
        const bool sloped = intensity < roof.ridge();
        const double height = sloped ? intensity * roof.bytes_per_s.value_or(0) : roof.flops_per_s;
        if (std::log10(height) >= y.low) {
            grid[static_cast<std::size_t>(y.cell(height))][static_cast<std::size_t>(column)] =
                sloped ? '/' : '-';
        }
    }
}

std::string legend(const std::vector<Mark>& marks, std::size_t shown) {
    std::string text;
    for (std::size_t i = 0; i < shown; ++i) {
        text += fmt::format("  {} {}: {} FLOP/byte, {}\n", letter(i), marks[i].name,
                            three_digits(marks[i].intensity), si(marks[i].flops_per_s, "FLOP/s"));
    }
    if (shown < marks.size()) {
        text += fmt::format("  + the other {} layers\n", marks.size() - shown);
    }
    return text;
}

}  // namespace

std::string roofline_picture(const Result& result) {
    const auto marks = marks_of(result);
    const auto& roof = result.chip.dram;
    if (marks.empty() || !roof.bytes_per_s) {
        return "";
    }
    double least_intensity = roof.ridge();
    double most_intensity = roof.ridge();
    double least_flops = roof.flops_per_s;
    for (const auto& mark : marks) {
        least_intensity = std::min(least_intensity, mark.intensity);
        most_intensity = std::max(most_intensity, mark.intensity);
        least_flops = std::min(least_flops, mark.flops_per_s);
    }
    const Axis x{least_intensity, most_intensity * 1.01, columns};
    const Axis y{least_flops, roof.flops_per_s, rows};
    std::vector<std::string> grid(rows, std::string(columns, ' '));
    draw_roof(grid, roof, x, y);

    constexpr std::size_t most_letters = 52;
    const std::size_t shown = std::min(marks.size(), most_letters);
    for (std::size_t i = 0; i < marks.size(); ++i) {
        auto& cell = grid[static_cast<std::size_t>(y.cell(marks[i].flops_per_s))]
                         [static_cast<std::size_t>(x.cell(marks[i].intensity))];
        const bool taken = cell != ' ' && cell != '/' && cell != '-';
        cell = taken ? '*' : i < shown ? letter(i)[0] : '+';
    }
    std::string text;
    for (int row = rows - 1; row >= 0; --row) {
        const bool labelled = row == rows - 1 || row == 0;
        auto& line = grid[static_cast<std::size_t>(row)];
        line.erase(line.find_last_not_of(' ') + 1);
        text += fmt::format("{:>14} |{}\n", labelled ? si(y.value(row), "FLOP/s") : "", line);
    }
    const std::string left = three_digits(x.value(0));
    const std::string right = three_digits(x.value(columns - 1)) + " FLOP/byte";
    text += fmt::format("{:>14} +{:-<{}}\n", "", "", columns);
    text +=
        fmt::format("{:>16}{}{:>{}}\n", "", left, right, columns - static_cast<int>(left.size()));
    return text + legend(marks, shown);
}

}  // namespace systole
