#include "models/vector_unit/vector_config.hpp"

#include "models/vector_unit/lane_work.hpp"

namespace systole::models {

OperationTimings default_timings() {
    constexpr std::int64_t stages = 4;
    OperationTimings timings;
    for (std::size_t op = 0; op < timings.size(); ++op) {
        const auto operations = lane_work(static_cast<VectorOp>(op)).operations;
        timings[op] = {stages * operations, operations};
    }
    return timings;
}

}  // namespace systole::models
