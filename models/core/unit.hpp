#pragma once

#include "models/base/ledger.hpp"
#include "models/core/counters.hpp"
#include "models/core/kernel.hpp"
#include "models/core/program.hpp"

#include <functional>
#include <systemc>
#include <vector>

namespace systole::models {

class Accumulators;
class Sram;
class Trace;

/// What every unit of a core works on. Owned by the Core.
struct CoreContext {
    int core = 0;
    const Program* program = nullptr;
    std::vector<Counters>* counters = nullptr;  ///< one per layer
    Sram* scratchpad = nullptr;
    Accumulators* accumulators = nullptr;
    bool values = false;     ///< carry the numbers, not only the time
    Trace* trace = nullptr;  ///< or null
    RunControl* control = nullptr;
    std::function<void(Milestone)> reached;  ///< one more of it, at the present cycle
    std::function<void()> accepts_again;     ///< the latch of a unit has become free

    [[nodiscard]] Counters& count(const Instruction& instruction) const {
        return (*counters)[static_cast<std::size_t>(instruction.layer)];
    }
    [[nodiscard]] const ConvView& view(const Instruction& instruction) const {
        return program->views[static_cast<std::size_t>(instruction.view)];
    }
};

using CycleLedger = Ledger<Cause, cause_count>;

/// A unit that one queue of a core feeds: it takes one instruction at a time into its latch and
/// works on it as soon as it can. Time is whole cycles; the state "at cycle t" is the state before
/// cycle t has run. Nothing that a unit does depends on the order in which SystemC runs the
/// processes of one moment: every entry point first brings the unit to the present cycle, and what
/// a unit is told at cycle t it knows in cycle t.
class Unit : public sc_core::sc_module {
public:
    Unit(const sc_core::sc_module_name& name, CoreContext& context);

    /// The latch is free.
    [[nodiscard]] bool can_accept();
    /// Latches `instruction`; all that it waits for has been reached. The reference stays valid
    /// until the end of the run.
    void accept(const Instruction& instruction);
    /// While the latch is empty: what the head of the queue waits for (`idle`: the queue is empty).
    void set_waiting(Cause cause);
    /// Brings the unit to the present cycle; its ledger is then complete up to here.
    void settle();
    /// The account up to `now`, no later than the present cycle, when nothing has happened since.
    [[nodiscard]] CycleLedger ledger_at(Cycles now) const;
    [[nodiscard]] const CycleLedger& ledger() const { return ledger_; }
    /// All accepted work is done.
    [[nodiscard]] virtual bool idle() const = 0;

protected:
    /// Brings the state to cycle `now`, and posts the milestones that fall on `now`. None can lie
    /// before it: next_event() has the unit woken for each.
    virtual void advance(Cycles now) = 0;
    /// Takes the instruction; starts it if it can start at `now`.
    virtual void latch(const Instruction& instruction, Cycles now) = 0;
    [[nodiscard]] virtual bool latch_free() const = 0;
    /// The next cycle at which the unit must be advanced though nobody calls it; `never` if none.
    [[nodiscard]] virtual Cycles next_event() const = 0;
    /// What the cycles from the present one on are spent on, until the next event or call.
    [[nodiscard]] virtual Cause cause_now() const = 0;
    /// Books the cycles [from, to), during which no event fell. The state is that of
    /// before advance(to).
    virtual void book(CycleLedger& ledger, Cycles from, Cycles to) const;

    /// What set_waiting() said last.
    [[nodiscard]] Cause waiting() const { return waiting_; }
    [[nodiscard]] const CoreContext& context() const { return context_; }

    /// For what happens to a unit from outside its queue (a memory's answer): brings the unit to
    /// the present cycle, runs `change`, and reschedules.
    template <class Change>
    void at_present(Change change) {
        bring_to_present();
        change();
        reschedule();
    }

private:
    void wake();
    void bring_to_present();
    void reschedule();

    CoreContext& context_;
    CycleLedger ledger_;
    Cycles booked_;
    Cause cause_ = Cause::idle;
    Cause waiting_ = Cause::idle;
    sc_core::sc_event due_{"due"};
    Cycles wake_at_ = never;
};

}  // namespace systole::models
