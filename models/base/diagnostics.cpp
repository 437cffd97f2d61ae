#include "models/base/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace systole {
namespace {

std::string join(const std::vector<Fault>& faults) {
    std::string text;
    for (const auto& fault : faults) {
        text += to_string(fault);
        text += '\n';
    }
    return text;
}

/// Insertions, deletions, substitutions and swaps of neighbours that make `b` of `a`.
std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> two_above(b.size() + 1);
    std::vector<std::size_t> above(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        two_above = std::exchange(above, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substitution = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({row[j - 1] + 1, above[j] + 1, substitution});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], two_above[j - 2] + 1);
            }
        }
    }
    return row.back();
}

}  // namespace

std::string to_string(const Fault& fault) {
    std::string text = fault.where.line > 0
                           ? fmt::format("{}:{}:{}: error: {}", fault.where.file, fault.where.line,
                                         fault.where.column, fault.what)
                           : fmt::format("{}: error: {}", fault.where.file, fault.what);
    if (!fault.hint.empty()) {
        text += fmt::format("\n  hint: {}", fault.hint);
    }
    return text;
}

InputError::InputError(std::vector<Fault> faults)
    : std::runtime_error{join(faults)},
      faults_{std::move(faults)} {}

std::string nearest(const std::string& name, const std::vector<std::string>& candidates) {
    std::string best;
    std::size_t best_distance = 1 + name.size() / 3;
    for (const auto& candidate : candidates) {
        // No fewer edits than the lengths differ by: spares the table for names of another size.
        if (name.size() > candidate.size() + best_distance ||
            candidate.size() > name.size() + best_distance) {
            continue;
        }
        if (const auto distance = edit_distance(name, candidate); distance <= best_distance) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

void fail_assertion(const char* condition, const char* file, int line, const char* what) {
    throw InternalError{fmt::format("{} (`{}` at {}:{})", what, condition, file, line)};
}

}  // namespace systole
