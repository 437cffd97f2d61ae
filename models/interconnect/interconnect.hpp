#pragma once

#include "models/core/kernel.hpp"
#include "models/core/program.hpp"
#include "models/core/trace.hpp"
#include "models/memory/memory.hpp"
#include "models/memory/memory_config.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

namespace systole::models {

/// Between the DMA engines and the memories. Each core has a link to each memory, of `width` bytes
/// a cycle in each direction, `latency` cycles long. At a memory, requests are served in bursts,
/// and the ports that have one at its door take turns. A memory that takes no time has no link
/// either.
class Interconnect : public sc_core::sc_module {
public:
    /// A transfer is complete (its data in the core, or its write in the memory) at this cycle,
    /// which may lie ahead.
    using Done = std::function<void(std::int64_t transfer, Cycles)>;

    Interconnect(const sc_core::sc_module_name& name, const InterconnectConfig& config,
                 std::unique_ptr<Memory> dram, std::unique_ptr<Memory> shared, RunControl& control,
                 Trace* trace);

    /// A port that reads or writes over links of its own, `port_width` bytes a cycle at its core's
    /// end. Returns its number.
    int add_port(bool write, Bytes port_width, Done done);

    /// Requests a transfer at the present cycle, under a number of the caller's. True: it took no
    /// time and is complete already (`done` is not called).
    bool request(int port, Address address, Bytes size, std::int64_t transfer, int layer);

private:
    struct Request {
        Burst rest;      ///< what is still to be served; `arrival` is that of its next burst
        Cycles crossed;  ///< a write: when its first byte enters the link
        Bytes served;
    };
    struct Port {
        bool write = false;
        Bytes width;
        Done done;
        // By memory, to each of which the port has a link of its own: what one memory answers never
        // waits for the other.
        std::array<Cycles, 2> link_busy_until{};
        std::array<std::deque<Request>, 2> requests;
    };
    /// One memory and the turn-taking at its door.
    struct Door {
        std::unique_ptr<Memory> memory;
        std::size_t turn = 0;  ///< the port to look at first
        sc_core::sc_event look;
        Cycles look_at = never;
    };

    void serve_dram();
    void serve_shared();
    void serve(std::size_t door);
    void look_at(std::size_t door, Cycles cycle);
    [[nodiscard]] Cycles earliest_request(std::size_t door) const;
    [[nodiscard]] bool serve_next_port(std::size_t door, Cycles now);
    void serve_burst(std::size_t door, Port& port);
    [[nodiscard]] Cycles write_arrival(const Port& port, const Request& request) const;
    void answered(std::size_t door, const Burst& burst, Cycles last_byte);

    InterconnectConfig config_;
    std::array<Door, 2> doors_;
    std::vector<std::unique_ptr<Port>> ports_;
    RunControl& control_;
    Trace* trace_;
};

}  // namespace systole::models
