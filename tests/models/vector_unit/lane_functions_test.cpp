#include "models/vector_unit/lane_functions.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace systole::models {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

using Real = long double;

Real logistic(Real x) {
    return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}
Real hyperbolic_tangent(Real x) {
    if (std::abs(x) > 100) {
        return x < 0 ? -1 : 1;
    }
    return std::expm1(2 * x) / (std::expm1(2 * x) + 2);
}
Real normal_share(Real x) {
    return x / 2 * std::erfc(-x / std::sqrt(Real{2}));
}

struct Function {
    const char* name;
    float (*lane)(float);
    Real (*real)(Real);
};

class LaneFunction : public testing::TestWithParam<Function> {
protected:
    /// `got` is the fp32 nearest to the real value; within 2^-20 of a tie, either neighbour is.
    void expect_rounded_once(float x) const {
        const Real exact = GetParam().real(x);
        const float got = GetParam().lane(x);
        if (exact >= 0x1.ffffffp127L) {
            ASSERT_EQ(got, inf) << x;
            return;
        }
        const Real up = std::nextafter(got, inf);
        const Real down = std::nextafter(got, -inf);
        const Real slack = (up - down) * 0x1p-20L;
        const Real error = std::abs(got - exact);
        ASSERT_LE(error, std::abs(up - exact) + slack) << std::hexfloat << x << " gave " << got;
        ASSERT_LE(error, std::abs(down - exact) + slack) << std::hexfloat << x << " gave " << got;
    }
};

INSTANTIATE_TEST_SUITE_P(
    All, LaneFunction,
    testing::Values(Function{"exponential", exponential, [](Real x) { return std::exp(x); }},
                    Function{"sigmoid", sigmoid, logistic},
                    Function{"tanh", models::tanh, hyperbolic_tangent},
                    Function{"gelu", gelu, normal_share},
                    Function{"silu", silu, [](Real x) { return x * logistic(x); }}),
    [](const auto& row) { return row.param.name; });

TEST_P(LaneFunction, IsTheRealFunctionRoundedOnce) {
    const unsigned seed = 7;
    SCOPED_TRACE(seed);
    std::mt19937 random{seed};
    for (int i = 0; i < 100'000; ++i) {
        const auto any = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        if (std::isfinite(any)) {
            expect_rounded_once(any);
        }
        // Where the functions bend: (−16, 16), and further out to where they vanish.
        const auto unit = static_cast<float>(static_cast<int>(random())) * 0x1p-31F;
        expect_rounded_once(16 * unit);
        expect_rounded_once(110 * unit);
        if (HasFatalFailure()) {
            return;
        }
    }
}

TEST_P(LaneFunction, TakesNaNToNaN) {
    EXPECT_TRUE(std::isnan(GetParam().lane(nan)));
}

TEST(LaneFunctions, HaveTheirLimitsAtInfinityAndZero) {
    EXPECT_EQ(sigmoid(inf), 1.0F);
    EXPECT_EQ(sigmoid(-inf), 0.0F);
    EXPECT_EQ(sigmoid(0.0F), 0.5F);
    EXPECT_EQ(models::tanh(inf), 1.0F);
    EXPECT_EQ(models::tanh(-inf), -1.0F);
    EXPECT_TRUE(std::signbit(models::tanh(-0.0F)));
    EXPECT_EQ(gelu(inf), inf);
    EXPECT_EQ(gelu(-inf), 0.0F);
    EXPECT_EQ(silu(inf), inf);
    EXPECT_EQ(silu(-inf), 0.0F);
    EXPECT_EQ(exponential(-inf), 0.0F);
    EXPECT_EQ(exponential(0.0F), 1.0F);
}

TEST(LaneFunctions, MaximumFollowsIeee754) {
    EXPECT_EQ(maximum(1, 2), 2.0F);
    EXPECT_EQ(maximum(-inf, -3), -3.0F);
    EXPECT_FALSE(std::signbit(maximum(0.0F, -0.0F)));
    EXPECT_FALSE(std::signbit(maximum(-0.0F, 0.0F)));
    EXPECT_TRUE(std::signbit(maximum(-0.0F, -0.0F)));
    EXPECT_TRUE(std::isnan(maximum(nan, 1)));
    EXPECT_TRUE(std::isnan(maximum(1, nan)));
    EXPECT_EQ(minimum(1, 2), 1.0F);
    EXPECT_TRUE(std::signbit(minimum(0.0F, -0.0F)));
    EXPECT_TRUE(std::isnan(minimum(nan, 1)));
}

TEST(LaneFunctions, ReluCutsBelowZeroAndRelu6AboveSix) {
    EXPECT_EQ(relu(-1), 0.0F);
    EXPECT_EQ(relu(2.5F), 2.5F);
    EXPECT_FALSE(std::signbit(relu(-0.0F)));
    EXPECT_EQ(relu(inf), inf);
    EXPECT_TRUE(std::isnan(relu(nan)));
    EXPECT_EQ(relu6(-1), 0.0F);
    EXPECT_EQ(relu6(5.5F), 5.5F);
    EXPECT_EQ(relu6(6.5F), 6.0F);
    EXPECT_TRUE(std::isnan(relu6(nan)));
}

}  // namespace
}  // namespace systole::models
