#pragma once

#include "models/core/program.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace systole::models {

/// How far each core has come. Counts only grow, so whether a wait is met does not depend on the
/// order in which the processes of one moment look.
class Scoreboard {
public:
    /// Called with the core, the milestone and its new count.
    using Listener = std::function<void(int, Milestone, std::int64_t)>;

    explicit Scoreboard(std::size_t cores) : counts_(cores) {}

    void listen(Listener listener) { listeners_.push_back(std::move(listener)); }

    void reached(int core, Milestone milestone) {
        const std::int64_t count = ++slot(core, milestone);
        for (const auto& listener : listeners_) {
            listener(core, milestone, count);
        }
    }
    [[nodiscard]] std::int64_t count(int core, Milestone milestone) const {
        return counts_[static_cast<std::size_t>(core)][static_cast<std::size_t>(milestone)];
    }
    [[nodiscard]] bool met(const Wait& wait) const {
        return count(wait.core, wait.milestone) >= wait.count;
    }

private:
    [[nodiscard]] std::int64_t& slot(int core, Milestone milestone) {
        return counts_[static_cast<std::size_t>(core)][static_cast<std::size_t>(milestone)];
    }

    std::vector<std::array<std::int64_t, milestone_count>> counts_;
    std::vector<Listener> listeners_;
};

}  // namespace systole::models
