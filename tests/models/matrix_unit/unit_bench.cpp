#include "tests/models/matrix_unit/unit_bench.hpp"

#include "models/sram/sram.hpp"
#include "tests/support/systemc.hpp"

#include <algorithm>
#include <functional>
#include <sstream>
#include <systemc>

namespace systole::test {
namespace {

using namespace models;

/// The matrix queue of a sequencer, with delays in place of waits.
class QueueDriver : public sc_core::sc_module {
public:
    QueueDriver(const sc_core::sc_module_name& name, const std::vector<Issue>& program,
                RunControl& control, std::vector<std::int64_t>& issued)
        : sc_module{name},
          program_{program},
          control_{control},
          issued_{issued} {
        SC_HAS_PROCESS(QueueDriver);
        SC_METHOD(dispatch);
        sensitive << look_;
    }

    void drive(Unit& unit) { unit_ = &unit; }
    void look_again() { look_.notify(sc_core::SC_ZERO_TIME); }

private:
    void dispatch() {
        control_.guard([&] { issue(); });
    }
    void issue() {
        while (next_ < program_.size()) {
            const Issue& head = program_[next_];
            const Cycles due = last_ + Cycles{head.delay};
            if (present_cycle() < due) {
                unit_->set_waiting(head.cause);
                look_.notify(at_cycle(due - present_cycle()));
                return;
            }
            if (!unit_->can_accept()) {
                return;
            }
            last_ = present_cycle();
            issued_.push_back(last_.count());
            ++next_;
            unit_->accept(head.instruction);
        }
        unit_->set_waiting(Cause::idle);
    }

    const std::vector<Issue>& program_;
    RunControl& control_;
    std::vector<std::int64_t>& issued_;
    Unit* unit_ = nullptr;
    std::size_t next_ = 0;
    Cycles last_;
    sc_core::sc_event look_{"look"};
};

void keep_spans(const Trace& trace, Outcome& outcome) {
    for (const auto& [lane, spans] : trace.lanes()) {
        for (const auto& span : spans) {
            outcome.spans[lane].emplace_back(span.name, span.from.count(), span.to.count());
        }
    }
}

}  // namespace

std::int64_t Outcome::last(Milestone milestone) const {
    std::int64_t cycle = -1;
    for (const auto& [at, what] : milestones) {
        cycle = what == milestone ? at : cycle;
    }
    return cycle;
}

Outcome run(const Rig& rig, Fidelity fidelity, const std::vector<Issue>& program,
            const PeArrayMaker& rtl) {
    constexpr std::int64_t idle_tail = 5;
    const SystemCContext fresh;
    const bool values = !rig.scratchpad.empty();
    Sram scratchpad{{.size = Bytes{static_cast<std::int64_t>(rig.scratchpad.size())},
                     .banks = 4,
                     .width = Bytes{rig.width}},
                    values};
    if (values) {
        std::ranges::copy(
            rig.scratchpad,
            scratchpad.bytes(0, static_cast<std::int64_t>(rig.scratchpad.size())).begin());
    }
    Accumulators accumulators{rig.accumulator_rows, rig.accumulator_cols, values};
    Program views;
    views.views = rig.views;
    std::vector<Counters> counters(1);
    RunControl control;
    Trace trace;
    Outcome outcome;
    QueueDriver driver{"driver", program, control, outcome.issued};
    CoreContext context{.core = 0,
                        .program = &views,
                        .counters = &counters,
                        .scratchpad = &scratchpad,
                        .accumulators = &accumulators,
                        .values = values,
                        .trace = &trace,
                        .control = &control,
                        .reached =
                            [&](Milestone milestone) {
                                outcome.milestones.emplace_back(present_cycle().count(), milestone);
                            },
                        .accepts_again = [&] { driver.look_again(); }};
    const auto unit = make_matrix_unit("matrix", rig.config, fidelity, context, rig.wave, rtl);
    driver.drive(*unit);
    sc_core::sc_start();
    control.rethrow();
    outcome.end = present_cycle().count();
    sc_core::sc_start(at_cycle(Cycles{idle_tail}));
    unit->settle();
    outcome.settled = present_cycle().count();
    outcome.ledger = unit->ledger();
    outcome.counters = counters.front();
    outcome.idle = unit->idle();
    for (std::int64_t row = 0; values && row < rig.accumulator_rows; ++row) {
        const auto cells = accumulators.row(row);
        outcome.sums.emplace_back(cells.begin(), cells.end());
    }
    keep_spans(trace, outcome);
    return outcome;
}

std::string to_text(const Outcome& outcome) {
    std::ostringstream text;
    text << "issued";
    for (const auto cycle : outcome.issued) {
        text << ' ' << cycle;
    }
    text << "\nmilestones";
    for (const auto& [cycle, milestone] : outcome.milestones) {
        text << ' ' << to_string(milestone) << '@' << cycle;
    }
    text << "\nledger";
    for (std::size_t cause = 0; cause < cause_count; ++cause) {
        const auto spent = outcome.ledger.by_cause()[cause].count();
        if (spent != 0) {
            text << ' ' << to_string(static_cast<Cause>(cause)) << '=' << spent;
        }
    }
    text << "\nend " << outcome.end << " idle " << outcome.idle << '\n';
    return text.str();
}

}  // namespace systole::test
