#pragma once

#include "models/base/units.hpp"
#include "models/base/words.hpp"

#include <cstdint>

namespace systole::numerics {

/// How a number is stored. An enumerator is its word in YAML.
enum class Format { int8, int32, fp16, bf16, fp32 };

[[nodiscard]] const char* to_string(Format format);

/// Storage of one element.
[[nodiscard]] constexpr std::int64_t bytes_of(Format format) {
    switch (format) {
        case Format::int8:
            return 1;
        case Format::fp16:
        case Format::bf16:
            return 2;
        case Format::int32:
        case Format::fp32:
            return 4;
    }
    return 0;
}

[[nodiscard]] constexpr bool is_integer(Format format) {
    return format == Format::int8 || format == Format::int32;
}

/// What a PE adds products of `format` in: int8 → int32, the floating formats → fp32.
[[nodiscard]] constexpr Format accumulator_of(Format format) {
    return is_integer(format) ? Format::int32 : Format::fp32;
}

/// Which codes of a floating format are not numbers.
enum class Specials {
    ieee,      ///< exponent all ones: infinity with mantissa 0, else NaN (IEEE 754-2019 §3.4)
    nan_only,  ///< all ones but the sign: NaN; every other code is a number (OCP FP8 E4M3)
    none,      ///< every code is a number (OCP MX FP6, FP4)
};

/// Sign, exponent and mantissa from the most to the least significant bit, with the bias
/// 2^(exponent_bits − 1) − 1 and subnormals.
struct FloatLayout {
    int exponent_bits = 0;
    int mantissa_bits = 0;
    Specials specials = Specials::ieee;

    [[nodiscard]] constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
    /// Every bit below the sign.
    [[nodiscard]] constexpr std::uint32_t magnitude_mask() const {
        return (std::uint32_t{1} << (exponent_bits + mantissa_bits)) - 1;
    }
    [[nodiscard]] constexpr std::uint32_t sign_bit() const { return magnitude_mask() + 1; }
    /// The code of infinity where there is one: exponent all ones, mantissa 0.
    [[nodiscard]] constexpr std::uint32_t infinity() const {
        return magnitude_mask() & ~((std::uint32_t{1} << mantissa_bits) - 1);
    }
    [[nodiscard]] constexpr std::uint32_t max_finite() const {
        switch (specials) {
            case Specials::ieee:
                return infinity() - 1;
            case Specials::nan_only:
                return magnitude_mask() - 1;
            case Specials::none:
                break;
        }
        return magnitude_mask();
    }
    /// What Systole writes for a NaN: positive, quiet, no payload; the largest number where the
    /// format has no NaN.
    [[nodiscard]] constexpr std::uint32_t quiet_nan() const {
        return specials == Specials::ieee ? infinity() | (std::uint32_t{1} << (mantissa_bits - 1))
                                          : magnitude_mask();
    }
};

/// Of a floating format.
[[nodiscard]] FloatLayout layout_of(Format format);

}  // namespace systole::numerics

template <>
struct systole::Words<systole::numerics::Format> {
    using Format = numerics::Format;
    static constexpr Word<Format> table[] = {
        {Format::int8, "int8", "8-bit integers, sums in int32"},
        {Format::int32, "int32", "32-bit integers: sums, not operands"},
        {Format::fp16, "fp16", "IEEE half precision, sums in fp32"},
        {Format::bf16, "bf16", "the upper half of fp32, sums in fp32"},
        {Format::fp32, "fp32", "IEEE single precision"},
    };
};
