#include "sim/workload/random_values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace systole {
namespace {

// The outputs for this seed that implementations of SplitMix64 are commonly checked with.
TEST(SplitMix64, GivesThePublishedSequence) {
    SplitMix64 bits{1234567};
    for (const std::uint64_t expected :
         {6457827717110365317U, 3203168211198807973U, 9817491932198370423U, 4593380528125082431U,
          16408922859458223821U}) {
        EXPECT_EQ(bits(), expected);
    }
}

TEST(RandomValues, DependOnSeedAndNameAlone) {
    const auto first = [](std::uint64_t seed, const char* name) {
        RandomValues values{seed, name};
        std::vector<double> drawn;
        for (int i = 0; i < 4; ++i) {
            drawn.push_back(values.uniform(1));
        }
        return drawn;
    };
    EXPECT_EQ(first(1, "fc1.weights"), first(1, "fc1.weights"));
    std::set<double> all;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        for (const char* name : {"", "a", "b", "ab", "ba", "fc1.weights", "fc2.weights"}) {
            for (const double value : first(seed, name)) {
                all.insert(value);
            }
        }
    }
    EXPECT_EQ(all.size(), 100U * 7 * 4);
}

TEST(RandomValues, AreUniformWithinTheBound) {
    RandomValues values{42, "x"};
    constexpr int count = 1 << 18;
    constexpr double bound = 3;
    std::vector<int> bins(64);
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < count; ++i) {
        const double x = values.uniform(bound);
        ASSERT_LT(std::abs(x), bound);
        ASSERT_NE(x, 0);
        sum += x;
        squares += x * x;
        ++bins[static_cast<std::size_t>((x + bound) / (2 * bound) * 64)];
    }
    // Five standard deviations: of the mean b/√(3n), of the mean square 2b²/√(45n), of a bin
    // √(n/64).
    const double n = count;
    EXPECT_LT(std::abs(sum / n), 5 * bound / std::sqrt(3 * n));
    EXPECT_LT(std::abs(squares / n - bound * bound / 3), 5 * 2 * bound * bound / std::sqrt(45 * n));
    for (const int bin : bins) {
        EXPECT_LT(std::abs(bin - n / 64), 5 * std::sqrt(n / 64));
    }
}

}  // namespace
}  // namespace systole
