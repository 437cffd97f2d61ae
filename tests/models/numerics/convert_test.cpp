#include "models/numerics/convert.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace systole::numerics {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// IEEE 754-2019 §3.4, written down with ldexp: the value of a 16-bit code.
double by_definition(int exponent_bits, int mantissa_bits, std::uint32_t code) {
    const int bias = static_cast<int>(std::ldexp(1, exponent_bits - 1)) - 1;
    const auto exponent = static_cast<int>((code & 0x7fffU) >> mantissa_bits);
    const double fraction = std::ldexp(code % (1U << mantissa_bits), -mantissa_bits);
    const double sign = code >= 0x8000U ? -1 : 1;
    if (exponent == (1 << exponent_bits) - 1) {
        return fraction == 0 ? sign * inf : nan;
    }
    return sign * (exponent == 0 ? std::ldexp(fraction, 1 - bias)
                                 : std::ldexp(1 + fraction, exponent - bias));
}

struct HalfWidth {
    Format format;
    int exponent_bits;
    int mantissa_bits;
    std::uint32_t infinity;
    std::uint32_t quiet_nan;
};

class SixteenBits : public testing::TestWithParam<HalfWidth> {
protected:
    [[nodiscard]] double value_of(std::uint32_t code) const {
        return by_definition(GetParam().exponent_bits, GetParam().mantissa_bits, code);
    }
};

INSTANTIATE_TEST_SUITE_P(Formats, SixteenBits,
                         testing::Values(HalfWidth{Format::fp16, 5, 10, 0x7c00, 0x7e00},
                                         HalfWidth{Format::bf16, 8, 7, 0x7f80, 0x7fc0}),
                         [](const auto& row) { return to_string(row.param.format); });

TEST_P(SixteenBits, EveryCodeIsReadAsDefinedAndWrittenBack) {
    const auto format = GetParam().format;
    for (std::uint32_t code = 0; code < 0x10000U; ++code) {
        SCOPED_TRACE(code);
        const double expected = value_of(code);
        const float read = to_float(format, code);
        if (std::isnan(expected)) {
            ASSERT_TRUE(std::isnan(read));
            ASSERT_TRUE(std::isnan(to_double(format, code)));
            ASSERT_EQ(from_float(format, read), GetParam().quiet_nan);
            continue;
        }
        ASSERT_EQ(static_cast<double>(read), expected);
        ASSERT_EQ(std::signbit(read), code >= 0x8000U);
        ASSERT_EQ(to_double(format, code), expected);
        ASSERT_EQ(from_float(format, read), code);
        ASSERT_EQ(from_double(format, expected), code);
    }
}

TEST_P(SixteenBits, BetweenAnyTwoNeighboursTheNearerWinsAndTiesGoToEven) {
    const auto format = GetParam().format;
    for (std::uint32_t code = 0; code < GetParam().infinity; ++code) {
        SCOPED_TRACE(code);
        const bool last = code + 1 == GetParam().infinity;
        const double low = value_of(code);
        // Above the largest number lies, for rounding, the power of two that would be next.
        const double high = last ? low + (low - value_of(code - 1)) : value_of(code + 1);
        const double middle = (low + high) / 2;
        const std::uint32_t even = code % 2 == 0 ? code : code + 1;
        for (const std::uint32_t sign : {0U, 0x8000U}) {
            const double s = sign == 0 ? 1 : -1;
            ASSERT_EQ(from_double(format, s * middle), sign | even);
            ASSERT_EQ(from_double(format, s * std::nextafter(middle, 0)), sign | code);
            ASSERT_EQ(from_double(format, s * std::nextafter(middle, inf)), sign | (code + 1));
            const auto tie = static_cast<float>(middle);
            ASSERT_EQ(static_cast<double>(tie), middle);  // one more bit fits in fp32
            const auto sf = static_cast<float>(s);
            ASSERT_EQ(from_float(format, sf * tie), sign | even);
            ASSERT_EQ(from_float(format, sf * std::nextafter(tie, 0.0F)), sign | code);
            ASSERT_EQ(from_float(format, sf * std::nextafter(tie, INFINITY)), sign | (code + 1));
        }
    }
}

