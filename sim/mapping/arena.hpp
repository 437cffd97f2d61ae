#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace systole::mapping {

/// Free bytes [first, end).
struct Gap {
    std::int64_t first = 0;
    std::int64_t end = 0;
};

/// Addresses of a memory, each held over a run of operators [from, to], both included.
class Arena {
public:
    /// `size`: absent when unlimited. Addresses are multiples of `alignment`.
    Arena(std::optional<std::int64_t> size, std::int64_t alignment);

    /// The lowest address that is free for `size` bytes during [from, to].
    [[nodiscard]] std::optional<std::int64_t> find(std::int64_t size, int from, int to) const;
    void hold(std::int64_t address, std::int64_t size, int from, int to);

    /// What is free at one operator, lowest first; the size must be known.
    [[nodiscard]] std::vector<Gap> gaps(int at) const;
    /// The end of the highest address ever held.
    [[nodiscard]] std::int64_t high_water() const;

private:
    struct Held {
        std::int64_t first = 0;
        std::int64_t end = 0;
        int from = 0;
        int to = 0;
    };

    std::int64_t size_;
    std::int64_t alignment_;
    std::vector<Held> held_;  ///< ordered by `first`
};

/// Takes `size` bytes from the first gap that has them; the gap shrinks.
[[nodiscard]] std::optional<std::int64_t> take(std::vector<Gap>& gaps, std::int64_t size);

/// `gaps` without `taken`; what is left begins at multiples of `alignment`.
[[nodiscard]] std::vector<Gap> without(const std::vector<Gap>& gaps, const Gap& taken,
                                       std::int64_t alignment);

[[nodiscard]] std::int64_t align_up(std::int64_t value, std::int64_t alignment);

}  // namespace systole::mapping
