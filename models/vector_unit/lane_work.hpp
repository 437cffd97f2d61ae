#pragma once

#include "models/core/program.hpp"

#include <cstdint>

namespace systole::models {

/// What a VectorOp does in the lanes, in fp32 operations on one element. Comparisons and
/// conversions count as additions. This is what energy is paid for and what the default timing
/// rests on; the values are those of the exact function, whatever the algorithm.
///
/// The algorithms counted, with [multiplications, additions, operations with a multiply-add as
/// one]:
/// - e^x [9, 8, 9]: n = x·log2 e to the nearest integer, x − n·ln 2 in two parts (Cody & Waite),
///   a polynomial of degree 6 by Horner's rule (error below 2^−28), 2^n by its exponent field.
/// - 1/x [4, 4, 4]: a table's seed of 8 bits and two Newton steps r ← r + r·(1 − x·r).
/// - a/b [5, 4, 5]: a·(1/b).
/// - sigmoid [13, 13, 14]: 1/(1 + e^−x). silu [14, 13, 15]: x·sigmoid(x).
/// - tanh [15, 14, 16]: 2·sigmoid(2x) − 1.
/// - gelu [24, 19, 24]: u + u·erf(√2·u), u = x/2, with erf by Abramowitz & Stegun 7.1.26
///   (1/(1 + p·t), a polynomial of degree 5, e^(−t²)).
/// - softmax [14, 15, 17]: greatest of the row, subtraction, e^x, sum of the row, division.
/// - quantize [1, 1, 2]: a multiplication, a conversion that rounds and saturates.
/// - average_pool: an addition for each element of the window, a division for each output.
struct LaneWork {
    std::int64_t multiplies = 0;
    std::int64_t adds = 0;
    std::int64_t adds_per_tap = 0;  ///< for each element of the window: the pools
    std::int64_t operations = 1;    ///< a multiply-add is one; for the pools: on each tap
};
[[nodiscard]] LaneWork lane_work(VectorOp op);

}  // namespace systole::models
