#include "sim/report/numbers.hpp"

#include "sim/report/digest.hpp"

#include <gtest/gtest.h>

#include <string>

namespace systole {
namespace {

TEST(Numbers, KeepThreeDigits) {
    EXPECT_EQ(three_digits(0), "0");
    EXPECT_EQ(three_digits(1.994), "1.99");
    EXPECT_EQ(three_digits(63.24), "63.2");
    EXPECT_EQ(three_digits(99.96), "100");
    EXPECT_EQ(three_digits(2698.4), "2,698");
    EXPECT_EQ(three_digits(-0.5), "-0.50");
    EXPECT_EQ(three_digits(0.00123), "1.2e-03");
    EXPECT_EQ(three_digits(1e20), "1.00e+20");
}

TEST(Numbers, TakeThePrefixThatFits) {
    EXPECT_EQ(si(0, "J"), "0 J");
    EXPECT_EQ(si(91.75e12, "FLOP/s"), "91.8 TFLOP/s");
    EXPECT_EQ(si(34e9, "B/s"), "34.0 GB/s");
    EXPECT_EQ(si(1, "s"), "1.00 s");
    EXPECT_EQ(si(999.6, "s"), "1.00 ks");
    EXPECT_EQ(si(999.4, "s"), "999 s");
    EXPECT_EQ(si(63.2e-6, "s"), "63.2 µs");
    EXPECT_EQ(si(4.6e-12, "J"), "4.60 pJ");
    EXPECT_EQ(si(4.6e-15, "J"), "4.6e-03 pJ");
}

TEST(Numbers, GivePercent) {
    EXPECT_EQ(percent(0), "0");
    EXPECT_EQ(percent(0.0004), "<0.1");
    EXPECT_EQ(percent(0.127), "12.7");
    EXPECT_EQ(percent(0.9994), "99.9");
    EXPECT_EQ(percent(1), "100");
}

/// The vectors of FIPS 180-4's examples.
TEST(Sha256, EqualsThePublishedDigests) {
    EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

}  // namespace
}  // namespace systole
