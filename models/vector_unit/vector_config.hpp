#pragma once

#include "models/core/program.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace systole {
template <class C>
class Schema;
}

namespace systole::models {

/// An operation of a lane: an instruction pays `latency` once for it, and `interval` for each
/// element that a lane works on.
struct OperationTiming {
    std::int64_t latency = 1;
    std::int64_t interval = 1;

    bool operator==(const OperationTiming&) const = default;
};

/// The timing of every VectorOp, at the index of its enumerator.
using OperationTimings = std::array<OperationTiming, vector_op_count>;

/// What an operation costs where a chip says nothing else. A lane is one fp32 ALU of four pipeline
/// stages (as measured for the dependent issue of FFMA on Volta: Jia et al. 2018, arXiv:1804.06826)
/// that starts one fp32 operation a cycle: a multiply-add, comparison or conversion. `interval` is
/// the number of such operations on an element by the algorithms of `lane_work()`, each of which
/// needs the one before: `latency` is four times as many.
[[nodiscard]] OperationTimings default_timings();

struct VectorUnitConfig {
    std::optional<std::int64_t> lanes;  ///< absent (`unlimited`): the unit takes no time
    OperationTimings operations = default_timings();
};

void describe(Schema<VectorUnitConfig>& schema);

}  // namespace systole::models
