#pragma once

#include "models/core/kernel.hpp"

#include <functional>
#include <map>
#include <systemc>
#include <utility>
#include <vector>

namespace systole::test {

/// Does things at given cycles of a simulation.
class Agenda : public sc_core::sc_module {
public:
    explicit Agenda(const sc_core::sc_module_name& name) : sc_module{name} {
        SC_HAS_PROCESS(Agenda);
        SC_METHOD(run);
        sensitive << due_;
    }

    void at(Cycles cycle, std::function<void()> action) {
        actions_[cycle].push_back(std::move(action));
    }

private:
    void run() {
        const Cycles now = models::present_cycle();
        if (const auto found = actions_.find(now); found != actions_.end()) {
            for (const auto& action : found->second) {
                action();
            }
        }
        if (const auto next = actions_.upper_bound(now); next != actions_.end()) {
            due_.notify(models::at_cycle(next->first - now));
        }
    }

    std::map<Cycles, std::vector<std::function<void()>>> actions_;
    sc_core::sc_event due_{"due"};
};

}  // namespace systole::test
