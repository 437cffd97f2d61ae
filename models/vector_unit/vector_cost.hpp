#pragma once

#include "models/sram/sram.hpp"
#include "models/vector_unit/vector_config.hpp"

#include <cstdint>

namespace systole::models {

/// What an instruction of the vector unit takes: a matter of shapes and formats, never of values.
struct VectorCost {
    Cycles duration;
    std::int64_t scratchpad_reads = 0;  ///< beats of the port
    std::int64_t scratchpad_writes = 0;
    Bytes scratchpad_read_bytes;
    Bytes scratchpad_write_bytes;
    std::int64_t accumulator_reads = 0;
    std::int64_t elements = 0;  ///< elements of the target
    std::int64_t adds = 0;
    std::int64_t multiplies = 0;
};

/// duration = max(compute, read, write), at least 1, and 0 without a limit on the lanes;
/// compute = Σ over steps of latency + ⌈elements / lanes⌉ · interval, a pool's elements being all
/// those of its windows, padding included; read = Σ ⌈bytes / width⌉ over the source and the
/// operands in the scratchpad, or one row of sums a cycle from the accumulators;
/// write = ⌈bytes / width⌉. `view` is the geometry of a pool, else null.
[[nodiscard]] VectorCost cost_of(const Vector& vector, const ConvView* view,
                                 const VectorUnitConfig& config, const SramConfig& scratchpad);

}  // namespace systole::models
