#include "models/base/schema.hpp"
#include "models/sram/sram.hpp"

namespace systole::models {
namespace {

template <class C>
void describe_banks(Schema<C>& schema, const char* banks) {
    schema.field("size", &C::size, "capacity of all banks together")
        .required()
        .range(Bytes{1}, Bytes{std::int64_t{1} << 40});
    schema.field("banks", &C::banks, banks).range(1, 65536);
    schema.field("width", &C::width, "one word: what a port moves in a cycle")
        .range(Bytes{1}, Bytes{65536});
}

}  // namespace

void describe(Schema<SramConfig>& schema) {
    describe_banks(schema, "parts of it, one of which an access takes the energy of");
}

void describe(Schema<SharedSramConfig>& schema) {
    using C = SharedSramConfig;
    describe_banks(schema, "parts of it that answer a word a cycle each");
    schema.field("latency", &C::latency, "cycles from a request to its first word")
        .range(0, 1'000'000);
}

}  // namespace systole::models
