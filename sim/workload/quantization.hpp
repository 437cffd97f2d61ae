#pragma once

#include "sim/workload/graph.hpp"

#include <cstdint>
#include <vector>

namespace systole {

/// Inputs and weights are drawn so that the numbers keep a variance of 1 from layer to layer:
/// uniform in (−√3, √3), and in (−√(3/K), √(3/K)) for the weights of a sum of K products.
[[nodiscard]] double unit_bound();
[[nodiscard]] double weight_bound(std::int64_t depth);

/// The step of int8 activations, unless the workload says otherwise: ±127 steps are ±4 standard
/// deviations of numbers with variance 1.
inline constexpr double default_activation_step = 1.0 / 32;

/// Steps beyond these would leave the range of fp32 when they are multiplied.
inline constexpr double least_step = 1e-15;
inline constexpr double largest_step = 1e15;

/// The smallest power of two of which 127 reach four standard deviations, 4/√K.
[[nodiscard]] double drawn_weight_step(std::int64_t depth);

/// The smallest power of two of which 127 reach the largest magnitude, within the limits of a step;
/// 1 if all are zero.
[[nodiscard]] double step_of(const std::vector<double>& values);

/// What happens to a result in real numbers, whatever the formats are.
struct RealStep {
    models::VectorOp op{};
    std::optional<TensorId> operand;
};

/// The steps that a vector unit takes: `source_step` is the worth of one unit of what comes in.
/// The worth is carried along as long as the operations allow, and multiplied in only where real
/// numbers are needed; an integer target is quantised at the end.
[[nodiscard]] std::vector<ElementStep> lower(const std::vector<RealStep>& steps, double source_step,
                                             const Tensor& target,
                                             const std::vector<Tensor>& tensors);

}  // namespace systole
