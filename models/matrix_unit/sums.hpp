#pragma once

#include "models/base/units.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

namespace systole::models {

/// The fp32 bits of every result that is not a number.
inline constexpr std::uint32_t quiet_nan_bits = 0x7fc00000;

/// What a cell of the accumulators holds after a finished sum has reached it: int32 that wraps, or
/// fp32, rounded once.
[[nodiscard]] inline std::uint32_t arrived(std::uint32_t held, std::uint32_t sum, bool accumulate) {
    return accumulate ? held + sum : sum;
}
[[nodiscard]] inline std::uint32_t arrived(std::uint32_t held, float sum, bool accumulate) {
    const float result = accumulate ? std::bit_cast<float>(held) + sum : sum;
    return std::isnan(result) ? quiet_nan_bits : std::bit_cast<std::uint32_t>(result);
}

}  // namespace systole::models
