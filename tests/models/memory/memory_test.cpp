#include "models/memory/memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace systole::models {
namespace {

using namespace literals;

std::vector<Cycles> answers_of(Memory& memory, const std::vector<Burst>& bursts) {
    std::vector<Cycles> answers;
    memory.on_answer([&](const Burst&, Cycles cycle) { answers.push_back(cycle); });
    for (const auto& burst : bursts) {
        memory.take(burst);
    }
    return answers;
}

TEST(BandwidthMemory, MovesAWeightTileOfTpuV1In1349Cycles) {
    // 64 KiB at 34 GB/s and 700 MHz: Jouppi et al., ISCA 2017, section 7 count 1,349 cycles.
    BandwidthMemory memory{BytesPerSecond{34e9}, Hertz{700e6}, 0_cycles};
    const auto answers = answers_of(memory, std::vector<Burst>(100, Burst{.size = 64_KiB}));
    // 65,536 · 700 / 34,000 = 1349.27…: no cycle is lost to rounding in between.
    for (std::int64_t i = 0; i < 100; ++i) {
        EXPECT_EQ(answers[static_cast<std::size_t>(i)].count(),
                  ceil_div((i + 1) * 65'536 * 700, 34'000));
    }
}

TEST(BandwidthMemory, AddsItsLatencyOnceToAStream) {
    BandwidthMemory memory{BytesPerSecond{16e9}, Hertz{1e9}, 100_cycles};
    const auto answers = answers_of(memory, {{.size = 64_B}, {.size = 64_B}, {.size = 1_B}});
    EXPECT_EQ(answers, (std::vector{104_cycles, 108_cycles, 109_cycles}));
}

TEST(BandwidthMemory, IsFreeAgainInTheCycleInWhichTheLastByteHasCrossed) {
    BandwidthMemory memory{BytesPerSecond{3e9}, Hertz{1e9}, 0_cycles};
    memory.on_answer([](const Burst&, Cycles) {});
    EXPECT_EQ(memory.free_at(), 0_cycles);
    memory.take({.size = 3_B, .arrival = 10_cycles});
    EXPECT_EQ(memory.free_at(), 11_cycles);
    memory.take({.size = 4_B, .arrival = 10_cycles});
    EXPECT_EQ(memory.free_at(), 13_cycles);  // 11 + 4/3
}

TEST(BandwidthMemory, KeepsExactTimeOverAnyStream) {
    std::mt19937_64 random{20261201};
    for (int round = 0; round < 200; ++round) {
        SCOPED_TRACE(round);
        const auto rate = std::uniform_int_distribution<std::int64_t>{1, 2'000}(random);
        const auto clock = std::uniform_int_distribution<std::int64_t>{1, 2'000}(random);
        BandwidthMemory memory{BytesPerSecond{static_cast<double>(rate)},
                               Hertz{static_cast<double>(clock)}, 7_cycles};
        std::int64_t bytes = 0;
        std::vector<Burst> bursts;
        for (int i = 0; i < 50; ++i) {
            bursts.push_back({.size = Bytes{std::uniform_int_distribution{1, 5'000}(random)}});
            bytes += bursts.back().size.count();
        }
        EXPECT_EQ(answers_of(memory, bursts).back().count(), ceil_div(bytes * clock, rate) + 7);
    }
}

TEST(SharedSram, AnswersAllBanksTogether) {
    const auto memory = make_shared_sram({.size = 1_MiB, .banks = 8, .width = 32_B, .latency = 5});
    EXPECT_EQ(answers_of(*memory, {{.size = 1_KiB}, {.size = 257_B}}),
              (std::vector{9_cycles, 11_cycles}));  // 4 + 5, then 257/256 more
}

TEST(MakeMemory, MakesNothingForAnIdealMemory) {
    EXPECT_EQ(make_memory({.model = MemoryModel::ideal}, Hertz{1e9}), nullptr);
}

}  // namespace
}  // namespace systole::models
