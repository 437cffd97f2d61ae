#pragma once

#include <algorithm>
#include <cstdint>

namespace systole::models {

/// A port that fetches packed slices of a stream from the scratchpad, a beat of `width` bytes a
/// cycle. The first slice is kept until it is taken; from then on the port runs ahead by at most a
/// beat.
class Port {
public:
    Port() = default;
    Port(std::int64_t slice, std::int64_t slices, std::int64_t width)
        : slice_{slice},
          width_{width},
          left_{slice * slices} {}

    /// The next slice is complete with the beat of this cycle.
    [[nodiscard]] bool complete() const {
        return held_ >= slice_ || held_ + std::min(width_, left_) >= slice_;
    }
    /// The beat of this cycle.
    void fetch() {
        if (held_ < slice_ + (taken_ ? width_ : 0)) {
            const std::int64_t beat = std::min(width_, left_);
            held_ += beat;
            left_ -= beat;
        }
    }
    void take() {
        held_ -= slice_;
        taken_ = true;
    }

private:
    std::int64_t slice_ = 0;
    std::int64_t width_ = 1;
    std::int64_t left_ = 0;
    std::int64_t held_ = 0;
    bool taken_ = false;
};

}  // namespace systole::models
