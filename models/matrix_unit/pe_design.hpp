#pragma once

#include "models/base/words.hpp"
#include "models/numerics/format.hpp"

#include <algorithm>
#include <cstdint>

namespace systole {
template <class C>
class Schema;
}

namespace systole::models {

enum class Overflow { wrap, saturate };

/// What a designer chooses inside of a PE.
struct PeDesign {
    /// Cycles from an activation to the sum with its product. The sum from above is still added in
    /// the last of them, so that the wavefront stays as it is and all sums leave later.
    std::int64_t latency = 1;
    std::int64_t sum_bits = 32;  ///< of integer sums; floating ones are fp32
    Overflow overflow = Overflow::wrap;

    bool operator==(const PeDesign&) const = default;
};

void describe(Schema<PeDesign>& schema);

/// What of a design concerns PEs of this format: floating sums are fp32, whatever it says of
/// integers.
[[nodiscard]] PeDesign design_for(PeDesign design, numerics::Format format);

/// The registers of integer sums, in two's complement.
struct SumRange {
    int bits = 32;
    Overflow overflow = Overflow::wrap;

    [[nodiscard]] bool plain() const { return bits == 32 && overflow == Overflow::wrap; }
    /// What a register holds of a sum.
    [[nodiscard]] std::uint32_t held(std::int64_t sum) const {
        if (overflow == Overflow::saturate) {
            const std::int64_t highest = (std::int64_t{1} << (bits - 1)) - 1;
            sum = std::clamp(sum, -highest - 1, highest);
        }
        const int unused = 32 - bits;
        const auto low = static_cast<std::int32_t>(static_cast<std::uint32_t>(sum) << unused);
        return static_cast<std::uint32_t>(low >> unused);
    }
};

/// Of the PEs, and of the accumulators below them.
[[nodiscard]] inline SumRange pe_sums(const PeDesign& design) {
    return {static_cast<int>(design.sum_bits), design.overflow};
}
[[nodiscard]] inline SumRange accumulator_sums(const PeDesign& design) {
    return {32, design.overflow};
}

}  // namespace systole::models

template <>
struct systole::Words<systole::models::Overflow> {
    static constexpr Word<models::Overflow> table[] = {
        {models::Overflow::wrap, "wrap", "a sum that has no room loses its highest bits"},
        {models::Overflow::saturate, "saturate", "it becomes the largest or the least number"}};
};
