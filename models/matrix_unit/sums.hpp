#pragma once

#include "models/base/units.hpp"
#include "models/matrix_unit/pe_design.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

namespace systole::models {

/// The fp32 bits of every result that is not a number.
inline constexpr std::uint32_t quiet_nan_bits = 0x7fc00000;

/// What a cell of the accumulators holds after a finished sum has reached it: an integer as its
/// range has it, or fp32, rounded once.
[[nodiscard]] inline std::uint32_t arrived(std::uint32_t held, std::uint32_t sum, bool accumulate,
                                           const SumRange& range) {
    const auto whole = [](std::uint32_t bits) {
        return std::int64_t{static_cast<std::int32_t>(bits)};
    };
    return accumulate ? range.held(whole(held) + whole(sum)) : sum;
}
[[nodiscard]] inline std::uint32_t arrived(std::uint32_t held, float sum, bool accumulate,
                                           const SumRange& /*range*/) {
    const float result = accumulate ? std::bit_cast<float>(held) + sum : sum;
    return std::isnan(result) ? quiet_nan_bits : std::bit_cast<std::uint32_t>(result);
}

}  // namespace systole::models
