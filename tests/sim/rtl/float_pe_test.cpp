// The floating PE against IEEE 754 arithmetic of the host: one product and one sum, each rounded.

#include "models/numerics/convert.hpp"
#include "tests/sim/rtl/verilated.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

namespace systole::test {
namespace {

using numerics::Format;

/// Operand triples of each format. All that the issue of a PE needs: SYSTOLE_RTL_TRIPLES=2000000.
std::uint64_t triples() {
    const char* wanted = std::getenv("SYSTOLE_RTL_TRIPLES");
#if defined(__SANITIZE_ADDRESS__)
    constexpr std::uint64_t usual = 20'000;
#else
    constexpr std::uint64_t usual = 200'000;
#endif
    return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : usual;
}

std::uint32_t sum_of(std::uint32_t sum, float activation, float weight) {
    const volatile float product = activation * weight;
    const volatile float result = std::bit_cast<float>(sum) + product;
    return std::isnan(result) ? 0x7fc00000 : std::bit_cast<std::uint32_t>(float{result});
}

/// Codes of a format in which what is rare is frequent.
class Codes {
public:
    Codes(const numerics::FloatLayout& layout, std::uint64_t seed)
        : layout_{layout},
          random_{seed} {}

    std::uint32_t next() {
        const std::uint32_t sign = random_() % 2 == 0 ? 0 : layout_.sign_bit();
        const auto any = static_cast<std::uint32_t>(random_());
        const std::uint32_t fraction = any & ((1U << layout_.mantissa_bits) - 1);
        const auto with_exponent = [&](std::int64_t exponent) {
            return sign | static_cast<std::uint32_t>(exponent) << layout_.mantissa_bits | fraction;
        };
        const std::int64_t top = (std::int64_t{1} << layout_.exponent_bits) - 1;
        switch (random_() % 16) {
            case 0:
                return sign;  // zero
            case 1:
            case 2:
                return with_exponent(0);  // subnormal
            case 3:
                return sign | layout_.infinity();
            case 4:
                return random_() % 4 == 0 ? with_exponent(top) : with_exponent(top - 1);
            case 5:
                return with_exponent(1);
            case 6:
                last_ ^= layout_.sign_bit();  // what may cancel
                return last_;
            case 7:
                return with_exponent(layout_.bias()) & ~(fraction >> 1);
            case 8:
            case 9:
                return any & (layout_.magnitude_mask() | layout_.sign_bit());
            default:
                last_ =
                    with_exponent(layout_.bias() - 12 + static_cast<std::int64_t>(random_() % 24));
                return last_;
        }
    }

private:
    numerics::FloatLayout layout_;
    std::mt19937_64 random_;
    std::uint32_t last_ = 0;
};

class FloatPe : public testing::TestWithParam<Format> {};

/// A column of PEs: each adds a product to the sum from above, so that the sums are any fp32.
TEST_P(FloatPe, RoundsAsIeee754) {
    constexpr std::uint32_t depth = 8;
    constexpr int rows_a_tile = 12;
    constexpr std::uint64_t seed = 20261201;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Format format = GetParam();
    const auto library = our_pe(format, true);
    const auto& pe = **library;
    void* array = pe.create(depth, 1);
    Codes codes{numerics::layout_of(format), seed};
    std::vector<std::uint32_t> activations(depth);
    std::vector<std::uint32_t> weights(depth);
    for (std::uint64_t done = 0; done < triples(); done += depth * rows_a_tile) {
        for (std::uint32_t r = depth; r-- > 0;) {
            weights[r] = codes.next();
            SystoleArrayEdges edges{};
            edges.weights = &weights[r];
            edges.enable = edges.shift = 1;
            edges.first = r == depth - 1;
            pe.clock(array, &edges);
        }
        for (int row = 0; row < rows_a_tile; ++row) {
            std::uint32_t expected = 0;
            for (auto& activation : activations) {
                activation = codes.next();
            }
            SystoleArrayEdges edges{};
            edges.activations = activations.data();
            edges.enable = edges.valid = 1;
            edges.swap = row == 0;
            pe.clock(array, &edges);
            edges = {};
            edges.enable = 1;
            for (std::uint32_t r = 0; r < depth; ++r) {
                const std::uint32_t above = expected;
                expected = sum_of(above, numerics::to_float(format, activations[r]),
                                  numerics::to_float(format, weights[r]));
                ASSERT_EQ(pe.sum(array, r, 0), expected)
                    << std::hex << above << " + " << activations[r] << " · " << weights[r];
                pe.clock(array, &edges);
            }
        }
    }
    pe.destroy(array);
}

INSTANTIATE_TEST_SUITE_P(Formats, FloatPe,
                         testing::Values(Format::bf16, Format::fp16, Format::fp32),
                         [](const auto& format) { return numerics::to_string(format.param); });

}  // namespace
}  // namespace systole::test
