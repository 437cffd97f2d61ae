#include "sim/report/energy.hpp"

#include "tests/sim/report/sample.hpp"

#include <gtest/gtest.h>

namespace systole {
namespace {

using models::Counters;

double energy_of(const Counters& counters, Component component,
                 const models::ChipConfig& chip = test::sample_chip()) {
    const EnergyModel model{chip, test::sample_technology()};
    const auto energy = model.of(counters, Format::int8);
    EXPECT_EQ(energy.total(), energy.of(component)) << "something else was counted too";
    return energy.of(component).count();
}

TEST(EnergyModel, CountsAMultiplicationAndAnAdditionForEachMac) {
    Counters counters;
    counters.macs = 10;
    EXPECT_EQ(energy_of(counters, Component::mac), 10 * (2 + 4));
}

TEST(EnergyModel, CountsTheArithmeticOfTheVectorLanesInFp32) {
    Counters counters;
    counters.vector_multiplies = 3;
    counters.vector_adds = 5;
    EXPECT_EQ(energy_of(counters, Component::vector), 3 * 32 + 5 * 8);
}

TEST(EnergyModel, TakesScratchpadWordsFromOneBank) {
    Counters counters;
    counters.scratchpad_reads = 3;
    counters.scratchpad_writes = 4;
    // A bank has 16 KiB / 4 = 4 KiB: 32 pJ for 64 bit; a word of 16 B is two of these.
    EXPECT_EQ(energy_of(counters, Component::scratchpad), 7 * 2 * 32);
}

TEST(EnergyModel, TakesSumsFromTheColumnBelowTheArray) {
    Counters counters;
    counters.accumulator_reads = 1;
    counters.accumulator_writes = 2;
    // 256 sums of 4 B are 1 KiB: 16 pJ for 64 bit, half of it for 32.
    EXPECT_EQ(energy_of(counters, Component::accumulators), 3 * 8);
}

TEST(EnergyModel, TakesTheSumsOfALaneFromOneBank) {
    auto chip = test::sample_chip();
    chip.core.matrix = models::SimtConfig{2, 16, 128, {Format::int8}};
    Counters counters;
    counters.accumulator_reads = 1;
    // 16 · 128 sums of 4 B in two banks of 4 KiB each: 32 pJ for 64 bit, half of it for 32.
    EXPECT_EQ(energy_of(counters, Component::accumulators, chip), 16);
}

TEST(EnergyModel, CountsSharedSramByTheByte) {
    auto chip = test::sample_chip();
    chip.shared_sram = models::SharedSramConfig{Bytes{8192}, 2, Bytes{32}, 4};
    Counters counters;
    counters.shared_read_bytes = 8;
    counters.shared_write_bytes = 4;
    // A bank has 4 KiB: 32 pJ for 8 B, so 4 pJ a byte.
    EXPECT_EQ(energy_of(counters, Component::shared_sram, chip), 12 * 4);
}

TEST(EnergyModel, CountsMainMemoryByTheByte) {
    Counters counters;
    counters.dram_read_bytes = 100;
    counters.dram_write_bytes = 1;
    EXPECT_EQ(energy_of(counters, Component::dram), 101 * 512 / 8);
}

TEST(EnergyModel, DoesNotMakeUpWhatIsNotPublished) {
    const EnergyModel model{test::sample_chip(), test::sample_technology()};
    Counters counters;
    counters.vector_adds = 1;
    const Picojoules vector = model.of(counters, Format::bf16).total();
    EXPECT_TRUE(known(vector));
    counters.macs = 1;
    Energy energy = model.of(counters, Format::bf16);
    EXPECT_FALSE(known(energy.of(Component::mac)));
    EXPECT_EQ(energy.of(Component::vector), vector);
    EXPECT_FALSE(known(energy.total()));
    const Energy whole = energy += model.of(counters, Format::fp32);
    EXPECT_FALSE(known(whole.of(Component::mac)));
    EXPECT_EQ(whole.of(Component::vector), 2 * vector);
}

TEST(EnergyModel, RefusesAMemoryWithoutPublishedEnergy) {
    auto chip = test::sample_chip();
    chip.memory.kind = models::MemoryKind::hbm;
    try {
        const EnergyModel model{chip, test::sample_technology()};
        FAIL() << "a memory was made up";
    } catch (const InputError& error) {
        EXPECT_EQ(error.faults().at(0).what,
                  "there is no published energy for HBM, which 'sample_chip' has");
    }
}

TEST(Energy, AddsUpByComponent) {
    Energy a;
    Energy b;
    for (int i = 0; i < component_count; ++i) {
        a.by[static_cast<std::size_t>(i)] = Picojoules{1.0 * i};
        b.by[static_cast<std::size_t>(i)] = Picojoules{10.0};
    }
    a += b;
    EXPECT_EQ(a.of(Component::dram), Picojoules{15});
    EXPECT_EQ(a.total(), Picojoules{60 + 15});
}

}  // namespace
}  // namespace systole
