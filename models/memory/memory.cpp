#include "models/memory/memory.hpp"

#include <algorithm>
#include <cmath>

namespace systole::models {

BandwidthMemory::BandwidthMemory(BytesPerSecond bandwidth, Hertz clock, Cycles latency)
    : ticks_per_cycle_{std::llround(bandwidth.count())},
      ticks_per_byte_{std::llround(clock.count())},
      latency_{latency} {
    SYSTOLE_ASSERT(ticks_per_cycle_ > 0 && ticks_per_byte_ > 0, "a memory without a rate");
}

Cycles BandwidthMemory::free_at() const {
    return Cycles{
        static_cast<std::int64_t>((busy_until_ + ticks_per_cycle_ - 1) / ticks_per_cycle_)};
}

void BandwidthMemory::take(const Burst& burst) {
    const Ticks arrival = static_cast<Ticks>(burst.arrival.count()) * ticks_per_cycle_;
    busy_until_ =
        std::max(busy_until_, arrival) + static_cast<Ticks>(burst.size.count()) * ticks_per_byte_;
    answer(burst, free_at() + latency_);
}

std::unique_ptr<Memory> make_memory(const MemoryConfig& config, Hertz clock) {
    if (config.model == MemoryModel::ideal) {
        return nullptr;
    }
    return std::make_unique<BandwidthMemory>(config.bandwidth.value(), clock,
                                             cycles_in(config.latency, clock));
}

std::unique_ptr<Memory> make_shared_sram(const SharedSramConfig& config) {
    // One cycle of "a second" that is one cycle long: banks · width bytes in each.
    const auto rate = static_cast<double>(checked_multiply(config.banks, config.width.count()));
    return std::make_unique<BandwidthMemory>(BytesPerSecond{rate}, Hertz{1.0},
                                             Cycles{config.latency});
}

}  // namespace systole::models
