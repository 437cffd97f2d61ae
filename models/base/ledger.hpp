#pragma once

#include "models/base/units.hpp"

#include <array>
#include <cstddef>

namespace systole {

/// Where a unit's cycles went: each cycle under exactly one cause.
template <class Cause, std::size_t Causes>
class Ledger {
public:
    void add(Cause cause, Cycles n) {
        SYSTOLE_ASSERT(n >= Cycles{0}, "a unit's time runs backwards");
        spent_[static_cast<std::size_t>(cause)] += n;
    }

    [[nodiscard]] Cycles spent(Cause cause) const {
        return spent_[static_cast<std::size_t>(cause)];
    }
    [[nodiscard]] Cycles total() const {
        Cycles sum;
        for (const auto cycles : spent_) {
            sum += cycles;
        }
        return sum;
    }
    [[nodiscard]] const std::array<Cycles, Causes>& by_cause() const { return spent_; }
    bool operator==(const Ledger&) const = default;
    Ledger& operator+=(const Ledger& other) {
        for (std::size_t i = 0; i < Causes; ++i) {
            spent_[i] += other.spent_[i];
        }
        return *this;
    }
    /// What was spent between this account and a later one of the same unit.
    [[nodiscard]] Ledger until(const Ledger& later) const {
        Ledger between = later;
        for (std::size_t i = 0; i < Causes; ++i) {
            between.spent_[i] -= spent_[i];
        }
        return between;
    }

private:
    std::array<Cycles, Causes> spent_{};
};

}  // namespace systole
