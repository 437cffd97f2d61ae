#include "models/vector_unit/lane_functions.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace systole::models {

float maximum(float a, float b) {
    if (std::isnan(a) || std::isnan(b)) {
        return std::numeric_limits<float>::quiet_NaN();
    }
    if (a == b) {
        return std::signbit(a) ? b : a;
    }
    return a > b ? a : b;
}

float minimum(float a, float b) {
    return -maximum(-a, -b);
}

float relu(float x) {
    return maximum(x, 0.0F);
}

float relu6(float x) {
    return minimum(relu(x), 6.0F);
}

float sigmoid(float x) {
    return static_cast<float>(1.0 / (1.0 + std::exp(-static_cast<double>(x))));
}

float tanh(float x) {
    return static_cast<float>(std::tanh(static_cast<double>(x)));
}

float gelu(float x) {
    if (x == -std::numeric_limits<float>::infinity()) {
        return -0.0F;
    }
    const double real = x;
    // 1 + erf(t) = erfc(−t), which keeps its digits where erf nears −1.
    return static_cast<float>(0.5 * real * std::erfc(-real / std::numbers::sqrt2));
}

float silu(float x) {
    if (x == -std::numeric_limits<float>::infinity()) {
        return -0.0F;
    }
    const double real = x;
    return static_cast<float>(real / (1.0 + std::exp(-real)));
}

float exponential(float x) {
    return static_cast<float>(std::exp(static_cast<double>(x)));
}

}  // namespace systole::models
