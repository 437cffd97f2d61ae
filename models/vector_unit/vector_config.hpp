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

/// An operation of a lane: its first result after `latency` cycles, a further one every `interval`.
struct OperationTiming {
    std::int64_t latency = 1;
    std::int64_t interval = 1;
};

struct VectorUnitConfig {
    std::optional<std::int64_t> lanes;  ///< absent (`unlimited`): the unit takes no time
    std::array<OperationTiming, vector_op_count> operations{};
};

void describe(Schema<VectorUnitConfig>& schema);

}  // namespace systole::models
