#include "models/dma/dma.hpp"

#include "models/sram/sram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <variant>

namespace systole::models {
namespace {

const Transfer& transfer_of(const Instruction& instruction) {
    if (const auto* load = std::get_if<Load>(&instruction.work)) {
        return load->transfer;
    }
    return std::get<Store>(instruction.work).transfer;
}

}  // namespace

Dma::Dma(const sc_core::sc_module_name& name, Queue direction, CoreContext& context,
         Interconnect& interconnect, MemoryImage& image)
    : Unit{name, context},
      direction_{direction},
      interconnect_{interconnect},
      image_{image},
      port_{interconnect.add_port(
          direction == Queue::store, context.scratchpad->config().width,
          [this](std::int64_t transfer, Cycles cycle) {
              // Only a completion time becomes known: no state of the present cycle changes.
              transfers_[static_cast<std::size_t>(transfer - retired_)].done = cycle;
              settle();
          })} {}

void Dma::advance(Cycles now) {
    while (!transfers_.empty() && transfers_.front().done <= now) {
        retire(transfers_.front(), now);
        transfers_.pop_front();
        ++retired_;
    }
}

void Dma::latch(const Instruction& instruction, Cycles now) {
    const Transfer& transfer = transfer_of(instruction);
    const auto number = retired_ + static_cast<std::int64_t>(transfers_.size());
    transfers_.push_back({&instruction, now});
    count(instruction);
    if (interconnect_.request(port_, transfer.memory, transfer.size(), number, instruction.layer)) {
        transfers_.back().done = now;
        advance(now);
    }
}

Cycles Dma::next_event() const {
    return transfers_.empty() ? never : transfers_.front().done;
}

Cause Dma::cause_now() const {
    return transfers_.empty() ? waiting() : Cause::active;
}

void Dma::retire(const Pending& pending, Cycles now) {
    if (context().values) {
        move_bytes(*pending.instruction);
    }
    if (context().trace != nullptr) {
        const auto* lane = direction_ == Queue::load ? "load" : "store";
        context().trace->span(fmt::format("core{}.{}", context().core, lane), lane,
                              pending.instruction->layer, std::max(pending.from, lane_busy_until_),
                              now);
        lane_busy_until_ = now;
    }
    context().reached(direction_ == Queue::load ? Milestone::loaded : Milestone::stored);
}

void Dma::count(const Instruction& instruction) {
    Counters& counters = context().count(instruction);
    const Transfer& transfer = transfer_of(instruction);
    const std::int64_t size = transfer.size().count();
    const bool dram = transfer.memory.space == Space::dram;
    const std::int64_t beats = context().scratchpad->beats(transfer.size());
    if (direction_ == Queue::load) {
        (dram ? counters.dram_read_bytes : counters.shared_read_bytes) += size;
        counters.scratchpad_write_bytes += size;
        counters.scratchpad_writes += beats;
        return;
    }
    (dram ? counters.dram_write_bytes : counters.shared_write_bytes) += size;
    const auto& sums = std::get<Store>(instruction.work).sums;
    if (sums) {
        counters.accumulator_reads += checked_multiply(sums->rows, sums->cols);
    } else {
        counters.scratchpad_read_bytes += size;
        counters.scratchpad_reads += beats;
    }
}

void Dma::move_bytes(const Instruction& instruction) {
    const auto* store = std::get_if<Store>(&instruction.work);
    if (store != nullptr && store->sums) {
        move_sums(*store, *store->sums);
        return;
    }
    const Transfer& t = transfer_of(instruction);
    for (std::int64_t i = 0; i < t.runs; ++i) {
        const auto outside =
            image_.bytes({t.memory.space, t.memory.offset + i * t.memory_stride}, t.run);
        const auto inside = context().scratchpad->bytes(t.local + i * t.local_stride, t.run);
        if (direction_ == Queue::load) {
            std::ranges::copy(outside, inside.begin());
        } else {
            std::ranges::copy(inside, outside.begin());
        }
    }
}

void Dma::move_sums(const Store& store, const AccumulatorTile& sums) {
    const Transfer& t = store.transfer;
    const std::int64_t runs = store.transposed ? sums.cols : sums.rows;
    const std::int64_t length = store.transposed ? sums.rows : sums.cols;
    SYSTOLE_ASSERT(t.runs == runs && t.run == 4 * length, "a store that is not its sums' size");
    for (std::int64_t i = 0; i < runs; ++i) {
        const auto outside =
            image_.bytes({t.memory.space, t.memory.offset + i * t.memory_stride}, t.run);
        for (std::int64_t j = 0; j < length; ++j) {
            const auto row = context().accumulators->row(sums.row + (store.transposed ? j : i));
            const std::uint32_t sum = row[static_cast<std::size_t>(store.transposed ? i : j)];
            std::memcpy(&outside[static_cast<std::size_t>(4 * j)], &sum, sizeof sum);
        }
    }
}

}  // namespace systole::models
