#include "models/core/program.hpp"

#include <cstddef>

namespace systole::models {
namespace {

template <class Names, class Enum>
const char* name_of(const Names& names, Enum value) {
    const auto index = static_cast<std::size_t>(value);
    SYSTOLE_ASSERT(index < names.size(), "an enumerator has no name");
    return names[index];
}

}  // namespace

const char* to_string(Milestone milestone) {
    static constexpr std::array<const char*, milestone_count> names{
        "loaded", "preloaded", "streamed", "summed", "computed", "stored"};
    return name_of(names, milestone);
}

const char* to_string(Cause cause) {
    static constexpr std::array<const char*, cause_count> names{
        "active",           "input_stall", "weight_stall", "weight_shift", "input_wait",
        "accumulator_wait", "result_wait", "buffer_wait",  "drain",        "idle"};
    return name_of(names, cause);
}

const char* to_string(VectorOp op) {
    static constexpr std::array<const char*, vector_op_count> names{
        "copy",    "scale",    "scale_columns", "add_columns", "add",  "multiply",
        "relu",    "relu6",    "sigmoid",       "tanh",        "gelu", "silu",
        "softmax", "max_pool", "average_pool",  "quantize"};
    return name_of(names, op);
}

const char* to_string(Queue queue) {
    static constexpr std::array<const char*, queue_count> names{"load", "matrix", "vector",
                                                                "store"};
    return name_of(names, queue);
}

}  // namespace systole::models
