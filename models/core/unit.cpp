#include "models/core/unit.hpp"

namespace systole::models {

Unit::Unit(const sc_core::sc_module_name& name, CoreContext& context)
    : sc_module{name},
      context_{context} {
    SC_HAS_PROCESS(Unit);
    SC_METHOD(wake);
    sensitive << due_;
    dont_initialize();
}

bool Unit::can_accept() {
    bring_to_present();
    reschedule();
    return latch_free();
}

void Unit::accept(const Instruction& instruction) {
    at_present([&] { latch(instruction, present_cycle()); });
}

void Unit::set_waiting(Cause cause) {
    at_present([&] { waiting_ = cause; });
}

void Unit::settle() {
    bring_to_present();
    reschedule();
}

CycleLedger Unit::ledger_at(Cycles now) const {
    CycleLedger account = ledger_;
    SYSTOLE_ASSERT(now >= booked_, "an account is asked for the past");
    if (now > booked_) {
        book(account, booked_, now);
    }
    return account;
}

void Unit::book(CycleLedger& ledger, Cycles from, Cycles to) const {
    ledger.add(cause_, to - from);
}

void Unit::wake() {
    wake_at_ = never;
    context_.control->guard([&] { settle(); });
}

void Unit::bring_to_present() {
    const Cycles now = present_cycle();
    if (now > booked_) {
        book(ledger_, booked_, now);
        booked_ = now;
    }
    advance(now);
}

void Unit::reschedule() {
    cause_ = cause_now();
    const Cycles next = next_event();
    if (next == wake_at_) {
        return;
    }
    due_.cancel();
    wake_at_ = next;
    if (next != never) {
        due_.notify(at_cycle(next - present_cycle()));
    }
}

}  // namespace systole::models
