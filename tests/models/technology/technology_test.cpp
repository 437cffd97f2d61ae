#include "models/technology/technology.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace systole::models {
namespace {

using numerics::Format;

/// Horowitz, ISSCC 2014, 45 nm.
Technology horowitz() {
    Technology technology;
    technology.operations.int8 = {Picojoules{0.2}, Picojoules{0.03}};
    technology.operations.int32 = {Picojoules{3.1}, Picojoules{0.1}};
    technology.operations.fp16 = {Picojoules{1.1}, Picojoules{0.4}};
    technology.operations.fp32 = {Picojoules{3.7}, Picojoules{0.9}};
    technology.sram = {{Bytes{8192}, Picojoules{10}},
                       {Bytes{32768}, Picojoules{20}},
                       {Bytes{1048576}, Picojoules{100}}};
    return technology;
}

TEST(Technology, MultipliesInTheFormatAndAddsInItsAccumulator) {
    const auto technology = horowitz();
    EXPECT_DOUBLE_EQ(technology.mac(Format::int8)->count(), 0.2 + 0.1);
    EXPECT_DOUBLE_EQ(technology.mac(Format::fp16)->count(), 1.1 + 0.9);
    EXPECT_DOUBLE_EQ(technology.mac(Format::fp32)->count(), 3.7 + 0.9);
}

TEST(Technology, HasNoEnergyForWhatIsNotPublished) {
    EXPECT_FALSE(horowitz().mac(Format::bf16));
}

TEST(Technology, TakesPublishedSramsAsTheyAre) {
    const auto technology = horowitz();
    EXPECT_DOUBLE_EQ(technology.sram_access(Bytes{8192}).count(), 10);
    EXPECT_DOUBLE_EQ(technology.sram_access(Bytes{32768}).count(), 20);
    EXPECT_DOUBLE_EQ(technology.sram_access(Bytes{1048576}).count(), 100);
}

TEST(Technology, InterpolatesSramsOnALogLogLine) {
    const auto technology = horowitz();
    // Half way between 8 and 32 KiB in the logarithm: the geometric mean of 10 and 20.
    EXPECT_NEAR(technology.sram_access(Bytes{16384}).count(), std::sqrt(10.0 * 20.0), 1e-12);
    // One of the five doublings from 32 KiB to 1 MiB: a fifth of the way from 20 to 100.
    EXPECT_NEAR(technology.sram_access(Bytes{65536}).count(), 20 * std::pow(5.0, 0.2), 1e-12);
}

TEST(Technology, ExtrapolatesSramsWithTheNearestSlope) {
    const auto technology = horowitz();
    // A quarter of the size costs half below 8 KiB, as it does above.
    EXPECT_NEAR(technology.sram_access(Bytes{2048}).count(), 5, 1e-12);
    // 32 times the size costs 5 times as much above 1 MiB, as it does below.
    EXPECT_NEAR(technology.sram_access(Bytes{33554432}).count(), 500, 1e-9);
}

TEST(Technology, RefusesAnSramWithoutASize) {
    EXPECT_THROW(static_cast<void>(horowitz().sram_access(Bytes{0})), InternalError);
}

}  // namespace
}  // namespace systole::models
