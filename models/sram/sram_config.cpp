#include "models/base/schema.hpp"
#include "models/sram/sram.hpp"

namespace systole::models {
namespace {

constexpr Bytes largest_sram{std::int64_t{1} << 40};
constexpr Bytes widest_word{std::int64_t{1} << 16};

}  // namespace

void describe(Schema<SramConfig>& schema) {
    using C = SramConfig;
    schema.field("size", &C::size, "capacity of all banks together")
        .required()
        .range(Bytes{1}, largest_sram);
    schema.field("banks", &C::banks, "over which the words lie round-robin").range(1, 65536);
    schema.field("width", &C::width, "one word: what each unit's port moves in a cycle")
        .range(Bytes{1}, widest_word);
}

void describe(Schema<SharedSramConfig>& schema) {
    using C = SharedSramConfig;
    schema.field("size", &C::size, "capacity of all banks together")
        .required()
        .range(Bytes{1}, largest_sram);
    schema.field("banks", &C::banks, "that answer one word each in a cycle").range(1, 65536);
    schema.field("width", &C::width, "one word of a bank").range(Bytes{1}, widest_word);
    schema.field("latency", &C::latency, "cycles from a request to its first word")
        .range(0, 1'000'000);
}

}  // namespace systole::models
