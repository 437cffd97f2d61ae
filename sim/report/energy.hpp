#pragma once

#include "models/base/units.hpp"
#include "models/chip_config.hpp"
#include "models/core/counters.hpp"
#include "models/technology/technology.hpp"

#include <array>

namespace systole {

/// What spends energy.
enum class Component {
    mac,           ///< multiplications and additions of the matrix units
    vector,        ///< fp32 multiplications and additions of the vector lanes
    scratchpad,    ///< accesses to the scratchpads
    accumulators,  ///< sums written to and read from the accumulators
    shared_sram,   ///< accesses to the SRAM that the cores share
    dram,          ///< bits over the pins of main memory
};
inline constexpr int component_count = 6;
[[nodiscard]] const char* to_string(Component component);

/// Energy by component. Always added in the order of the components.
struct Energy {
    std::array<Picojoules, component_count> by{};

    [[nodiscard]] Picojoules of(Component component) const;
    [[nodiscard]] Picojoules total() const;
    Energy& operator+=(const Energy& other);
};

/// The energy of each action that a chip counts. An access to an SRAM costs what one of its banks
/// costs at the width of the access, in steps of 64 bit:
/// - scratchpad: width / 64 bit accesses to an SRAM of size / banks;
/// - shared SRAM: the same for each 64 bit moved;
/// - accumulators: half of such an access for each 32-bit sum. A bank is the column of sums below
///   one column of an array; the sums of one lane, in a simt unit.
class EnergyModel {
public:
    /// Throws InputError when the technology says nothing of the chip's main memory.
    EnergyModel(const models::ChipConfig& chip, const models::Technology& technology);

    /// Of what was counted while multiplying in `format`. Throws InputError when MACs were counted
    /// and the technology has no published energy for that format.
    [[nodiscard]] Energy of(const models::Counters& counters, numerics::Format format) const;

    /// Throws as `of` would, to learn it before a run.
    [[nodiscard]] Picojoules mac(numerics::Format format) const;

private:
    models::Technology technology_;
    Picojoules scratchpad_access_;
    Picojoules accumulator_access_;
    Picojoules shared_byte_;
    Picojoules dram_byte_;
    models::OperationEnergy vector_;
};

}  // namespace systole
