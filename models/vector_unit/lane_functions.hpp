#pragma once

namespace systole::models {

// The functions of a lane on fp32 numbers. Each result is the real one, rounded to fp32 once: the
// transcendental ones are evaluated in double, whose error is some 2^−45 of the result. A NaN comes
// out of a NaN.

/// IEEE 754-2019 §9.6 maximum and minimum: a NaN wins over every number, +0 is above −0.
[[nodiscard]] float maximum(float a, float b);
[[nodiscard]] float minimum(float a, float b);

[[nodiscard]] float relu(float x);     ///< maximum(x, +0)
[[nodiscard]] float relu6(float x);    ///< minimum(relu(x), 6)
[[nodiscard]] float sigmoid(float x);  ///< 1/(1 + e^−x)
[[nodiscard]] float tanh(float x);
[[nodiscard]] float gelu(float x);  ///< x·Φ(x) = x/2·(1 + erf(x/√2)); −0 at −∞
[[nodiscard]] float silu(float x);  ///< x/(1 + e^−x); −0 at −∞
[[nodiscard]] float exponential(float x);

}  // namespace systole::models
