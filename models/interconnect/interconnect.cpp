#include "models/interconnect/interconnect.hpp"

#include <algorithm>
#include <utility>

namespace systole::models {

Interconnect::Interconnect(const sc_core::sc_module_name& name, const InterconnectConfig& config,
                           std::unique_ptr<Memory> dram, std::unique_ptr<Memory> shared,
                           RunControl& control, Trace* trace)
    : sc_module{name},
      config_{config},
      control_{control},
      trace_{trace} {
    SC_HAS_PROCESS(Interconnect);
    doors_[0].memory = std::move(dram);
    doors_[1].memory = std::move(shared);
    for (std::size_t door = 0; door < doors_.size(); ++door) {
        if (doors_[door].memory) {
            doors_[door].memory->on_answer(
                [this, door](const Burst& b, Cycles last) { answered(door, b, last); });
        }
    }
    SC_METHOD(serve_dram);
    sensitive << doors_[0].look;
    dont_initialize();
    SC_METHOD(serve_shared);
    sensitive << doors_[1].look;
    dont_initialize();
}

int Interconnect::add_port(bool write, Bytes port_width, Done done) {
    auto port = std::make_unique<Port>();
    port->write = write;
    port->width = std::min(config_.width, port_width);
    port->done = std::move(done);
    ports_.push_back(std::move(port));
    return static_cast<int>(ports_.size()) - 1;
}

bool Interconnect::request(int port_number, Address address, Bytes size, std::int64_t transfer,
                           int layer) {
    const auto door = static_cast<std::size_t>(address.space);
    if (!doors_[door].memory) {
        SYSTOLE_ASSERT(address.space == Space::dram,
                       "a transfer to a shared SRAM that is not there");
        return true;
    }
    Port& port = *ports_[static_cast<std::size_t>(port_number)];
    const Cycles now = present_cycle();
    Request request{.rest = {.address = address.offset,
                             .size = size,
                             .write = port.write,
                             .arrival = now + Cycles{config_.latency},
                             .port = port_number,
                             .transfer = transfer,
                             .layer = layer},
                    .crossed = {},
                    .served = {}};
    if (port.write) {
        request.crossed = std::max(now, port.link_busy_until[door]);
        port.link_busy_until[door] = request.crossed + transfer_time(size, port.width);
        request.rest.arrival = write_arrival(port, request);
    }
    look_at(door, std::max(request.rest.arrival, doors_[door].memory->free_at()));
    port.requests[door].push_back(request);
    return false;
}

/// The next burst of a write is at the door when all of it has crossed the link.
Cycles Interconnect::write_arrival(const Port& port, const Request& request) const {
    const Bytes crossed = request.served + std::min(config_.burst, request.rest.size);
    return request.crossed + transfer_time(crossed, port.width) + Cycles{config_.latency};
}

void Interconnect::serve_dram() {
    serve(0);
}

void Interconnect::serve_shared() {
    serve(1);
}

void Interconnect::serve(std::size_t door) {
    control_.guard([&] {
        doors_[door].look_at = never;
        const Cycles now = present_cycle();
        while (doors_[door].memory->free_at() <= now && serve_next_port(door, now)) {
        }
        const Cycles request = earliest_request(door);
        if (request != never) {
            look_at(door, std::max({request, doors_[door].memory->free_at(), now}));
        }
    });
}

void Interconnect::look_at(std::size_t door, Cycles cycle) {
    Door& d = doors_[door];
    if (cycle >= d.look_at) {
        return;
    }
    d.look.cancel();
    d.look_at = cycle;
    d.look.notify(at_cycle(cycle - present_cycle()));
}

Cycles Interconnect::earliest_request(std::size_t door) const {
    Cycles earliest = never;
    for (const auto& port : ports_) {
        if (!port->requests[door].empty()) {
            earliest = std::min(earliest, port->requests[door].front().rest.arrival);
        }
    }
    return earliest;
}

bool Interconnect::serve_next_port(std::size_t door, Cycles now) {
    Door& d = doors_[door];
    for (std::size_t i = 0; i < ports_.size(); ++i) {
        const std::size_t number = (d.turn + i) % ports_.size();
        Port& port = *ports_[number];
        if (!port.requests[door].empty() && port.requests[door].front().rest.arrival <= now) {
            d.turn = (number + 1) % ports_.size();
            serve_burst(door, port);
            return true;
        }
    }
    return false;
}

void Interconnect::serve_burst(std::size_t door, Port& port) {
    auto& queue = port.requests[door];
    Request& request = queue.front();
    Burst burst = request.rest;
    burst.size = std::min(config_.burst, request.rest.size);
    burst.last = burst.size == request.rest.size;
    if (burst.last) {
        queue.pop_front();
    } else {
        request.rest.address += burst.size.count();
        request.rest.size -= burst.size;
        request.served += burst.size;
        if (port.write) {
            request.rest.arrival = write_arrival(port, request);
        }
    }
    Memory& memory = *doors_[door].memory;
    const Cycles from = std::max(memory.free_at(), burst.arrival);
    memory.take(burst);
    if (trace_ != nullptr) {
        trace_->span(door == 0 ? "memory" : "shared_sram", burst.write ? "write" : "read",
                     burst.layer, from, memory.free_at());
    }
}

void Interconnect::answered(std::size_t door, const Burst& burst, Cycles last_byte) {
    Port& port = *ports_[static_cast<std::size_t>(burst.port)];
    Cycles complete = last_byte;
    if (!port.write) {
        // The data cuts through: it leaves the memory while it crosses the link, whichever is
        // slower.
        Cycles& busy_until = port.link_busy_until[door];
        busy_until = std::max(last_byte, std::max(busy_until, present_cycle()) +
                                             transfer_time(burst.size, port.width));
        complete = busy_until;
    }
    if (burst.last) {
        port.done(burst.transfer, complete + Cycles{config_.latency});
    }
}

}  // namespace systole::models
