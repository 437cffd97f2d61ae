#include "models/base/diagnostics.hpp"
#include "sim/workload/value_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

namespace systole {
namespace {

/// Faults after this many say nothing new.
constexpr std::size_t most_faults = 20;
/// Longer texts are cut in messages.
constexpr std::size_t shown_length = 30;

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// As a message may show it: short, and without bytes that a terminal would act on.
std::string shown(std::string_view text) {
    std::string result;
    for (const char c : text.substr(0, shown_length)) {
        result += c >= ' ' && c <= '~' ? c : '?';
    }
    return result + (text.size() > shown_length ? "…" : "");
}

class CsvReader {
public:
    CsvReader(std::string_view text, const std::string& file) : rest_{text}, file_{file} {
        constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
        if (rest_.starts_with(byte_order_mark)) {
            rest_.remove_prefix(byte_order_mark.size());
        }
    }

    ValueArray read() {
        while (!rest_.empty() && faults_.size() < most_faults) {
            const auto end = rest_.find('\n');
            auto line = rest_.substr(0, end);
            rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
            if (line.ends_with('\r')) {
                line.remove_suffix(1);
            }
            ++line_;
            read_row(line);
        }
        if (faults_.empty() && array_.values.empty()) {
            fault(1, "has no numbers", "");
        }
        if (!faults_.empty()) {
            throw InputError{std::move(faults_)};
        }
        array_.shape = {rows_, columns_};
        return std::move(array_);
    }

private:
    void read_row(std::string_view line) {
        if (trimmed(line).empty()) {
            // Blank lines may only end the file.
            if (rest_.find_first_not_of(" \t\r\n") != std::string_view::npos) {
                fault(1, "this line is empty", "each line is a row of numbers");
            }
            return;
        }
        std::int64_t columns = 0;
        for (std::size_t start = 0; start <= line.size() && faults_.size() < most_faults;) {
            const auto comma = std::min(line.find(',', start), line.size());
            ++columns;
            read_number(line.substr(start, comma - start), start, columns);
            start = comma + 1;
        }
        if (rows_ == 0) {
            columns_ = columns;
        } else if (columns != columns_ && faults_.size() < most_faults) {
            fault(1,
                  fmt::format("this row has {} numbers, the first row has {}", columns, columns_),
                  "");
        }
        ++rows_;
    }

    void read_number(std::string_view field, std::size_t start, std::int64_t column) {
        const auto number = trimmed(field);
        const auto offset =
            number.empty() ? 0 : static_cast<std::size_t>(number.data() - field.data());
        const auto place = start + offset + 1;
        auto digits = number;
        if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') {
            digits.remove_prefix(1);
        }
        double value = 0;
        const char* const end = digits.data() + digits.size();
        const auto [read_to, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value);
        const auto which = fmt::format("row {}, column {}: ", rows_ + 1, column);
        if (number.empty()) {
            fault(place, which + "no number", "");
        } else if (error == std::errc::result_out_of_range && read_to == end) {
            fault(place, which + fmt::format("'{}' is beyond what a double holds", shown(number)),
                  "");
        } else if (error != std::errc{} || read_to != end) {
            fault(place, which + fmt::format("'{}' is not a number", shown(number)),
                  "write decimal numbers separated by commas, as in 0.5,-2,1e-3");
        } else if (!std::isfinite(value)) {
            fault(place, which + fmt::format("'{}' is not a finite number", shown(number)), "");
        } else {
            array_.values.push_back(value);
        }
    }

    void fault(std::size_t column, std::string what, std::string hint) {
        faults_.push_back(
            {{file_, line_, static_cast<int>(column)}, std::move(what), std::move(hint)});
    }

    std::string_view rest_;
    const std::string& file_;
    int line_ = 0;
    std::int64_t rows_ = 0;
    std::int64_t columns_ = 0;
    ValueArray array_;
    std::vector<Fault> faults_;
};

}  // namespace

ValueArray parse_csv(const std::string& text, const std::string& file) {
    return CsvReader{text, file}.read();
}

}  // namespace systole
