#include "tests/support/reference.hpp"

#include "tests/support/workload.hpp"

#include <gtest/gtest.h>

#include <cmath>

// The reference itself, on results that are worked out by hand.

namespace systole {
namespace {

using test::Reference;

/// The values of the last operator; the input and all parameters are given in the text.
std::vector<double> evaluated(const std::string& text) {
    const auto graph = test::graph_of(text);
    std::map<TensorId, std::vector<double>> stored;
    for (TensorId id = 0; id < static_cast<TensorId>(graph.tensors.size()); ++id) {
        if (const auto* given = std::get_if<Given>(&graph.tensor(id).source)) {
            stored[id] = given->values;
        }
    }
    return Reference{graph, stored}.values(graph.operators.back().output);
}

const std::string nine =
    "input: {shape: [3, 3, 1], values: [1, 2, 3, 4, 5, 6, 7, 8, 9]}\nlayers:\n";

TEST(Reference, Convolves) {
    // x(h, w) − x(h + 1, w + 1) = −4 everywhere on 1 … 9.
    EXPECT_EQ(evaluated(nine + "  - conv2d: {filters: 1, kernel: 2, weights: [1, 0, 0, -1],\n"
                               "             bias: [0.5]}\n"),
              (std::vector<double>{-3.5, -3.5, -3.5, -3.5}));
    // Dilation 2 sees the corners: 1·1 + 2·3 + 3·7 + 4·9.
    EXPECT_EQ(evaluated(nine + "  - conv2d: {filters: 1, kernel: 2, dilation: 2, bias: false,\n"
                               "             weights: [1, 2, 3, 4]}\n"),
              std::vector<double>{64});
    // Stride 2 with a row above and a column on the left: taps outside are zero.
    EXPECT_EQ(
        evaluated(nine + "  - conv2d: {filters: 1, kernel: 2, stride: 2, bias: false,\n"
                         "             padding: [1, 1, 0, 0], weights: [1, 10, 100, 1000]}\n"),
        (std::vector<double>{1000 * 1, 100 * 2 + 1000 * 3, 10 * 4 + 1000 * 7,
                             1 * 5 + 10 * 6 + 100 * 8 + 1000 * 9}));
}

TEST(Reference, ConvolvesInGroups) {
    // Channels (1, 2) make filters 0 and 1, channels (3, 4) filters 2 and 3; the weights of a row
    // are those of all four filters.
    EXPECT_EQ(evaluated("input: {shape: [1, 1, 4], values: [1, 2, 3, 4]}\n"
                        "layers:\n"
                        "  - conv2d: {filters: 4, kernel: 1, groups: 2, bias: false,\n"
                        "             weights: [1, 10, 100, 1000, 5, 50, 500, 5000]}\n"),
              (std::vector<double>{1 + 2 * 5, 10 + 2 * 50, 300 + 4 * 500, 3000 + 4 * 5000}));
}

TEST(Reference, Pools) {
    EXPECT_EQ(evaluated(nine + "  - max_pool: {kernel: 2, stride: 1}\n"),
              (std::vector<double>{5, 6, 8, 9}));
    const std::string average = "  - avg_pool: {kernel: 2, stride: 2, padding: [1, 1, 0, 0]";
    EXPECT_EQ(evaluated(nine + average + "}\n"), (std::vector<double>{1, 2.5, 5.5, 7}));
    EXPECT_EQ(evaluated(nine + average + ", count_padding: true}\n"),
              (std::vector<double>{0.25, 1.25, 2.75, 7}));
    EXPECT_EQ(evaluated(nine + "  - global_avg_pool\n"), std::vector<double>{5});
}

TEST(Reference, KnowsTheActivations) {
    const auto at_one = [](const std::string& function) {
        return evaluated("input: {shape: [1], values: [1]}\nlayers: [" + function + "]\n").at(0);
    };
    // Abramowitz & Stegun: tanh 1 (table 4.15), Φ(1) (table 26.1); 1/(1 + e⁻¹).
    EXPECT_NEAR(at_one("tanh"), 0.76159'41560, 1e-7);
    EXPECT_NEAR(at_one("gelu"), 0.84134'47461, 1e-7);
    EXPECT_NEAR(at_one("sigmoid"), 0.73105'85786, 1e-7);
    EXPECT_NEAR(at_one("silu"), 0.73105'85786, 1e-7);
    const auto shares = evaluated("input: {shape: [2], values: [1000, 1000]}\nlayers: [softmax]\n");
    EXPECT_EQ(shares, (std::vector<double>{0.5, 0.5}));
}

TEST(Reference, RoundsToTheFormats) {
    EXPECT_EQ(Reference::rounded(2.5, Format::int8), 2);
    EXPECT_EQ(Reference::rounded(3.5, Format::int8), 4);
    EXPECT_EQ(Reference::rounded(300, Format::int8), 127);
    EXPECT_EQ(Reference::rounded(-300, Format::int8), -128);
    // The step of bf16 at 1 is 2⁻⁷, that of fp16 2⁻¹⁰; ties go to the even neighbour.
    EXPECT_EQ(Reference::rounded(1 + 0x1p-8, Format::bf16), 1);
    EXPECT_EQ(Reference::rounded(1 + 0x3p-8, Format::bf16), 1 + 0x1p-6);
    EXPECT_EQ(Reference::rounded(1 + 0x1p-11, Format::fp16), 1);
    EXPECT_EQ(Reference::rounded(65519, Format::fp16), 65504);
    EXPECT_TRUE(std::isinf(Reference::rounded(65520, Format::fp16)));
    // The least number of fp16 is 2⁻²⁴; half of it is a tie with zero.
    EXPECT_EQ(Reference::rounded(0x1p-25, Format::fp16), 0);
    EXPECT_EQ(Reference::rounded(0x1.8p-25, Format::fp16), 0x1p-24);
}

}  // namespace
}  // namespace systole
