#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace systole {

/// Plain text in aligned columns, two spaces apart, without trailing spaces.
class Table {
public:
    enum class Align { left, right };
    struct Column {
        std::string title;
        Align align = Align::right;
    };

    explicit Table(std::vector<Column> columns);

    /// One cell for each column.
    void add_row(std::vector<std::string> cells);
    /// A line across all columns.
    void add_rule();

    /// The titles, a rule and the rows, each line ended.
    [[nodiscard]] std::string text() const;

private:
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;  ///< an empty row is a rule
};

}  // namespace systole
