#include "sim/run/values.hpp"

#include "models/numerics/convert.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace systole {
namespace {

using models::Address;
using models::MemoryImage;
using models::Space;

/// An int8 input and fp32 weights in main memory, an activation in a scratchpad, and the output in
/// the shared SRAM.
struct Sample {
    Graph graph;
    Mapping mapping;
    MemoryImage image;

    explicit Sample(std::int64_t weights = 3) {
        graph.tensors = {{"x", {2}, Format::int8, Tensor::Role::input, 0.5, Given{{-1.5, 1000.0}}},
                         {"w", {weights}, Format::fp32, Tensor::Role::parameter, 1.0, Drawn{0.25}},
                         {"a", {2}, Format::fp32, Tensor::Role::activation, 1.0, {}},
                         {"y", {2}, Format::int8, Tensor::Role::output, 2.0, {}}};
        mapping.placements = {{Placement::Home::dram, 64},
                              {Placement::Home::dram, 128},
                              {Placement::Home::scratchpad, 0},
                              {Placement::Home::shared, 16}};
        mapping.dram_used = Bytes{128 + 4 * weights};
        mapping.shared_used = Bytes{64};
        image.resize(mapping.dram_used, mapping.shared_used);
    }

    [[nodiscard]] double weight(std::size_t i) {
        const auto count = graph.tensors[1].bytes();
        return numerics::to_double(
            Format::fp32,
            numerics::load_bits(Format::fp32, image.bytes({Space::dram, 128}, count), i));
    }
};

TEST(Values, AreWrittenAsCodesToTheirPlace) {
    Sample sample;
    fill(sample.image, sample.graph, sample.mapping, 1);
    const auto x = sample.image.bytes({Space::dram, 64}, 2);
    EXPECT_EQ(static_cast<std::int8_t>(x[0]), -3);   // -1.5 / 0.5
    EXPECT_EQ(static_cast<std::int8_t>(x[1]), 127);  // 2000 saturates
    EXPECT_EQ(sample.image.bytes({Space::dram, 0}, 1)[0], std::byte{0});
}

TEST(Values, AreDrawnWithinTheBoundFromSeedAndName) {
    constexpr std::int64_t count = 4000;
    Sample one{count};
    Sample same{count};
    Sample other_seed{count};
    Sample other_name{count};
    other_name.graph.tensors[1].name = "v";
    fill(one.image, one.graph, one.mapping, 1);
    fill(same.image, same.graph, same.mapping, 1);
    fill(other_seed.image, other_seed.graph, other_seed.mapping, 2);
    fill(other_name.image, other_name.graph, other_name.mapping, 1);
    double sum = 0;
    double square = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double w = one.weight(i);
        ASSERT_LE(std::abs(w), 0.25);
        ASSERT_EQ(w, same.weight(i));
        sum += w;
        square += w * w;
    }
    EXPECT_NE(one.weight(0), other_seed.weight(0));
    EXPECT_NE(one.weight(0), other_name.weight(0));
    // Uniform in (−b, b): mean 0 with a standard deviation of b/√(3n), mean square b²/3.
    EXPECT_NEAR(sum / count, 0, 5 * 0.25 / std::sqrt(3.0 * count));
    EXPECT_NEAR(square / count, 0.25 * 0.25 / 3, 0.05 * 0.25 * 0.25 / 3);
}

TEST(Values, AreReadBackAsNumbers) {
    Sample sample;
    fill(sample.image, sample.graph, sample.mapping, 1);
    const auto y = sample.image.bytes({Space::shared, 16}, 2);
    y[0] = std::byte{5};
    y[1] = std::byte{0xf9};  // -7 in two's complement
    const auto tensors = read_back(sample.image, sample.graph, sample.mapping);
    ASSERT_EQ(tensors.size(), 3U) << "all but the one in the scratchpad";
    EXPECT_EQ(tensors[0].values, (std::vector<double>{-1.5, 63.5}));
    EXPECT_EQ(tensors[2].name, "y");
    EXPECT_EQ(tensors[2].step, 2.0);
    EXPECT_EQ(tensors[2].values, (std::vector<double>{10.0, -14.0}));
}

TEST(Values, AreNotReadWhereALaterTensorHasTakenTheirPlace) {
    Sample sample;
    sample.graph.operators.resize(2);
    sample.graph.operators[0].output = 2;
    sample.graph.operators[1].output = 3;
    sample.mapping.placements[2] = {Placement::Home::shared, 8};  // 8 bytes: up to y's first
    EXPECT_EQ(read_back(sample.image, sample.graph, sample.mapping).size(), 4U);
    sample.mapping.placements[2].address = 17;  // y's second
    const auto tensors = read_back(sample.image, sample.graph, sample.mapping);
    ASSERT_EQ(tensors.size(), 3U);
    EXPECT_EQ(std::ranges::count(tensors, "a", &TensorValues::name), 0);
}

TEST(Values, AreTheOutputsAloneInALargerNetwork) {
    Sample sample{59};  // 65 elements in all
    const auto tensors = read_back(sample.image, sample.graph, sample.mapping);
    ASSERT_EQ(tensors.size(), 1U);
    EXPECT_EQ(tensors[0].name, "y");
    Sample smaller{58};
    EXPECT_EQ(read_back(smaller.image, smaller.graph, smaller.mapping).size(), 3U);
}

TEST(Values, AreCarriedBySmallRunsUnasked) {
    Sample sample;
    sample.graph.operators.resize(2);
    sample.graph.operators[0].macs = 999'999;
    sample.graph.operators[1].macs = 1;
    EXPECT_TRUE(is_small(sample.graph, sample.mapping));
    sample.graph.operators[1].macs = 2;
    EXPECT_FALSE(is_small(sample.graph, sample.mapping));
    sample.graph.operators[1].macs = 1;
    sample.mapping.dram_used = Bytes{(16 << 20) - 64};
    EXPECT_TRUE(is_small(sample.graph, sample.mapping));
    sample.mapping.shared_used = Bytes{65};
    EXPECT_FALSE(is_small(sample.graph, sample.mapping));
}

}  // namespace
}  // namespace systole
