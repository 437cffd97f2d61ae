#pragma once

#include <cstdint>
#include <string>

namespace systole {

/// 2097152 → "2,097,152".
[[nodiscard]] std::string grouped(std::int64_t value);

/// Three digits and a prefix: (9.175e13, "FLOP/s") → "91.8 TFLOP/s", (0, "J") → "0 J".
[[nodiscard]] std::string si(double value, const std::string& unit);

/// `1 MAC`, `2,048 MACs`.
[[nodiscard]] std::string counted(std::int64_t number, const std::string& thing);

/// Three digits: 1.99, 63.2, 2,698; "0" for 0.
[[nodiscard]] std::string three_digits(double value);

/// 0.127 → "12.7"; "100" and "0" without a fraction, "<0.1" for less that is not nothing.
[[nodiscard]] std::string percent(double fraction);

}  // namespace systole
