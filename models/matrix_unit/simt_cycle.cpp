#include "models/matrix_unit/pe_kernel.hpp"
#include "models/matrix_unit/simt.hpp"
#include "models/matrix_unit/sums.hpp"
#include "models/matrix_unit/tile_values.hpp"
#include "models/sram/sram.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <type_traits>

namespace systole::models {

void SimtCycle::begin(Cycles now) {
    cycle_ = now;
    i_ = 0;
    k_ = 0;
    j_ = 0;
    context().count(*running()).macs += stream().macs;
    if (context().values) {
        with_element(context().view(*running()).format, [&](auto zero) {
            using Element = decltype(zero);
            elements_ = Elements<Element>{
                .row = std::vector<Element>(static_cast<std::size_t>(stream().west.depth)),
                .column = std::vector<Element>(static_cast<std::size_t>(stream().north.rows))};
        });
    }
    begin_step();
}

void SimtCycle::advance(Cycles now) {
    while (running() != nullptr && cycle_ < now) {
        run_beat();
    }
}

std::int64_t SimtCycle::lanes_now() const {
    return std::min(config().lanes, stream().north.rows - j_);
}

void SimtCycle::begin_step() {
    step_ = simt_step(lanes_now(), stream().accumulate || k_ > 0, element(), width());
    beats_left_ = step_.beats();
}

void SimtCycle::run_beat() {
    cycle_ += Cycles{1};
    if (--beats_left_ > 0) {
        return;
    }
    count_step();
    if (context().values) {
        look_up();
        multiply_add();
    }
    const Stream& tile = stream();
    j_ += lanes_now();
    if (j_ == tile.north.rows) {
        j_ = 0;
        ++k_;
    }
    if (k_ == tile.west.depth) {
        k_ = 0;
        ++i_;
    }
    if (i_ == tile.west.rows) {
        finish(cycle_);
    } else {
        begin_step();
    }
}

void SimtCycle::count_step() {
    Counters& counters = context().count(*running());
    const std::int64_t lanes = lanes_now();
    const std::int64_t sum_bytes = lanes * static_cast<std::int64_t>(sizeof(std::uint32_t));
    counters.scratchpad_reads += step_.west + step_.north + step_.sums_read;
    counters.scratchpad_writes += step_.sums_written;
    counters.scratchpad_read_bytes +=
        element() + lanes * element() + (step_.sums_read > 0 ? sum_bytes : 0);
    counters.scratchpad_write_bytes += sum_bytes;
}

void SimtCycle::look_up() {
    std::visit(
        [&](auto& elements) {
            if (k_ == 0 && j_ == 0) {
                reader(stream().west).row(i_, std::span{elements.row});
            }
            if (j_ == 0) {
                reader(stream().north).column(k_, std::span{elements.column});
            }
        },
        elements_);
}

void SimtCycle::multiply_add() {
    const auto cells = context().accumulators->row(stream().sums.row + i_);
    std::visit(
        [&](const auto& elements) {
            using Element = typename std::decay_t<decltype(elements.row)>::value_type;
            const Element factor = elements.row[static_cast<std::size_t>(k_)];
            const auto end = static_cast<std::size_t>(j_ + lanes_now());
            for (auto j = static_cast<std::size_t>(j_); j < end; ++j) {
                const auto held =
                    step_.sums_read > 0 ? std::bit_cast<Sum<Element>>(cells[j]) : Sum<Element>{};
                const auto product = static_cast<Sum<Element>>(factor * elements.column[j]);
                cells[j] = arrived(0, held + product, false, {});
            }
        },
        elements_);
}

}  // namespace systole::models
