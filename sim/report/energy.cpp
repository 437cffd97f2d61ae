#include "sim/report/energy.hpp"

#include <algorithm>
#include <cstddef>
#include <variant>

namespace systole {
namespace {

using models::ChipConfig;
using models::Technology;

constexpr double bytes_of_64_bit = 8;

/// A count of actions times the energy of one.
Picojoules times(std::int64_t count, Picojoules each) {
    return static_cast<double>(count) * each;
}

Bytes bank_of(Bytes size, std::int64_t banks) {
    return Bytes{std::max<std::int64_t>(1, size.count() / banks)};
}

Bytes accumulator_bank(const models::MatrixConfig& matrix) {
    constexpr std::int64_t sum_bytes = 4;
    if (const auto* systolic = std::get_if<models::SystolicConfig>(&matrix)) {
        return Bytes{checked_multiply(systolic->accumulators, sum_bytes)};
    }
    const auto& simt = std::get<models::SimtConfig>(matrix);
    const auto sums = checked_multiply(simt.accumulators, simt.cols);
    return bank_of(Bytes{checked_multiply(sums, sum_bytes)}, simt.lanes);
}

Picojoules memory_access(const ChipConfig& chip, const Technology& technology) {
    const bool is_hbm = chip.memory.kind == models::MemoryKind::hbm;
    const auto& access = is_hbm ? technology.memory.hbm : technology.memory.ddr;
    if (!access) {
        const std::string kind = is_hbm ? "HBM" : "DDR memory";
        throw InputError{
            {{{technology.name, 0, 0},
              "there is no published energy for " + kind + ", which '" + chip.name + "' has",
              "name another file of configs/technology in the chip's 'technology'"}}};
    }
    return *access;
}

}  // namespace

const char* to_string(Component component) {
    constexpr std::array<const char*, component_count> names{
        "mac", "vector", "scratchpad", "accumulators", "shared_sram", "dram"};
    return names[static_cast<std::size_t>(component)];
}

Picojoules Energy::of(Component component) const {
    return by[static_cast<std::size_t>(component)];
}

Picojoules Energy::total() const {
    Picojoules sum;
    for (const auto energy : by) {
        sum += energy;
    }
    return sum;
}

Energy& Energy::operator+=(const Energy& other) {
    for (std::size_t i = 0; i < by.size(); ++i) {
        by[i] += other.by[i];
    }
    return *this;
}

EnergyModel::EnergyModel(const ChipConfig& chip, const Technology& technology)
    : technology_{technology},
      vector_{technology.operations.fp32} {
    const auto& scratchpad = chip.core.scratchpad;
    const double words = static_cast<double>(scratchpad.width.count()) / bytes_of_64_bit;
    scratchpad_access_ = words * technology.sram_access(bank_of(scratchpad.size, scratchpad.banks));
    accumulator_access_ = 0.5 * technology.sram_access(accumulator_bank(chip.core.matrix));
    if (chip.shared_sram) {
        const auto bank = bank_of(chip.shared_sram->size, chip.shared_sram->banks);
        shared_byte_ = 1 / bytes_of_64_bit * technology.sram_access(bank);
    }
    dram_byte_ = 1 / bytes_of_64_bit * memory_access(chip, technology);
}

Energy EnergyModel::of(const models::Counters& counters, numerics::Format format) const {
    Energy energy;
    const auto set = [&energy](Component component, Picojoules spent) {
        energy.by[static_cast<std::size_t>(component)] = spent;
    };
    if (counters.macs > 0) {
        set(Component::mac, times(counters.macs, technology_.mac(format).value_or(unknown_energy)));
    }
    set(Component::vector, times(counters.vector_multiplies, vector_.multiply) +
                               times(counters.vector_adds, vector_.add));
    set(Component::scratchpad,
        times(counters.scratchpad_reads + counters.scratchpad_writes, scratchpad_access_));
    set(Component::accumulators,
        times(counters.accumulator_reads + counters.accumulator_writes, accumulator_access_));
    set(Component::shared_sram,
        times(counters.shared_read_bytes + counters.shared_write_bytes, shared_byte_));
    set(Component::dram, times(counters.dram_read_bytes + counters.dram_write_bytes, dram_byte_));
    return energy;
}

}  // namespace systole
