#include "sim/report/table.hpp"

#include "models/base/diagnostics.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace systole {
namespace {

/// Places on the screen: code points of UTF-8, which begin with any byte but 10xxxxxx.
std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

void append_line(std::string& text, std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_{std::move(columns)} {}

void Table::add_row(std::vector<std::string> cells) {
    SYSTOLE_ASSERT(cells.size() == columns_.size(), "a row has another number of cells");
    rows_.push_back(std::move(cells));
}

void Table::add_rule() {
    rows_.emplace_back();
}

std::string Table::text() const {
    std::vector<std::size_t> widths;
    std::vector<std::string> titles;
    std::size_t whole = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        widths.push_back(width_of(columns_[i].title));
        for (const auto& row : rows_) {
            widths[i] = std::max(widths[i], row.empty() ? 0 : width_of(row[i]));
        }
        titles.push_back(columns_[i].title);
        whole += widths[i] + (i == 0 ? 0 : 2);
    }
    const std::string rule(whole, '-');
    std::string text;
    const auto append_row = [&](const std::vector<std::string>& cells) {
        std::string line;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::string space(widths[i] - width_of(cells[i]), ' ');
            line += i == 0 ? "" : "  ";
            line += columns_[i].align == Align::left ? cells[i] + space : space + cells[i];
        }
        append_line(text, std::move(line));
    };
    append_row(titles);
    append_line(text, rule);
    for (const auto& row : rows_) {
        if (row.empty()) {
            append_line(text, rule);
        } else {
            append_row(row);
        }
    }
    return text;
}

}  // namespace systole
