#pragma once

#include "models/core/program.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace systole::test {

/// For each core and milestone, up to which count it is known to have been reached.
using Clock = std::vector<std::int64_t>;

/// An event: a place in a Clock and its count there.
struct Event {
    std::size_t key = 0;
    std::int64_t count = 0;  ///< 0: before the program
};

inline std::size_t key_of(int core, models::Milestone milestone) {
    return static_cast<std::size_t>(core) * models::milestone_count +
           static_cast<std::size_t>(milestone);
}

/// What is certain about the order of a program's events, from its waits and queues alone: vector
/// clocks, as race detectors have them.
class EventOrder {
public:
    explicit EventOrder(std::size_t cores)
        : keys_{cores * models::milestone_count},
          at_start_(cores * models::queue_count, Clock(keys_, 0)),
          known_at_(keys_) {}

    /// The clock at the start of the next instruction of a queue. All that it waits for must have
    /// been ended.
    const Clock& start(int core, models::Queue queue, const models::Instruction& instruction) {
        Clock& clock = at_start_[static_cast<std::size_t>(core) * models::queue_count +
                                 static_cast<std::size_t>(queue)];
        for (const models::Wait& wait : instruction.waits) {
            const std::size_t key = key_of(wait.core, wait.milestone);
            join(clock, known_at_[key][static_cast<std::size_t>(wait.count - 1)]);
            clock[key] = std::max(clock[key], wait.count);
        }
        return clock;
    }

    /// The instruction that started with `clock` reaches the next count of a milestone.
    Event end(int core, models::Milestone milestone, const Clock& clock) {
        auto& known = known_at_[key_of(core, milestone)];
        Clock all = clock;
        if (!known.empty()) {
            join(all, known.back());
        }
        known.push_back(std::move(all));
        return {key_of(core, milestone), static_cast<std::int64_t>(known.size())};
    }
    [[nodiscard]] std::int64_t reached(int core, models::Milestone milestone) const {
        return static_cast<std::int64_t>(known_at_[key_of(core, milestone)].size());
    }

private:
    static void join(Clock& clock, const Clock& other) {
        for (std::size_t i = 0; i < clock.size(); ++i) {
            clock[i] = std::max(clock[i], other[i]);
        }
    }

    std::size_t keys_;
    std::vector<Clock> at_start_;
    std::vector<std::vector<Clock>> known_at_;
};

/// The last write of a place and the reads since: finds accesses that no wait keeps apart.
class Guard {
public:
    /// Nothing when the read is ordered after the last write.
    [[nodiscard]] const char* read(const Clock& now, const Event& by) {
        const bool ordered = now[writer_.key] >= writer_.count;
        for (Event& reader : readers_) {
            if (reader.key == by.key) {
                reader.count = std::max(reader.count, by.count);
                return ordered ? nullptr : "is read before it is written";
            }
        }
        readers_.push_back(by);
        return ordered ? nullptr : "is read before it is written";
    }
    /// `in_unit`: the unit itself keeps this write behind the last one.
    [[nodiscard]] const char* write(const Clock& now, const Event& by, bool in_unit = false) {
        const char* fault = nullptr;
        if (!in_unit && now[writer_.key] < writer_.count) {
            fault = "is overwritten before it was written";
        }
        for (const Event& reader : readers_) {
            if (now[reader.key] < reader.count) {
                fault = "is overwritten while it is read";
            }
        }
        readers_.clear();
        writer_ = by;
        return fault;
    }

private:
    Event writer_;
    std::vector<Event> readers_;
};

}  // namespace systole::test
