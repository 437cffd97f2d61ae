#include "models/core/kernel.hpp"

namespace systole::models {

Cycles present_cycle() {
    return Cycles{static_cast<std::int64_t>(sc_core::sc_time_stamp().value())};
}

sc_core::sc_time at_cycle(Cycles cycle) {
    return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(cycle.count()));
}

void silence_kernel() {
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO,
                                            sc_core::SC_DO_NOTHING);
}

}  // namespace systole::models
