#pragma once

#include "models/base/units.hpp"
#include "models/chip_config.hpp"
#include "models/core/counters.hpp"
#include "models/technology/technology.hpp"

#include <array>
#include <cmath>
#include <limits>

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

/// What an action costs that no published figure is known of. A sum with it is not known either.
inline constexpr Picojoules unknown_energy{std::numeric_limits<double>::quiet_NaN()};
[[nodiscard]] inline bool known(Picojoules energy) {
    return !std::isnan(energy.count());
}

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

    /// Of what was counted while multiplying in `format`. That of the MACs is unknown when the
    /// technology has no published energy for that format.
    [[nodiscard]] Energy of(const models::Counters& counters, numerics::Format format) const;

private:
    models::Technology technology_;
    Picojoules scratchpad_access_;
    Picojoules accumulator_access_;
    Picojoules shared_byte_;
    Picojoules dram_byte_;
    models::OperationEnergy vector_;
};

}  // namespace systole