TEST_P(SixteenBits, OutOfRangeGoesToInfinity) {
    const auto [format, exponent_bits, mantissa_bits, infinity, quiet_nan] = GetParam();
    EXPECT_EQ(from_double(format, 1e300), infinity);
    EXPECT_EQ(from_double(format, -1e300), infinity | 0x8000U);
    EXPECT_EQ(from_double(format, inf), infinity);
    EXPECT_EQ(from_float(format, -INFINITY), infinity | 0x8000U);
    EXPECT_EQ(from_double(format, -nan), quiet_nan);
    EXPECT_EQ(from_double(format, std::numeric_limits<double>::denorm_min()), 0U);
    EXPECT_EQ(from_double(format, -std::numeric_limits<double>::denorm_min()), 0x8000U);
}

TEST(Convert, ADoubleIsRoundedOnceNotThroughFp32) {
    // A hair above the tie between 1 and 1 + 2^-10 (fp16), 1 + 2^-7 (bf16); fp32 drops the hair.
    EXPECT_EQ(from_double(Format::fp16, 1 + 0x1p-11 + 0x1p-40), 0x3c01U);
    EXPECT_EQ(from_double(Format::bf16, 1 + 0x1p-8 + 0x1p-40), 0x3f81U);
    // A hair below the tie between 1 + 2^-10 and 1 + 2^-9: fp32 would lift it onto the tie.
    EXPECT_EQ(from_double(Format::fp16, 1 + 0x1p-10 + 0x1p-11 - 0x1p-40), 0x3c01U);
    // Among the subnormals: just above half of the least one.
    EXPECT_EQ(from_double(Format::fp16, 0x1p-25), 0U);
    EXPECT_EQ(from_double(Format::fp16, 0x1.0000000000001p-25), 1U);
    EXPECT_EQ(from_double(Format::bf16, 0x1p-134), 0U);
    EXPECT_EQ(from_double(Format::bf16, 0x1.0000000000001p-134), 1U);
    EXPECT_EQ(from_double(Format::fp32, 0x1p-150), 0U);
    EXPECT_EQ(from_double(Format::fp32, 0x1.0000000000001p-150), 1U);
}

TEST(Convert, Fp32IsWhatTheProcessorMakesOfADouble) {
    const unsigned seed = 20240611;
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    for (int i = 0; i < 1'000'000; ++i) {
        // All bit patterns, half of them moved into the reach of fp32 and a little around it.
        double value = std::bit_cast<double>(random());
        if (i % 2 == 0 && std::isfinite(value) && value != 0) {
            int exponent = 0;
            value =
                std::ldexp(std::frexp(value, &exponent), static_cast<int>(random() % 300) - 160);
        }
        const std::uint32_t bits = from_double(Format::fp32, value);
        if (std::isnan(value)) {
            ASSERT_EQ(bits, 0x7fc00000U);
        } else {
            ASSERT_EQ(bits, std::bit_cast<std::uint32_t>(static_cast<float>(value))) << value;
        }
    }
}

TEST(Convert, Fp32PassesUnchangedButForNaN) {
    for (const std::uint32_t bits : {0U, 0x80000000U, 1U, 0x007fffffU, 0x00800000U, 0x7f7fffffU,
                                     0x7f800000U, 0xff800000U, 0x3f800001U}) {
        EXPECT_EQ(from_float(Format::fp32, to_float(Format::fp32, bits)), bits);
        EXPECT_EQ(from_double(Format::fp32, to_double(Format::fp32, bits)), bits);
    }
    for (const std::uint32_t bits : {0x7fc00000U, 0xffc00000U, 0x7f800001U, 0xffffffffU}) {
        EXPECT_EQ(from_float(Format::fp32, std::bit_cast<float>(bits)), 0x7fc00000U);
    }
}

TEST(Convert, IntegersRoundToEvenSaturateAndHaveNoNaN) {
    struct Case {
        double value;
        std::int32_t as_int8;
        std::int32_t as_int32;
    };
    const auto cases = std::to_array<Case>({{0.5, 0, 0},
                                            {1.5, 2, 2},
                                            {2.5, 2, 2},
                                            {-0.5, 0, 0},
                                            {-1.5, -2, -2},
                                            {-2.5, -2, -2},
                                            {126.5, 126, 126},
                                            {127.4, 127, 127},
                                            {127.5, 127, 128},
                                            {-128.5, -128, -128},
                                            {-128.6, -128, -129},
                                            {2147483646.5, 127, 2147483646},
                                            {2147483647.5, 127, 2147483647},
                                            {-2147483648.5, -128, -2147483647 - 1},
                                            {1e300, 127, 2147483647},
                                            {-inf, -128, -2147483647 - 1},
                                            {nan, 0, 0}});
    for (const auto& c : cases) {
        SCOPED_TRACE(c.value);
        EXPECT_EQ(from_double(Format::int8, c.value), static_cast<std::uint8_t>(c.as_int8));
        EXPECT_EQ(from_double(Format::int32, c.value), static_cast<std::uint32_t>(c.as_int32));
        EXPECT_EQ(to_double(Format::int8, from_double(Format::int8, c.value)), c.as_int8);
        EXPECT_EQ(to_double(Format::int32, from_double(Format::int32, c.value)), c.as_int32);
    }
}

