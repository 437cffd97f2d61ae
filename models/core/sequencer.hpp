#pragma once

#include "models/core/program.hpp"
#include "models/core/scoreboard.hpp"
#include "models/core/unit.hpp"

#include <array>
#include <functional>
#include <string>
#include <systemc>

namespace systole::models {

/// Hands the instructions of a core's four queues to its units: each queue in order, an instruction
/// when all that it waits for has been reached and the unit's latch is free.
class Sequencer : public sc_core::sc_module {
public:
    using Units = std::array<Unit*, queue_count>;
    /// Called when an instruction is handed over.
    using Issued = std::function<void(const Instruction&)>;

    Sequencer(const sc_core::sc_module_name& name, int core, const Program& program,
              const Scoreboard& scoreboard, const Units& units, RunControl& control, Issued issued);

    /// Something that the heads of the queues may wait for has happened at the present cycle.
    void look_again();
    /// The same, if a head waits for that core.
    void look_again_at(int core);

    [[nodiscard]] bool finished() const;
    /// What each unfinished queue waits for, one line a queue.
    [[nodiscard]] std::string state() const;

private:
    void dispatch();
    void dispatch_queue(std::size_t queue);
    [[nodiscard]] const Wait* unmet_wait(const Instruction& instruction) const;

    int core_;
    const Program& program_;
    const Scoreboard& scoreboard_;
    Units units_;
    RunControl& control_;
    Issued issued_;
    std::array<std::size_t, queue_count> next_{};
    std::array<int, queue_count> waits_for_core_{};  ///< of the head, or -1
    sc_core::sc_event look_{"look"};
};

}  // namespace systole::models
