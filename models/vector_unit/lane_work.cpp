#include "models/vector_unit/lane_work.hpp"

namespace systole::models {
namespace {

constexpr LaneWork exponential{9, 8, 0, 9};
constexpr LaneWork reciprocal{4, 4, 0, 4};
constexpr LaneWork multiplication{1, 0, 0, 1};
constexpr LaneWork addition{0, 1, 0, 1};
constexpr LaneWork multiply_add{1, 1, 0, 1};

constexpr LaneWork operator+(const LaneWork& a, const LaneWork& b) {
    return {a.multiplies + b.multiplies, a.adds + b.adds, a.adds_per_tap + b.adds_per_tap,
            a.operations + b.operations};
}
constexpr LaneWork operator*(std::int64_t n, const LaneWork& a) {
    return {n * a.multiplies, n * a.adds, n * a.adds_per_tap, n * a.operations};
}

constexpr LaneWork division = reciprocal + multiplication;
constexpr LaneWork sigmoid = exponential + addition + reciprocal;
// t = |x|/√2, 1 + p·t, its reciprocal, five coefficients, −t², its exponential, 1 − product, u, and
// u + u·erf.
constexpr LaneWork polynomial{5, 4, 0, 5};
constexpr LaneWork gelu = multiplication + multiply_add + reciprocal + polynomial + multiplication +
                          exponential + multiply_add + multiplication + multiply_add;
constexpr LaneWork softmax = 3 * addition + exponential + division;

}  // namespace

LaneWork lane_work(VectorOp op) {
    switch (op) {
        case VectorOp::copy:
            return {0, 0, 0, 1};
        case VectorOp::scale:
        case VectorOp::scale_columns:
        case VectorOp::multiply:
            return multiplication;
        case VectorOp::add_columns:
        case VectorOp::add:
        case VectorOp::relu:
            return addition;
        case VectorOp::relu6:
            return 2 * addition;
        case VectorOp::sigmoid:
            return sigmoid;
        case VectorOp::tanh:
            return multiplication + sigmoid + multiply_add;
        case VectorOp::gelu:
            return gelu;
        case VectorOp::silu:
            return sigmoid + multiplication;
        case VectorOp::softmax:
            return softmax;
        case VectorOp::max_pool:
            return {0, 0, 1, 1};
        case VectorOp::average_pool:
            return {division.multiplies, division.adds, 1, 1};
        case VectorOp::quantize:
            return multiplication + addition;
    }
    return {};
}

}  // namespace systole::models
