#include "sim/mapping/arena.hpp"

#include "models/base/units.hpp"

#include <algorithm>
#include <limits>

namespace systole::mapping {

std::int64_t align_up(std::int64_t value, std::int64_t alignment) {
    return checked_multiply(ceil_div(value, alignment), alignment);
}

Arena::Arena(std::optional<std::int64_t> size, std::int64_t alignment)
    : size_{size.value_or(std::numeric_limits<std::int64_t>::max())},
      alignment_{alignment} {}

std::optional<std::int64_t> Arena::find(std::int64_t size, int from, int to) const {
    std::int64_t address = 0;
    for (const Held& held : held_) {
        if (held.to < from || to < held.from) {
            continue;
        }
        if (checked_add(address, size) <= held.first) {
            break;
        }
        address = std::max(address, align_up(held.end, alignment_));
    }
    if (checked_add(address, size) > size_) {
        return std::nullopt;
    }
    return address;
}

void Arena::hold(std::int64_t address, std::int64_t size, int from, int to) {
    const Held fresh{address, checked_add(address, size), from, to};
    const auto place =
        std::upper_bound(held_.begin(), held_.end(), fresh,
                         [](const Held& a, const Held& b) { return a.first < b.first; });
    held_.insert(place, fresh);
}

std::vector<Gap> Arena::gaps(int at) const {
    std::vector<Gap> free;
    std::int64_t address = 0;
    for (const Held& held : held_) {
        if (at < held.from || held.to < at) {
            continue;
        }
        if (held.first > address) {
            free.push_back({address, held.first});
        }
        address = std::max(address, align_up(held.end, alignment_));
    }
    if (size_ > address) {
        free.push_back({address, size_});
    }
    return free;
}

std::int64_t Arena::high_water() const {
    std::int64_t end = 0;
    for (const Held& held : held_) {
        end = std::max(end, held.end);
    }
    return end;
}

std::optional<std::int64_t> take(std::vector<Gap>& gaps, std::int64_t size) {
    for (Gap& gap : gaps) {
        if (gap.end - gap.first >= size) {
            const std::int64_t address = gap.first;
            gap.first += size;
            return address;
        }
    }
    return std::nullopt;
}

std::vector<Gap> without(const std::vector<Gap>& gaps, const Gap& taken, std::int64_t alignment) {
    std::vector<Gap> left;
    for (const Gap& gap : gaps) {
        if (taken.end <= gap.first || gap.end <= taken.first || taken.first >= taken.end) {
            left.push_back(gap);
            continue;
        }
        if (gap.first < taken.first) {
            left.push_back({gap.first, taken.first});
        }
        if (const std::int64_t next = align_up(taken.end, alignment); next < gap.end) {
            left.push_back({next, gap.end});
        }
    }
    return left;
}

}  // namespace systole::mapping
