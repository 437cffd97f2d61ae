#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace systole::models {

/// What happened while a layer was run, on one core. Plain integers on the hot path; the table
/// `counter_table()` names them for every report.
struct Counters {
    std::int64_t macs = 0;             ///< useful multiply-accumulates
    std::int64_t rows_streamed = 0;    ///< rows of moving operand that entered an array
    std::int64_t stationary_rows = 0;  ///< rows of stationary operand shifted into an array
    std::int64_t scratchpad_read_bytes = 0;
    std::int64_t scratchpad_write_bytes = 0;
    std::int64_t scratchpad_reads = 0;  ///< accesses of one port width
    std::int64_t scratchpad_writes = 0;
    std::int64_t accumulator_reads = 0;   ///< 32-bit sums read
    std::int64_t accumulator_writes = 0;  ///< 32-bit sums written
    std::int64_t shared_read_bytes = 0;
    std::int64_t shared_write_bytes = 0;
    std::int64_t dram_read_bytes = 0;
    std::int64_t dram_write_bytes = 0;
    std::int64_t vector_elements = 0;    ///< elements that passed the vector unit
    std::int64_t vector_adds = 0;        ///< fp32 additions and comparisons in its lanes
    std::int64_t vector_multiplies = 0;  ///< fp32 multiplications in its lanes

    bool operator==(const Counters&) const = default;
    Counters& operator+=(const Counters& other);
};

struct CounterRow {
    std::int64_t Counters::*member;
    const char* name;
    const char* doc;
};
[[nodiscard]] const std::vector<CounterRow>& counter_table();

}  // namespace systole::models
