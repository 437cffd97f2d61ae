#pragma once

#include "models/base/units.hpp"

#include <atomic>
#include <exception>
#include <systemc>
#include <utility>

namespace systole::models {

/// The present cycle. A cycle is the smallest step of the kernel's time, whatever the clock.
[[nodiscard]] Cycles present_cycle();
[[nodiscard]] sc_core::sc_time at_cycle(Cycles cycle);

/// Keeps the kernel from telling standard output that it was stopped.
void silence_kernel();

/// How a run ends early. Exceptions lose their type on the way through the SystemC kernel, so a
/// process hands them over here; whoever started the kernel throws them again.
class RunControl {
public:
    /// `stop`, when it becomes true, ends the run at the next event (or is null).
    explicit RunControl(const std::atomic<bool>* stop = nullptr) : stop_{stop} {}

    /// Runs the body of a process.
    template <class Body>
    void guard(Body body) {
        if (stop_requested()) {
            sc_core::sc_stop();
            return;
        }
        try {
            body();
        } catch (...) {
            if (!fault_) {
                fault_ = std::current_exception();
            }
            sc_core::sc_stop();
        }
    }

    [[nodiscard]] bool stop_requested() const {
        return stop_ != nullptr && stop_->load(std::memory_order_relaxed);
    }
    void rethrow() const {
        if (fault_) {
            std::rethrow_exception(fault_);
        }
    }

private:
    const std::atomic<bool>* stop_;
    std::exception_ptr fault_;
};

}  // namespace systole::models
