#pragma once

#include "models/base/units.hpp"
#include "models/core/program.hpp"
#include "models/memory/memory_config.hpp"
#include "models/sram/sram.hpp"

#include <cstdint>
#include <functional>
#include <memory>

namespace systole::models {

/// A piece of a transfer as a memory serves it: contiguous bytes.
struct Burst {
    std::int64_t address = 0;
    Bytes size{};
    bool write = false;
    Cycles arrival{};  ///< when the memory can have it, at the earliest
    // Whose it is: for the interconnect alone.
    int port = 0;
    std::int64_t transfer = 0;
    bool last = false;  ///< of its transfer
    int layer = 0;
};

/// Memory behind the interconnect. It takes bursts one after another, in the order in which the
/// interconnect's arbiter offers them, and answers each once with the cycle in which its last byte
/// has crossed the memory's port.
class Memory {
public:
    /// (burst, cycle of its last byte); may be called ahead of that cycle, and from within take().
    using Answer = std::function<void(const Burst&, Cycles)>;

    virtual ~Memory() = default;
    Memory() = default;
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    void on_answer(Answer answer) { answer_ = std::move(answer); }

    /// The first cycle in which another burst can be taken.
    [[nodiscard]] virtual Cycles free_at() const = 0;
    virtual void take(const Burst& burst) = 0;

protected:
    void answer(const Burst& burst, Cycles last_byte) { answer_(burst, last_byte); }

private:
    Answer answer_;
};

/// A pipe of so many bytes a second behind a fixed latency. Its time is kept in exact fractions of
/// a cycle: a burst of B bytes takes B · clock / bandwidth cycles.
class BandwidthMemory : public Memory {
public:
    /// `bandwidth` and `clock` are taken as whole numbers of bytes and cycles per second.
    BandwidthMemory(BytesPerSecond bandwidth, Hertz clock, Cycles latency);

    [[nodiscard]] Cycles free_at() const override;
    void take(const Burst& burst) override;

private:
    // A 128-bit count of 1 / bandwidth parts of a cycle: exact for every size that can occur.
    __extension__ using Ticks = __int128;

    std::int64_t ticks_per_cycle_;  ///< the bandwidth, in bytes per second
    std::int64_t ticks_per_byte_;   ///< the clock, in cycles per second
    Cycles latency_;
    Ticks busy_until_ = 0;
};

/// The model that `config` names, or null for one that takes no time.
[[nodiscard]] std::unique_ptr<Memory> make_memory(const MemoryConfig& config, Hertz clock);
[[nodiscard]] std::unique_ptr<Memory> make_shared_sram(const SharedSramConfig& config);

}  // namespace systole::models
