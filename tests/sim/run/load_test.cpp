#include "sim/run/load.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace systole {
namespace {

using models::OperationEnergy;
using models::Technology;

Technology shipped(const std::string& name) {
    std::vector<std::filesystem::path> files;
    return load_technology(name, {}, files);
}

void expect_energy(const std::optional<OperationEnergy>& energy, double add, double multiply) {
    ASSERT_TRUE(energy);
    EXPECT_EQ(energy->add.count(), add);
    EXPECT_EQ(energy->multiply.count(), multiply);
}

/// M. Horowitz, ISSCC 2014; N. Jouppi et al., ISCA 2021, Table 2.
TEST(ShippedTechnology, IsThePublished45nm) {
    const auto technology = shipped("45nm");
    expect_energy(technology.operations.int8, 0.03, 0.2);
    expect_energy(technology.operations.int32, 0.1, 3.1);
    expect_energy(technology.operations.fp16, 0.4, 1.1);
    expect_energy(technology.operations.fp32, 0.9, 3.7);
    EXPECT_FALSE(technology.operations.bf16) << "not published";
    EXPECT_NEAR(technology.sram_access(Bytes{8 << 10}).count(), 10, 1e-12);
    EXPECT_NEAR(technology.sram_access(Bytes{32 << 10}).count(), 20, 1e-12);
    EXPECT_NEAR(technology.sram_access(Bytes{1 << 20}).count(), 100, 1e-12);
    EXPECT_EQ(technology.memory.ddr, Picojoules{1300});
    EXPECT_FALSE(technology.memory.hbm) << "not published";
}

TEST(ShippedTechnology, IsThePublished7nm) {
    const auto technology = shipped("7nm");
    expect_energy(technology.operations.int8, 0.007, 0.07);
    expect_energy(technology.operations.int32, 0.03, 1.48);
    expect_energy(technology.operations.bf16, 0.11, 0.21);
    expect_energy(technology.operations.fp16, 0.16, 0.34);
    expect_energy(technology.operations.fp32, 0.38, 1.31);
    EXPECT_NEAR(technology.sram_access(Bytes{8 << 10}).count(), 7.5, 1e-12);
    EXPECT_NEAR(technology.sram_access(Bytes{32 << 10}).count(), 8.5, 1e-12);
    EXPECT_NEAR(technology.sram_access(Bytes{1 << 20}).count(), 14, 1e-12);
    EXPECT_EQ(technology.memory.ddr, Picojoules{1300});
    // O'Connor et al., MICRO 2017: 3.9 pJ a bit.
    EXPECT_NEAR(technology.memory.hbm->count(), 3.9 * 64, 1);
}

TEST(LoadChip, FindsTheTechnologyThatTheChipNames) {
    const auto loaded = load_chip("tpu_v3", {parse_override("chip.cores=2")});
    EXPECT_EQ(loaded.chip.cores, 2);
    EXPECT_EQ(loaded.chip.memory.kind, models::MemoryKind::hbm);
    EXPECT_TRUE(loaded.technology.operations.bf16);
    ASSERT_EQ(loaded.files.size(), 2U);
    EXPECT_EQ(loaded.files[0].filename(), "tpu_v3.yaml");
    EXPECT_EQ(loaded.files[1].filename(), "7nm.yaml");
    EXPECT_EQ(native_format(loaded.chip), numerics::Format::bf16);
}

TEST(LoadChip, RefusesATechnologyThatIsNotThere) {
    EXPECT_THROW(static_cast<void>(load_chip("tpu_v1", {parse_override("chip.technology=3nm")})),
                 InputError);
}

TEST(KindOfDocument, IsTheFolderOfAName) {
    EXPECT_EQ(kind_of_document("tpu_v1"), DocumentKind::chip);
    EXPECT_EQ(kind_of_document("course/2_1_perceptron"), DocumentKind::workload);
    EXPECT_EQ(kind_of_document("7nm"), DocumentKind::technology);
}

}  // namespace
}  // namespace systole
