#include "sim/report/numbers.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>

namespace systole {

std::string grouped(std::int64_t value) {
    const std::string digits = fmt::format("{}", value);
    const std::size_t first = value < 0 ? 1 : 0;
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > first && (digits.size() - i) % 3 == 0) {
            text += ',';
        }
        text += digits[i];
    }
    return text;
}

std::string counted(std::int64_t number, const std::string& thing) {
    return grouped(number) + " " + thing + (number == 1 ? "" : "s");
}

std::string three_digits(double value) {
    const double magnitude = std::abs(value);
    if (magnitude == 0) {
        return "0";
    }
    if (magnitude >= 99.95) {
        return magnitude < 1e15 ? grouped(std::llround(value)) : fmt::format("{:.2e}", value);
    }
    if (magnitude >= 9.995) {
        return fmt::format("{:.1f}", value);
    }
    return magnitude >= 0.01 ? fmt::format("{:.2f}", value) : fmt::format("{:.1e}", value);
}

std::string si(double value, const std::string& unit) {
    struct Prefix {
        double factor;
        const char* name;
    };
    constexpr std::array<Prefix, 11> prefixes{{{1e18, "E"},
                                               {1e15, "P"},
                                               {1e12, "T"},
                                               {1e9, "G"},
                                               {1e6, "M"},
                                               {1e3, "k"},
                                               {1, ""},
                                               {1e-3, "m"},
                                               {1e-6, "µ"},
                                               {1e-9, "n"},
                                               {1e-12, "p"}}};
    if (value == 0) {
        return "0 " + unit;
    }
    for (const auto& prefix : prefixes) {
        // 999.6 rounds to 1,000: that is the next prefix.
        if (std::abs(value) >= 0.9995 * prefix.factor) {
            return three_digits(value / prefix.factor) + " " + prefix.name + unit;
        }
    }
    return three_digits(value / 1e-12) + " p" + unit;
}

std::string percent(double fraction) {
    const double value = 100 * fraction;
    if (value == 0) {
        return "0";
    }
    if (value < 0.05) {
        return "<0.1";
    }
    return value >= 99.95 ? fmt::format("{:.0f}", value) : fmt::format("{:.1f}", value);
}

}  // namespace systole
