#include "sim/mapping/access_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace systole::mapping {
namespace {

using models::Milestone;

std::int64_t count_of(const std::vector<Moment>& moments, Milestone milestone, int core = 0) {
    for (const Moment& moment : moments) {
        if (moment.core == core && moment.milestone == milestone) {
            return moment.count;
        }
    }
    return 0;
}

TEST(AccessMap, ReadersWaitForTheWritersOfWhatTheyRead) {
    AccessMap map;
    std::vector<Moment> after;
    map.write(0, 10, 1, {0, Milestone::loaded, 1}, after);
    map.write(10, 20, 2, {0, Milestone::loaded, 2}, after);
    EXPECT_TRUE(after.empty());
    map.read(0, 10, {0, Milestone::streamed, 1}, after);
    EXPECT_EQ(count_of(after, Milestone::loaded), 1);
    after.clear();
    map.read(9, 11, {0, Milestone::streamed, 2}, after);
    EXPECT_EQ(count_of(after, Milestone::loaded), 2);
}

TEST(AccessMap, WritersWaitForTheReadersOfWhatTheyOverwrite) {
    AccessMap map;
    std::vector<Moment> after;
    map.write(0, 20, 1, {0, Milestone::loaded, 1}, after);
    map.read(0, 10, {0, Milestone::streamed, 1}, after);
    map.read(5, 20, {0, Milestone::streamed, 2}, after);
    after.clear();
    map.write(0, 5, 2, {0, Milestone::loaded, 2}, after);
    EXPECT_EQ(count_of(after, Milestone::streamed), 1);
    EXPECT_EQ(count_of(after, Milestone::loaded), 0) << "the reader waited for the writer";
    after.clear();
    map.write(5, 10, 3, {0, Milestone::loaded, 3}, after);
    EXPECT_EQ(count_of(after, Milestone::streamed), 2);
}

TEST(AccessMap, WritersOfOneGenerationWaitForTheOneBeforeNotForEachOther) {
    AccessMap map;
    std::vector<Moment> after;
    map.write(0, 20, 1, {0, Milestone::computed, 1}, after);
    map.read(0, 20, {1, Milestone::stored, 1}, after);
    for (int core = 0; core < 3; ++core) {
        after.clear();
        map.write(0, 20, 2, {core, Milestone::computed, 5 + core}, after);
        EXPECT_EQ(after.size(), 1U);
        EXPECT_EQ(count_of(after, Milestone::stored, 1), 1);
    }
    after.clear();
    map.read(3, 4, {0, Milestone::streamed, 1}, after);
    EXPECT_EQ(after.size(), 3U) << "the reader waits for all of them";
}

/// The same, one address at a time.
class PlainMap {
public:
    explicit PlainMap(std::size_t size) : cells_(size) {}

    void read(std::int64_t first, std::int64_t end, const Moment& by, std::vector<Moment>& after) {
        for (auto at = first; at < end; ++at) {
            Cell& cell = cells_[static_cast<std::size_t>(at)];
            for (const Moment& writer : cell.writers) {
                join(after, writer);
            }
            join(cell.readers, by);
        }
    }
    void write(std::int64_t first, std::int64_t end, std::int64_t generation, const Moment& by,
               std::vector<Moment>& after) {
        for (auto at = first; at < end; ++at) {
            Cell& cell = cells_[static_cast<std::size_t>(at)];
            if (cell.generation != generation) {
                cell.before = cell.readers.empty() ? cell.writers : cell.readers;
                cell.readers.clear();
                cell.writers.clear();
                cell.generation = generation;
            }
            for (const Moment& moment : cell.before) {
                join(after, moment);
            }
            join(cell.writers, by);
        }
    }

private:
    struct Cell {
        std::int64_t generation = 0;
        std::vector<Moment> before;
        std::vector<Moment> writers;
        std::vector<Moment> readers;
    };
    std::vector<Cell> cells_;
};

// Ranges may ask for more than address by address: what a new range overwrites is one part from
// then on. They must never ask for less.
TEST(AccessMap, NeverWaitsForLessThanAddressByAddress) {
    for (unsigned seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        std::mt19937 random{seed};
        const auto roll = [&](int n) {
            return std::uniform_int_distribution<int>{0, n - 1}(random);
        };
        AccessMap map;
        PlainMap plain{64};
        std::int64_t count = 0;
        for (int i = 0; i < 60; ++i) {
            const std::int64_t first = roll(60);
            const std::int64_t end =
                first + 1 + roll(4 + roll(30)) % (64 - static_cast<int>(first));
            const Moment by{roll(2), static_cast<Milestone>(roll(3)), ++count};
            std::vector<Moment> wanted;
            std::vector<Moment> got;
            if (roll(2) == 0) {
                plain.read(first, end, by, wanted);
                map.read(first, end, by, got);
            } else {
                plain.write(first, end, count, by, wanted);
                map.write(first, end, count, by, got);
            }
            for (const Moment& moment : wanted) {
                EXPECT_GE(count_of(got, moment.milestone, moment.core), moment.count);
            }
        }
    }
}

}  // namespace
}  // namespace systole::mapping
