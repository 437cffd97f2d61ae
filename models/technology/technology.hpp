#pragma once

#include "models/base/units.hpp"
#include "models/numerics/format.hpp"

#include <optional>
#include <string>
#include <vector>

namespace systole {
template <class C>
class Schema;
}

namespace systole::models {

/// One multiplication and one addition of numbers of a format.
struct OperationEnergy {
    Picojoules multiply;
    Picojoules add;
};

/// What is published of the arithmetic: a format that is absent has no published energy. Sums need
/// int32 and fp32.
struct OperationEnergies {
    std::optional<OperationEnergy> int8;
    OperationEnergy int32;
    std::optional<OperationEnergy> bf16;
    std::optional<OperationEnergy> fp16;
    OperationEnergy fp32;
};

/// One access of 64 bit to an SRAM of this size.
struct SramEnergy {
    Bytes size;
    Picojoules access;
};

/// 64 bit over the pins of a main memory, its interface included.
struct MemoryEnergy {
    std::optional<Picojoules> ddr;
    std::optional<Picojoules> hbm;
};

/// What an action costs in a process. Leakage, clocks, control, wires between units and the
/// registers of a PE are not published per action, and not in it.
struct Technology {
    std::string name;  ///< of its file
    std::string description;
    OperationEnergies operations;
    std::vector<SramEnergy> sram;  ///< by size, two at least
    MemoryEnergy memory;

    [[nodiscard]] std::optional<OperationEnergy> operation(numerics::Format format) const;

    /// Of a multiply-accumulate: the multiplication in `format`, the addition in the format of its
    /// accumulator. Empty when either is not published.
    [[nodiscard]] std::optional<Picojoules> mac(numerics::Format format) const;

    /// One access of 64 bit to an SRAM of `size` > 0: on a straight line, log energy over log size,
    /// through the two published sizes around it; outside of them, through the two nearest.
    [[nodiscard]] Picojoules sram_access(Bytes size) const;
};

void describe(Schema<OperationEnergy>& schema);
void describe(Schema<OperationEnergies>& schema);
void describe(Schema<SramEnergy>& schema);
void describe(Schema<MemoryEnergy>& schema);
void describe(Schema<Technology>& schema);

}  // namespace systole::models
