#include "sim/report/result.hpp"

#include "tests/sim/report/sample.hpp"

#include <gtest/gtest.h>

namespace systole {
namespace {

using models::Cause;

std::int64_t spent(const CyclesBy& cycles_by, Cause cause) {
    return cycles_by[static_cast<std::size_t>(cause)].count();
}

TEST(Result, TakesALayersCyclesFromTheEndOfTheOneBefore) {
    const auto result = test::sample_result();
    EXPECT_EQ(result.layers.at(0).figures.cycles, 400);
    EXPECT_EQ(result.layers.at(1).figures.cycles, 100);
    EXPECT_EQ(result.layers.at(1).figures.start_cycle, 390);
    EXPECT_EQ(result.layers.at(1).figures.end_cycle, 500);
    EXPECT_EQ(result.totals.cycles, 500);
    EXPECT_DOUBLE_EQ(result.totals.seconds, 500e-9);
}

TEST(Result, PutsALayerOnTheRoofline) {
    const auto result = test::sample_result();
    const auto& dense = result.layers.at(0).figures;
    EXPECT_EQ(dense.macs, 4096);
    EXPECT_EQ(dense.flops, 8192);
    EXPECT_DOUBLE_EQ(dense.utilization, 4096.0 / (32 * 400));
    // 8192 FLOPs over 4096 bytes, in 400 ns; 2 · 16 GB/s.
    EXPECT_DOUBLE_EQ(*dense.dram.operational_intensity, 2);
    EXPECT_DOUBLE_EQ(dense.dram.attained_flops_per_s, 8192 / 400e-9);
    EXPECT_DOUBLE_EQ(dense.dram.roof_flops_per_s, 32e9);
    EXPECT_EQ(dense.dram.bound, "memory");
    // 8192 FLOPs over 8192 bytes; 6 ports · 16 B · 2 cores · 1 GHz = 192 GB/s, ridge at 1/3.
    EXPECT_DOUBLE_EQ(*dense.scratchpad.operational_intensity, 1);
    EXPECT_DOUBLE_EQ(dense.scratchpad.roof_flops_per_s, 64e9);
    EXPECT_EQ(dense.scratchpad.bound, "compute");
}

TEST(Result, SumsTheRunOverItsLayers) {
    const auto result = test::sample_result();
    EXPECT_EQ(result.totals.macs, 4096);
    EXPECT_EQ(result.totals.dram_read_bytes, 4000);
    EXPECT_EQ(result.totals.dram_write_bytes, 96 + 64);
    EXPECT_EQ(result.totals.end_cycle, 500);
    EXPECT_DOUBLE_EQ(*result.totals.dram.operational_intensity, 8192.0 / 4160);
    EXPECT_EQ(spent(result.totals.cycles_by, Cause::active), 128);
    EXPECT_EQ(spent(result.totals.cycles_by, Cause::weight_stall), 672);
    EXPECT_EQ(spent(result.totals.cycles_by, Cause::idle), 200);
}

TEST(Result, AddsUpEnergyByComponent) {
    const auto result = test::sample_result();
    const auto& energy = result.totals.energy;
    EXPECT_EQ(energy.of(Component::mac).count(), 4096 * 6);
    EXPECT_EQ(energy.of(Component::vector).count(), 192 * 8 + 64 * 32);
    EXPECT_EQ(energy.of(Component::scratchpad).count(), 512 * 2 * 32);
    EXPECT_EQ(energy.of(Component::accumulators).count(), 512 * 8);
    EXPECT_EQ(energy.of(Component::shared_sram).count(), 0);
    EXPECT_EQ(energy.of(Component::dram).count(), 4160 * 64);
    EXPECT_DOUBLE_EQ(result.totals.energy_j, 1e-12 * energy.total().count());
    EXPECT_EQ(energy.total(), result.layers.at(0).figures.energy.total() +
                                  result.layers.at(1).figures.energy.total());
}

TEST(Result, DefinesTheFiguresOfALayerThatTakesNoTime) {
    auto record = test::sample_record();
    record.layers[1].end = Cycles{400};
    record.layers[1].matrix_cycles = {};
    record.cycles = Cycles{400};
    record.units.clear();
    const auto result = make_result(test::sample_graph(), test::sample_chip(),
                                    test::sample_technology(), test::sample_mapping(), record);
    const auto& pool = result.layers.at(1).figures;
    EXPECT_EQ(pool.cycles, 0);
    EXPECT_EQ(pool.utilization, 0);
    EXPECT_EQ(pool.dram.attained_flops_per_s, 0);
}

TEST(Result, RefusesAnOpenCycleAccount) {
    const auto make = [](const models::RunRecord& record) {
        return make_result(test::sample_graph(), test::sample_chip(), test::sample_technology(),
                           test::sample_mapping(), record);
    };
    auto layer_open = test::sample_record();
    layer_open.layers[0].matrix_cycles.add(Cause::drain, Cycles{1});
    EXPECT_THROW(make(layer_open), InternalError);
    auto unit_open = test::sample_record();
    unit_open.units[0].cycles.add(Cause::drain, Cycles{1});
    EXPECT_THROW(make(unit_open), InternalError);
    auto total_open = test::sample_record();
    total_open.cycles = Cycles{501};
    EXPECT_THROW(make(total_open), InternalError);
}

TEST(Result, RefusesARunThatDidNotDoTheMacs) {
    auto record = test::sample_record();
    record.layers[0].counters.macs = 4095;
    EXPECT_THROW(make_result(test::sample_graph(), test::sample_chip(), test::sample_technology(),
                             test::sample_mapping(), record),
                 InternalError);
}

TEST(ChipFacts, HaveNoRidgeWithAnIdealMemory) {
    auto chip = test::sample_chip();
    chip.memory.model = models::MemoryModel::ideal;
    const auto facts = chip_facts(chip);
    EXPECT_EQ(facts.peak_macs_per_cycle, 32);
    EXPECT_FALSE(facts.dram.bytes_per_s);
    EXPECT_FALSE(facts.scratchpad.bytes_per_s);
    EXPECT_EQ(facts.dram.ridge(), 0);
}

}  // namespace
}  // namespace systole
