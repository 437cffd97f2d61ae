#include "sim/report/roofline.hpp"

#include <gtest/gtest.h>

namespace systole {
namespace {

// 64 GFLOP/s over 16 GB/s: the ridge is at 4 FLOP/byte.
constexpr Roof roof{64e9, 16e9};

TEST(Roofline, IsBoundByMemoryLeftOfTheRidge) {
    const auto point = place(roof, 2000, 1000, Seconds{1e-7});
    EXPECT_DOUBLE_EQ(*point.operational_intensity, 2);
    EXPECT_DOUBLE_EQ(point.roof_flops_per_s, 32e9);
    EXPECT_DOUBLE_EQ(point.attained_flops_per_s, 20e9);
    EXPECT_DOUBLE_EQ(*point.roof_fraction, 0.625);
    EXPECT_EQ(point.bound, "memory");
}

TEST(Roofline, IsBoundByComputeFromTheRidgeOn) {
    const auto at_ridge = place(roof, 4000, 1000, Seconds{1e-7});
    EXPECT_EQ(at_ridge.bound, "compute");
    EXPECT_DOUBLE_EQ(at_ridge.roof_flops_per_s, 64e9);
    EXPECT_EQ(place(roof, 3999, 1000, Seconds{1e-7}).bound, "memory");
    EXPECT_EQ(place(roof, 8000, 1000, Seconds{1e-7}).bound, "compute");
}

TEST(Roofline, HasThePeakForRoofWhenNoByteIsMoved) {
    const auto point = place(roof, 6400, 0, Seconds{1e-6});
    EXPECT_FALSE(point.operational_intensity);
    EXPECT_DOUBLE_EQ(point.roof_flops_per_s, 64e9);
    EXPECT_DOUBLE_EQ(*point.roof_fraction, 0.1);
    EXPECT_EQ(point.bound, "compute");
}

TEST(Roofline, HasNoFractionOfARoofOfZero) {
    const auto point = place(roof, 0, 1000, Seconds{1e-6});
    EXPECT_EQ(*point.operational_intensity, 0);
    EXPECT_EQ(point.roof_flops_per_s, 0);
    EXPECT_FALSE(point.roof_fraction);
    EXPECT_EQ(point.bound, "memory");
}

TEST(Roofline, AttainsNothingWithoutTime) {
    EXPECT_EQ(place(roof, 100, 100, Seconds{0}).attained_flops_per_s, 0);
}

TEST(Roofline, NeverMakesAMemoryWithoutTimeTheLimit) {
    const Roof ideal{64e9, std::nullopt};
    EXPECT_EQ(ideal.ridge(), 0);
    const auto point = place(ideal, 1, 1'000'000, Seconds{1e-6});
    EXPECT_EQ(point.bound, "compute");
    EXPECT_EQ(point.roof_flops_per_s, 64e9);
}

}  // namespace
}  // namespace systole
