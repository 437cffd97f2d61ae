#include "models/numerics/convert.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

namespace systole::numerics {
namespace {

// binary64.
constexpr int double_mantissa_bits = 52;
constexpr int double_bias = 1023;
constexpr int double_exponent_mask = 0x7ff;

/// 2^exponent, a normal double.
double power_of_two(int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + double_bias)
                                 << double_mantissa_bits);
}

/// significand · 2^−shift, rounded to nearest, ties to even. shift > 0: a double has more bits in
/// its significand than any layout here.
std::uint64_t shift_right_rounded(std::uint64_t significand, int shift) {
    if (shift > 63) {
        return 0;  // below half of the last place: a significand has no more than 53 bits
    }
    const std::uint64_t kept = significand >> shift;
    const std::uint64_t rest = significand & ((std::uint64_t{1} << shift) - 1);
    const std::uint64_t half = std::uint64_t{1} << (shift - 1);
    const bool up = rest > half || (rest == half && kept % 2 != 0);
    return kept + (up ? 1 : 0);
}

std::uint32_t out_of_range(const FloatLayout& layout) {
    switch (layout.specials) {
        case Specials::ieee:
            return layout.infinity();
        case Specials::nan_only:
            return layout.quiet_nan();
        case Specials::none:
            break;
    }
    return layout.max_finite();
}

std::int32_t to_integer(Format format, std::uint32_t bits) {
    return format == Format::int8 ? static_cast<std::int8_t>(bits & 0xffU)
                                  : static_cast<std::int32_t>(bits);
}

template <class Integer>
std::uint32_t saturated(double value) {
    using Limits = std::numeric_limits<Integer>;
    Integer result = 0;
    if (value >= static_cast<double>(Limits::max())) {
        result = Limits::max();
    } else if (value <= static_cast<double>(Limits::min())) {
        result = Limits::min();
    } else if (!std::isnan(value)) {
        result = static_cast<Integer>(std::nearbyint(value));
    }
    return static_cast<std::make_unsigned_t<Integer>>(result);
}

}  // namespace

double decode(const FloatLayout& layout, std::uint32_t bits) {
    const std::uint32_t magnitude = bits & layout.magnitude_mask();
    const std::uint32_t exponent = magnitude >> layout.mantissa_bits;
    const std::uint32_t mantissa = magnitude & ((std::uint32_t{1} << layout.mantissa_bits) - 1);
    double value = 0;
    if (magnitude > layout.max_finite()) {
        value = layout.specials == Specials::ieee && magnitude == layout.infinity()
                    ? std::numeric_limits<double>::infinity()
                    : std::numeric_limits<double>::quiet_NaN();
    } else if (exponent == 0) {
        value = mantissa * power_of_two(1 - layout.bias() - layout.mantissa_bits);
    } else {
        const std::uint32_t significand = mantissa | (std::uint32_t{1} << layout.mantissa_bits);
        value = significand *
                power_of_two(static_cast<int>(exponent) - layout.bias() - layout.mantissa_bits);
    }
    return (bits & layout.sign_bit()) != 0 && !std::isnan(value) ? -value : value;
}

std::uint32_t encode(const FloatLayout& layout, double value) {
    if (std::isnan(value)) {
        return layout.quiet_nan();
    }
    const std::uint32_t sign = std::signbit(value) ? layout.sign_bit() : 0;
    if (std::isinf(value)) {
        return sign | out_of_range(layout);
    }
    const auto raw = std::bit_cast<std::uint64_t>(value);
    const int raw_exponent = static_cast<int>(raw >> double_mantissa_bits) & double_exponent_mask;
    constexpr std::uint64_t hidden = std::uint64_t{1} << double_mantissa_bits;
    // |value| = significand · 2^exponent.
    const std::uint64_t significand = (raw & (hidden - 1)) | (raw_exponent == 0 ? 0 : hidden);
    const int exponent =
        (raw_exponent == 0 ? 1 : raw_exponent) - double_bias - double_mantissa_bits;
    // One unit in the last place of the result is 2^last: no finer than that of the subnormals.
    const int leading = exponent + static_cast<int>(std::bit_width(significand)) - 1;
    const int least_normal = 1 - layout.bias();
    const int last = std::max(leading, least_normal) - layout.mantissa_bits;
    const std::uint64_t rounded = shift_right_rounded(significand, last - exponent);
    // Exponent field and mantissa are one number: a carry out of the mantissa, or out of the
    // subnormals, arrives in the exponent by itself.
    const auto above_least = static_cast<std::uint64_t>(last + layout.mantissa_bits - least_normal);
    const std::uint64_t magnitude = (above_least << layout.mantissa_bits) + rounded;
    return sign | (magnitude > layout.max_finite() ? out_of_range(layout)
                                                   : static_cast<std::uint32_t>(magnitude));
}

float to_float(Format format, std::uint32_t bits) {
    switch (format) {
        case Format::int8:
        case Format::int32:
            return static_cast<float>(to_integer(format, bits));
        case Format::fp32:
            return std::bit_cast<float>(bits);
        case Format::bf16:
            return std::bit_cast<float>(bits << 16);  // the upper half of an fp32
        case Format::fp16:
            break;
    }
    return static_cast<float>(decode(layout_of(format), bits));
}

double to_double(Format format, std::uint32_t bits) {
    return is_integer(format) ? to_integer(format, bits) : decode(layout_of(format), bits);
}

std::uint32_t from_float(Format format, float value) {
    if (format == Format::fp32 && !std::isnan(value)) {
        return std::bit_cast<std::uint32_t>(value);
    }
    return from_double(format, static_cast<double>(value));
}

std::uint32_t from_double(Format format, double value) {
    switch (format) {
        case Format::int8:
            return saturated<std::int8_t>(value);
        case Format::int32:
            return saturated<std::int32_t>(value);
        case Format::fp16:
        case Format::bf16:
        case Format::fp32:
            break;
    }
    return encode(layout_of(format), value);
}

std::uint32_t load_bits(Format format, std::span<const std::byte> bytes, std::size_t index) {
    const auto size = static_cast<std::size_t>(bytes_of(format));
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < size; ++i) {
        bits |= std::to_integer<std::uint32_t>(bytes[index * size + i]) << (8 * i);
    }
    return bits;
}

void store_bits(Format format, std::span<std::byte> bytes, std::size_t index, std::uint32_t bits) {
    const auto size = static_cast<std::size_t>(bytes_of(format));
    for (std::size_t i = 0; i < size; ++i) {
        bytes[index * size + i] = static_cast<std::byte>((bits >> (8 * i)) & 0xffU);
    }
}

void load(Format format, std::span<const std::byte> bytes, std::span<float> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = to_float(format, load_bits(format, bytes, i));
    }
}

void store(Format format, std::span<const float> values, std::span<std::byte> bytes) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        store_bits(format, bytes, i, from_float(format, values[i]));
    }
}

void store(Format format, std::span<const double> values, std::span<std::byte> bytes) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        store_bits(format, bytes, i, from_double(format, values[i]));
    }
}

}  // namespace systole::numerics
