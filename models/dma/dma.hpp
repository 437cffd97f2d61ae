#pragma once

#include "models/core/unit.hpp"
#include "models/interconnect/interconnect.hpp"
#include "models/interconnect/memory_image.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>

namespace systole::models {

/// One direction of a core's DMA engine: Loads or Stores, strided tiles between a memory and the
/// scratchpad. Requests go out as they come; the transfers end in the order of the queue. Its latch
/// is always free: what keeps a Load back is the buffer it would overwrite.
class Dma : public Unit {
public:
    Dma(const sc_core::sc_module_name& name, Queue direction, CoreContext& context,
        Interconnect& interconnect, MemoryImage& image);

    [[nodiscard]] bool idle() const override { return transfers_.empty(); }

protected:
    void advance(Cycles now) override;
    void latch(const Instruction& instruction, Cycles now) override;
    [[nodiscard]] bool latch_free() const override { return true; }
    [[nodiscard]] Cycles next_event() const override;
    [[nodiscard]] Cause cause_now() const override;

private:
    struct Pending {
        const Instruction* instruction = nullptr;
        Cycles from;
        Cycles done = never;  ///< `never`: not known yet
    };

    void retire(const Pending& pending, Cycles now);
    void count(const Instruction& instruction);
    void move_bytes(const Instruction& instruction);
    void move_sums(const Store& store, const AccumulatorTile& sums);

    Queue direction_;
    Interconnect& interconnect_;
    MemoryImage& image_;
    int port_;
    std::deque<Pending> transfers_;
    std::int64_t retired_ = 0;
    Cycles lane_busy_until_;
};

}  // namespace systole::models
