#pragma once

#include "models/numerics/format.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace systole::numerics {

// A number of any format travels as its `bits`: the code in the low bits of a word, zero above.
// Every conversion rounds once, to nearest, ties to even. Out of range a floating format goes to
// its infinity (NaN or the largest number where it has none), an integer saturates. A NaN becomes
// FloatLayout::quiet_nan(), or the integer 0.

/// The number that `bits` stands for. Exact for every format but int32, which is rounded.
[[nodiscard]] float to_float(Format format, std::uint32_t bits);
/// The same, exact for every format.
[[nodiscard]] double to_double(Format format, std::uint32_t bits);

[[nodiscard]] std::uint32_t from_float(Format format, float value);
[[nodiscard]] std::uint32_t from_double(Format format, double value);

/// As above, for any layout.
[[nodiscard]] double decode(const FloatLayout& layout, std::uint32_t bits);
[[nodiscard]] std::uint32_t encode(const FloatLayout& layout, double value);

/// Element `index` of packed, little-endian elements.
[[nodiscard]] std::uint32_t load_bits(Format format, std::span<const std::byte> bytes,
                                      std::size_t index);
void store_bits(Format format, std::span<std::byte> bytes, std::size_t index, std::uint32_t bits);

/// As many elements as `values` has, between the start of `bytes` and `values`.
void load(Format format, std::span<const std::byte> bytes, std::span<float> values);
void store(Format format, std::span<const float> values, std::span<std::byte> bytes);
void store(Format format, std::span<const double> values, std::span<std::byte> bytes);

}  // namespace systole::numerics
