#pragma once

#include "models/base/units.hpp"

namespace systole::models {

/// Array time counts the cycles in which an array's clock is enabled. It stands still in the cycles
/// between the first and the last row of a stream in which no row is there. Rows of `slice` bytes
/// come packed through a port of `width` bytes a cycle, so that row t enters at
///   entry(t) = s + ⌈(t + 1)·slice / width⌉ − ⌈slice / width⌉   or, if slice ≤ width,   s + t.
/// All in closed form; what lies before the present stream is no longer known.
class ArrayTime {
public:
    /// A stream of `rows` rows, the first of which enters at `start`, after the end of the last.
    void begin_stream(Cycles start, std::int64_t rows, std::int64_t slice, std::int64_t width);

    /// Enabled cycles before cycle `t`.
    [[nodiscard]] std::int64_t at(Cycles t) const;
    /// The first cycle before which `enabled` cycles were enabled. For array times before the
    /// present stream's, which lie in the past, some cycle that is not later than its start.
    [[nodiscard]] Cycles cycle_of(std::int64_t enabled) const;

    [[nodiscard]] bool streaming(Cycles t) const { return t >= start_ && t < end_; }
    /// Rows that enter in [from, to).
    [[nodiscard]] std::int64_t entries(Cycles from, Cycles to) const {
        return entries_before(to) - entries_before(from);
    }
    [[nodiscard]] Cycles start() const { return start_; }
    /// The cycle after the last row of the present stream has entered.
    [[nodiscard]] Cycles end() const { return end_; }

private:
    [[nodiscard]] Cycles entry(std::int64_t row) const;
    [[nodiscard]] std::int64_t entries_before(Cycles t) const;

    Cycles start_;
    Cycles end_;
    std::int64_t enabled_before_ = 0;  ///< array time at start_
    std::int64_t rows_ = 0;
    std::int64_t slice_ = 0;
    std::int64_t width_ = 1;
};

}  // namespace systole::models
