#include "sim/workload/quantization.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace systole {
namespace {

using models::VectorOp;

TEST(Quantization, WeightStepIsTheLeastPowerOfTwoThatHoldsFourDeviations) {
    for (std::int64_t depth = 1; depth < 5'000; depth = depth * 3 / 2 + 1) {
        SCOPED_TRACE(depth);
        const double step = drawn_weight_step(depth);
        const double four_deviations = 4 / std::sqrt(static_cast<double>(depth));
        EXPECT_GE(127 * step, four_deviations);
        EXPECT_LT(127 * step / 2, four_deviations);
        EXPECT_EQ(std::exp2(std::round(std::log2(step))), step);
        EXPECT_LE(weight_bound(depth), 127 * step);
    }
}

TEST(Quantization, StepOfGivenValuesHoldsTheLargest) {
    EXPECT_EQ(step_of({0.5, -127}), 1.0);       // exactly 127 steps
    EXPECT_EQ(step_of({0.5, -127.5}), 2.0);     // a little more
    EXPECT_EQ(step_of({0.8, -1.5}), 1.0 / 64);  // 1.5 / 127 = 0.0118 ≤ 0.0156
    EXPECT_EQ(step_of({0, 0}), 1.0);
    EXPECT_GE(step_of({1e-30}), least_step);
    EXPECT_LE(step_of({3e38}), largest_step);
}

TEST(Quantization, DrawnNumbersHaveAVarianceOfOneThroughALayer) {
    // The variance of a uniform number in (−b, b) is b²/3; that of a sum of K products, K·b²/3.
    EXPECT_DOUBLE_EQ(unit_bound() * unit_bound() / 3, 1.0);
    EXPECT_DOUBLE_EQ(100 * weight_bound(100) * weight_bound(100) / 3, 1.0);
}

double apply(VectorOp op, double x, double operand) {
    switch (op) {
        case VectorOp::relu:
            return x > 0 ? x : 0;
        case VectorOp::relu6:
            return x < 0 ? 0 : x > 6 ? 6 : x;
        case VectorOp::tanh:
            return std::tanh(x);
        case VectorOp::scale_columns:
            return x * operand;
        case VectorOp::add_columns:
        case VectorOp::add:
            return x + operand;
        default:
            return x;
    }
}

// Whatever the steps and the formats: stored numbers that go through the lowered steps are the real
// result in units of the target's step, before the last rounding.
TEST(Quantization, LoweredStepsComputeTheRealResult) {
    std::mt19937_64 random{7};
    std::uniform_real_distribution<double> uniform{-4, 4};
    const VectorOp all[] = {VectorOp::relu,          VectorOp::relu6,       VectorOp::tanh,
                            VectorOp::scale_columns, VectorOp::add_columns, VectorOp::add};
    for (int i = 0; i < 5'000; ++i) {
        SCOPED_TRACE(testing::Message() << "case " << i << " of seed 7");
        Tensor parameter;
        Tensor image;
        image.format = Format::int8;
        image.step = std::exp2(uniform(random));
        const std::vector<Tensor> tensors{parameter, image};
        Tensor target;
        if (random() % 2 == 0) {
            target.format = Format::int8;
            target.step = std::exp2(uniform(random));
        }
        const double worth = random() % 4 == 0 ? 1.0 : std::exp2(uniform(random));
        std::vector<RealStep> steps;
        const double stored = uniform(random);
        double real = stored * worth;
        const double operand = uniform(random);
        for (auto more = random() % 5; more > 0; --more) {
            const VectorOp op = all[random() % 6];
            const bool is_image = op == VectorOp::add;
            const bool has_operand =
                is_image || op == VectorOp::scale_columns || op == VectorOp::add_columns;
            steps.push_back(
                {op, has_operand ? std::optional<TensorId>{is_image ? 1 : 0} : std::nullopt});
            real = apply(op, real, is_image ? operand * image.step : operand);
        }
        double now = stored;
        const auto lowered = lower(steps, worth, target, tensors);
        ASSERT_FALSE(lowered.empty());
        for (const auto& step : lowered) {
            now = step.op == VectorOp::scale || step.op == VectorOp::quantize
                      ? now * step.parameter
                      : apply(step.op, now, operand);
        }
        EXPECT_NEAR(now * target.step, real, 1e-9 * (1 + std::abs(real)));
        EXPECT_EQ(lowered.back().op == VectorOp::quantize, target.format == Format::int8);
    }
}

TEST(Quantization, TakesNoStepThatItDoesNotNeed) {
    const Tensor real;  // fp32, step 1
    Tensor codes;
    codes.format = Format::int8;
    codes.step = 0.25;
    const RealStep relu{VectorOp::relu, std::nullopt};
    const RealStep sigmoid{VectorOp::sigmoid, std::nullopt};

    const auto copied = lower({}, 1.0, real, {});
    ASSERT_EQ(copied.size(), 1U);
    EXPECT_EQ(copied[0].op, VectorOp::copy);

    const auto cut = lower({relu}, 1.0, real, {});
    ASSERT_EQ(cut.size(), 1U);
    EXPECT_EQ(cut[0].op, VectorOp::relu);

    const auto cut_codes = lower({relu}, 0.125, codes, {});
    ASSERT_EQ(cut_codes.size(), 2U);
    EXPECT_EQ(cut_codes[1].op, VectorOp::quantize);
    EXPECT_EQ(cut_codes[1].parameter, 0.5);

    const auto bent = lower({sigmoid}, 0.125, codes, {});
    ASSERT_EQ(bent.size(), 3U);
    EXPECT_EQ(bent[0].op, VectorOp::scale);
    EXPECT_EQ(bent[0].parameter, 0.125);
    EXPECT_EQ(bent[2].parameter, 4.0);
}

}  // namespace
}  // namespace systole
