#include "models/matrix_unit/array_time.hpp"

#include <algorithm>

namespace systole::models {

void ArrayTime::begin_stream(Cycles start, std::int64_t rows, std::int64_t slice,
                             std::int64_t width) {
    SYSTOLE_ASSERT(start >= end_, "a stream begins within another");
    SYSTOLE_ASSERT(checked_multiply(rows, slice) <= never.count() - 2 * width,
                   "the bytes of a stream overflow");
    enabled_before_ = at(start);
    start_ = start;
    rows_ = rows;
    slice_ = slice;
    width_ = width;
    end_ = entry(rows - 1) + Cycles{1};
}

Cycles ArrayTime::entry(std::int64_t row) const {
    if (slice_ <= width_) {
        return start_ + Cycles{row};
    }
    return start_ + Cycles{ceil_div((row + 1) * slice_, width_) - ceil_div(slice_, width_)};
}

/// Rows t with entry(t) < t: (t + 1)·slice ≤ (cycles since s − 1 + ⌈slice / width⌉)·width.
std::int64_t ArrayTime::entries_before(Cycles t) const {
    if (t <= start_) {
        return 0;
    }
    if (t >= end_) {
        return rows_;
    }
    const std::int64_t passed = (t - start_).count();
    if (slice_ <= width_) {
        return passed;
    }
    return (passed - 1 + ceil_div(slice_, width_)) * width_ / slice_;
}

std::int64_t ArrayTime::at(Cycles t) const {
    if (t <= start_) {
        return enabled_before_ - (start_ - t).count();
    }
    const std::int64_t after = std::max(std::int64_t{0}, (t - end_).count());
    return enabled_before_ + entries_before(t) + after;
}

Cycles ArrayTime::cycle_of(std::int64_t enabled) const {
    const std::int64_t since = enabled - enabled_before_;
    if (since <= 0) {
        return start_ + Cycles{since};
    }
    if (since <= rows_) {
        return entry(since - 1) + Cycles{1};
    }
    return end_ + Cycles{since - rows_};
}

}  // namespace systole::models
