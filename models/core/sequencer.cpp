#include "models/core/sequencer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace systole::models {

Sequencer::Sequencer(const sc_core::sc_module_name& name, int core, const Program& program,
                     const Scoreboard& scoreboard, const Units& units, RunControl& control,
                     Issued issued)
    : sc_module{name},
      core_{core},
      program_{program},
      scoreboard_{scoreboard},
      units_{units},
      control_{control},
      issued_{std::move(issued)} {
    SC_HAS_PROCESS(Sequencer);
    waits_for_core_.fill(-1);
    SC_METHOD(dispatch);
    sensitive << look_;
}

void Sequencer::look_again() {
    look_.notify(sc_core::SC_ZERO_TIME);
}

void Sequencer::look_again_at(int core) {
    if (core == core_ || std::ranges::count(waits_for_core_, core) > 0) {
        look_again();
    }
}

bool Sequencer::finished() const {
    for (std::size_t q = 0; q < queue_count; ++q) {
        if (next_[q] < program_.queues[q].size() || !units_[q]->idle()) {
            return false;
        }
    }
    return true;
}

void Sequencer::dispatch() {
    control_.guard([&] {
        for (std::size_t q = 0; q < queue_count; ++q) {
            dispatch_queue(q);
        }
    });
}

void Sequencer::dispatch_queue(std::size_t queue) {
    const auto& instructions = program_.queues[queue];
    Unit& unit = *units_[queue];
    waits_for_core_[queue] = -1;
    while (next_[queue] < instructions.size()) {
        const Instruction& head = instructions[next_[queue]];
        if (const Wait* wait = unmet_wait(head); wait != nullptr) {
            waits_for_core_[queue] = wait->core;
            unit.set_waiting(wait->cause);
            return;
        }
        if (!unit.can_accept()) {
            return;
        }
        ++next_[queue];
        issued_(head);
        unit.accept(head);
    }
    unit.set_waiting(Cause::idle);
}

const Wait* Sequencer::unmet_wait(const Instruction& instruction) const {
    const auto found = std::ranges::find_if(
        instruction.waits, [&](const Wait& wait) { return !scoreboard_.met(wait); });
    return found == instruction.waits.end() ? nullptr : &*found;
}

std::string Sequencer::state() const {
    std::string text;
    for (std::size_t q = 0; q < queue_count; ++q) {
        const auto& instructions = program_.queues[q];
        const auto* name = to_string(static_cast<Queue>(q));
        if (next_[q] == instructions.size()) {
            if (!units_[q]->idle()) {
                text += fmt::format("  core {} {}: the unit has not finished\n", core_, name);
            }
            continue;
        }
        const Instruction& head = instructions[next_[q]];
        const Wait* wait = unmet_wait(head);
        text += fmt::format("  core {} {}: instruction {} of layer {} ", core_, name, next_[q],
                            head.layer);
        text += wait == nullptr ? std::string{"waits for its unit\n"}
                                : fmt::format("waits for {} {} of core {}, which is at {}\n",
                                              to_string(wait->milestone), wait->count, wait->core,
                                              scoreboard_.count(wait->core, wait->milestone));
    }
    return text;
}

}  // namespace systole::models
