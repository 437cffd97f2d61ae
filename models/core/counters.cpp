#include "models/core/counters.hpp"

#include "models/base/units.hpp"

namespace systole::models {

Counters& Counters::operator+=(const Counters& other) {
    for (const auto& row : counter_table()) {
        this->*row.member = checked_add(this->*row.member, other.*row.member);
    }
    return *this;
}

const std::vector<CounterRow>& counter_table() {
    using C = Counters;
    static const std::vector<CounterRow> table{
        {&C::macs, "macs", "useful multiply-accumulates"},
        {&C::rows_streamed, "rows_streamed", "rows of moving operand that entered an array"},
        {&C::stationary_rows, "stationary_rows",
         "rows of stationary operand shifted into an array"},
        {&C::scratchpad_read_bytes, "scratchpad_read_bytes", "bytes read from the scratchpads"},
        {&C::scratchpad_write_bytes, "scratchpad_write_bytes", "bytes written to the scratchpads"},
        {&C::scratchpad_reads, "scratchpad_reads", "scratchpad words read"},
        {&C::scratchpad_writes, "scratchpad_writes", "scratchpad words written"},
        {&C::accumulator_reads, "accumulator_reads", "32-bit sums read from the accumulators"},
        {&C::accumulator_writes, "accumulator_writes", "32-bit sums written to the accumulators"},
        {&C::shared_read_bytes, "shared_read_bytes", "bytes read from the shared SRAM"},
        {&C::shared_write_bytes, "shared_write_bytes", "bytes written to the shared SRAM"},
        {&C::dram_read_bytes, "dram_read_bytes", "bytes read from main memory"},
        {&C::dram_write_bytes, "dram_write_bytes", "bytes written to main memory"},
        {&C::vector_elements, "vector_elements", "elements that passed the vector units"},
        {&C::vector_adds, "vector_adds", "fp32 additions and comparisons of the vector lanes"},
        {&C::vector_multiplies, "vector_multiplies", "fp32 multiplications of the vector lanes"},
    };
    return table;
}

}  // namespace systole::models