TEST(Convert, AnInt32BecomesTheNearestFp32) {
    EXPECT_EQ(to_float(Format::int32, 16777217U), 16777216.0F);  // 2^24 + 1: tie to even
    EXPECT_EQ(to_float(Format::int32, 16777219U), 16777220.0F);
    EXPECT_EQ(to_float(Format::int32, 0xffffffffU), -1.0F);
    EXPECT_EQ(to_float(Format::int32, 0x80000000U), -2147483648.0F);
    EXPECT_EQ(to_float(Format::int8, 0x80U), -128.0F);
    EXPECT_EQ(to_float(Format::int8, 0x7fU), 127.0F);
}

/// The limits that shared tables give for formats narrower than ours (arXiv:2209.05433 for FP8, OCP
/// MX v1.0 for FP6 and FP4): a layout is nothing but a row of a table.
TEST(Layout, NarrowFormatsAreRowsOfATable) {
    struct Row {
        FloatLayout layout;
        double max_finite;
        double least_normal;
        double least;
        std::uint32_t too_large;  ///< the code of 2^30
    };
    const auto rows = std::to_array<Row>({
        {{4, 3, Specials::nan_only}, 448, 0x1p-6, 0x1p-9, 0x7f},
        {{5, 2, Specials::ieee}, 57344, 0x1p-14, 0x1p-16, 0x7c},
        {{2, 3, Specials::none}, 7.5, 1, 0.125, 0x1f},
        {{3, 2, Specials::none}, 28, 0.25, 0.0625, 0x1f},
        {{2, 1, Specials::none}, 6, 1, 0.5, 0x7},
        {{8, 10, Specials::ieee}, 0x1.ffcp127, 0x1p-126, 0x1p-136, 0x27400},
    });
    for (const auto& row : rows) {
        const auto& layout = row.layout;
        SCOPED_TRACE(testing::Message()
                     << "e" << layout.exponent_bits << "m" << layout.mantissa_bits);
        EXPECT_EQ(decode(layout, layout.max_finite()), row.max_finite);
        EXPECT_EQ(decode(layout, 1U << layout.mantissa_bits), row.least_normal);
        EXPECT_EQ(decode(layout, 1), row.least);
        EXPECT_EQ(encode(layout, 0x1p30), row.too_large);
        EXPECT_EQ(encode(layout, -row.least / 2), layout.sign_bit());
        EXPECT_EQ(encode(layout, -0.51 * row.least), layout.sign_bit() | 1U);
        for (std::uint32_t code = 0; code < 2 * layout.sign_bit(); ++code) {
            const double value = decode(layout, code);
            if (!std::isnan(value)) {
                ASSERT_EQ(encode(layout, value), code);
            }
        }
    }
}

TEST(Convert, ElementsArePackedLittleEndian) {
    std::vector<std::byte> bytes(12);
    store_bits(Format::int32, bytes, 1, 0x12345678U);
    EXPECT_EQ(bytes[4], std::byte{0x78});
    EXPECT_EQ(bytes[7], std::byte{0x12});
    EXPECT_EQ(load_bits(Format::int32, bytes, 1), 0x12345678U);
    EXPECT_EQ(load_bits(Format::fp16, bytes, 3), 0x1234U);
    EXPECT_EQ(load_bits(Format::int8, bytes, 5), 0x56U);
    EXPECT_EQ(bytes[3], std::byte{0});
    EXPECT_EQ(bytes[8], std::byte{0});

    const std::array<float, 3> values{1.0F, -2.0F, 1e9F};
    store(Format::fp16, std::span<const float>{values}, bytes);
    std::array<float, 3> read{};
    load(Format::fp16, bytes, read);
    EXPECT_EQ(read, (std::array<float, 3>{1.0F, -2.0F, INFINITY}));
    const std::array<double, 1> fine{1 + 0x1p-11 + 0x1p-40};
    store(Format::fp16, std::span<const double>{fine}, bytes);
    EXPECT_EQ(load_bits(Format::fp16, bytes, 0), 0x3c01U);
}

}  // namespace
}  // namespace systole::numerics
