#pragma once

#include "models/base/diagnostics.hpp"

#include <compare>
#include <cstdint>
#include <limits>

namespace systole {

/// a + b, a · b of 64-bit counts; an overflow is a defect that was not caught at the door.
[[nodiscard]] constexpr std::int64_t checked_add(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    SYSTOLE_ASSERT(!__builtin_add_overflow(a, b, &sum), "64-bit count overflows in an addition");
    return sum;
}
[[nodiscard]] constexpr std::int64_t checked_multiply(std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    SYSTOLE_ASSERT(!__builtin_mul_overflow(a, b, &product), "64-bit count overflows in a product");
    return product;
}

/// ⌈a / b⌉ for a ≥ 0, b > 0.
[[nodiscard]] constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
    return a / b + (a % b != 0 ? 1 : 0);
}

/// A number that knows its unit. Two quantities of one unit add, subtract and compare; nothing else
/// compiles. A product or quotient across units is a named function below, so that every conversion
/// between cycles, bytes and joules in the simulator can be found by grep.
template <class Tag, class Rep>
class Quantity {
public:
    using rep = Rep;

    constexpr Quantity() = default;
    constexpr explicit Quantity(Rep value) : value_{value} {}

    [[nodiscard]] constexpr Rep count() const { return value_; }

    constexpr auto operator<=>(const Quantity&) const = default;
    constexpr Quantity& operator+=(Quantity other) {
        if constexpr (std::numeric_limits<Rep>::is_integer) {
            value_ = checked_add(value_, other.value_);
        } else {
            value_ += other.value_;
        }
        return *this;
    }
    constexpr Quantity& operator-=(Quantity other) {
        value_ -= other.value_;
        return *this;
    }
    friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
    friend constexpr Quantity operator*(Rep k, Quantity a) {
        if constexpr (std::numeric_limits<Rep>::is_integer) {
            return Quantity{checked_multiply(k, a.value_)};
        } else {
            return Quantity{k * a.value_};
        }
    }

private:
    Rep value_{};
};

using Cycles = Quantity<struct CyclesTag, std::int64_t>;
using Bytes = Quantity<struct BytesTag, std::int64_t>;
using Picojoules = Quantity<struct PicojoulesTag, double>;
using Hertz = Quantity<struct HertzTag, double>;
using Seconds = Quantity<struct SecondsTag, double>;
using BytesPerSecond = Quantity<struct BytesPerSecondTag, double>;

/// "Not at any cycle that is known": later than all.
inline constexpr Cycles never{std::numeric_limits<std::int64_t>::max()};

namespace literals {
constexpr Cycles operator""_cycles(unsigned long long n) {
    return Cycles{static_cast<std::int64_t>(n)};
}
constexpr Bytes operator""_B(unsigned long long n) {
    return Bytes{static_cast<std::int64_t>(n)};
}
constexpr Bytes operator""_KiB(unsigned long long n) {
    return Bytes{static_cast<std::int64_t>(n) * 1024};
}
constexpr Bytes operator""_MiB(unsigned long long n) {
    return Bytes{static_cast<std::int64_t>(n) * 1024 * 1024};
}
}  // namespace literals

/// Beats, and so cycles, that `size` occupies a port which moves `width` a cycle: the last, partial
/// beat costs a full cycle.
[[nodiscard]] constexpr Cycles transfer_time(Bytes size, Bytes width) {
    return Cycles{ceil_div(size.count(), width.count())};
}

[[nodiscard]] constexpr Seconds duration(Cycles n, Hertz clock) {
    return Seconds{static_cast<double>(n.count()) / clock.count()};
}

/// Whole cycles that cover a time: a fraction counts as one.
[[nodiscard]] Cycles cycles_in(Seconds time, Hertz clock);

}  // namespace systole
