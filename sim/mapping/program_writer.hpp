#pragma once

#include "models/core/program.hpp"
#include "sim/mapping/access_map.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace systole::mapping {

/// A range of addresses that an instruction reads or writes.
struct Access {
    enum class Place { scratchpad, accumulators, dram, shared };
    Place place = Place::scratchpad;
    std::int64_t first = 0;
    std::int64_t end = 0;
    models::Cause cause{};  ///< what waiting for it is called
    bool write = false;
    std::int64_t generation = 0;  ///< of a write, see AccessMap

    static Access reads(Place place, std::int64_t first, std::int64_t size, models::Cause cause) {
        return {place, first, first + size, cause, false, 0};
    }
    static Access writes(Place place, std::int64_t first, std::int64_t size, models::Cause cause,
                         std::int64_t generation) {
        return {place, first, first + size, cause, true, generation};
    }
};

/// Writes the programs of all cores as if one instruction ran after the other, and gives each the
/// waits that keep this meaning when all the queues run at once.
class ProgramWriter {
public:
    /// `too_many(layer)` is called, and must throw, when the instructions exceed `limit`.
    /// Interrupted is thrown when `stop` becomes true.
    ProgramWriter(int cores, std::int64_t limit, std::function<void(int)> too_many,
                  const std::atomic<bool>* stop);

    void add(int core, models::Instruction instruction, std::span<const Access> accesses);

    /// The index of `view` in the program of `core`.
    [[nodiscard]] int view(int core, const models::ConvView& view);
    /// A number for a content that has not been written before.
    [[nodiscard]] std::int64_t new_generation() { return ++generations_; }
    [[nodiscard]] std::vector<models::Program> take() { return std::move(programs_); }

private:
    using Counts = std::array<std::int64_t, models::milestone_count>;

    [[nodiscard]] AccessMap& map(int core, Access::Place place);
    [[nodiscard]] Moment end_of(int core, const models::Instruction& instruction,
                                Access::Place place) const;
    void note(int core, models::Queue queue, models::Instruction& instruction,
              const std::vector<Moment>& after, models::Cause cause);

    struct Core {
        AccessMap scratchpad;
        AccessMap accumulators;
        Counts counts{};
        /// What each queue has waited for already, of each core.
        std::array<std::vector<Counts>, models::queue_count> waited;
    };

    std::vector<models::Program> programs_;
    std::vector<Core> cores_;
    AccessMap dram_;
    AccessMap shared_;
    std::int64_t generations_ = 0;
    std::int64_t instructions_ = 0;
    std::int64_t limit_;
    std::function<void(int)> too_many_;
    const std::atomic<bool>* stop_;
};

[[nodiscard]] models::Queue queue_of(const models::Instruction& instruction);

}  // namespace systole::mapping
