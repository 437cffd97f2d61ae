#include "sim/mapping/machine.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

namespace systole::mapping {
namespace {

using models::Dataflow;

Machine::Unit unit_of(Dataflow dataflow) {
    switch (dataflow) {
        case Dataflow::weight_stationary:
            return Machine::Unit::weight_stationary;
        case Dataflow::input_stationary:
            return Machine::Unit::input_stationary;
        case Dataflow::output_stationary:
            break;
    }
    return Machine::Unit::output_stationary;
}

}  // namespace

Machine::Machine(const models::ChipConfig& chip)
    : name{chip.name},
      cores{static_cast<int>(chip.cores)},
      scratchpad{chip.core.scratchpad.size.count()},
      width{chip.core.scratchpad.width.count()},
      alignment{std::min(width, std::int64_t{64})},
      vector{chip.core.vector} {
    if (const auto* systolic = std::get_if<models::SystolicConfig>(&chip.core.matrix)) {
        unit = unit_of(systolic->dataflow);
        formats = systolic->formats;
        rows = systolic->rows;
        cols = systolic->cols;
        accumulators = systolic->accumulators;
        weight_buffers = systolic->weight_buffers;
        pe_latency = systolic->pe.latency;
        trimmed = systolic->edge_tiles == models::EdgeTiles::trimmed;
    } else {
        const auto& simt = std::get<models::SimtConfig>(chip.core.matrix);
        unit = Unit::simt;
        formats = simt.formats;
        cols = simt.cols;
        accumulators = simt.accumulators;
        lanes = simt.lanes;
    }
    const std::int64_t link = chip.interconnect.width.count();
    const std::int64_t burst = chip.interconnect.burst.count();
    if (chip.memory.model == models::MemoryModel::bandwidth) {
        const BytesPerSecond bandwidth = chip.memory.bandwidth.value_or(BytesPerSecond{0});
        dram = {bandwidth.count() / chip.clock.count(), link,
                cycles_in(chip.memory.latency, chip.clock).count() + chip.interconnect.latency,
                burst};
    }
    if (chip.shared_sram) {
        const auto& sram = *chip.shared_sram;
        shared = {static_cast<double>(checked_multiply(sram.banks, sram.width.count())), link,
                  sram.latency + chip.interconnect.latency, burst};
        shared_size = sram.size.count();
    }
}

std::int64_t MemoryPath::cycles(std::int64_t bytes, int cores) const {
    if (bytes_per_cycle == 0) {
        return 0;
    }
    const double rate =
        std::min(bytes_per_cycle, static_cast<double>(link) * static_cast<double>(cores));
    return static_cast<std::int64_t>(std::ceil(static_cast<double>(bytes) / rate));
}

}  // namespace systole::mapping
