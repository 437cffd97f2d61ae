#pragma once

#include "models/base/scalar.hpp"
#include "models/core/program.hpp"

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

/// The timing of every VectorOp, under its word. Where a chip says nothing else, a lane is one fp32
/// ALU of four pipeline stages (as measured for the dependent issue of FFMA on Volta: Jia et al.
/// 2018, arXiv:1804.06826) that starts one fp32 operation a cycle: a multiply-add, comparison or
/// conversion. `interval` is the number of such operations on an element by the algorithms of
/// `lane_work()`, each of which needs the one before: `latency` is four times as many.
struct OperationTimings {
    OperationTimings();

    OperationTiming copy;
    OperationTiming scale;
    OperationTiming scale_columns;
    OperationTiming add_columns;
    OperationTiming add;
    OperationTiming multiply;
    OperationTiming relu;
    OperationTiming relu6;
    OperationTiming sigmoid;
    OperationTiming tanh;
    OperationTiming gelu;
    OperationTiming silu;
    OperationTiming softmax;
    OperationTiming max_pool;
    OperationTiming average_pool;
    OperationTiming quantize;

    [[nodiscard]] OperationTiming& operator[](VectorOp op);
    [[nodiscard]] const OperationTiming& operator[](VectorOp op) const;
    bool operator==(const OperationTimings&) const = default;
};

/// A number of lanes; without one (`unlimited` in YAML) the unit takes no time.
struct Lanes : std::optional<std::int64_t> {
    using std::optional<std::int64_t>::optional;

    bool operator==(const Lanes& other) const {
        return has_value() == other.has_value() && value_or(0) == other.value_or(0);
    }
};

struct VectorUnitConfig {
    Lanes lanes;
    OperationTimings operations;
};

void describe(Schema<OperationTiming>& schema);
void describe(Schema<OperationTimings>& schema);
void describe(Schema<VectorUnitConfig>& schema);

}  // namespace systole::models

template <>
struct systole::Scalar<systole::models::Lanes> : systole::PlainScalar<systole::models::Lanes> {};
