#include "models/memory/memory_config.hpp"

#include "models/base/schema.hpp"

namespace systole::models {

void describe(Schema<MemoryConfig>& schema) {
    using C = MemoryConfig;
    schema.field("model", &C::model, "how main memory takes time");
    schema.field("kind", &C::kind, "what its chips are, for the energy of a bit");
    schema
        .field("bandwidth", &C::bandwidth,
               "bytes per second over the pins; required by `model: bandwidth`")
        .range(BytesPerSecond{1.0}, BytesPerSecond{1e16})
        .check(
            [](const C& c) { return c.model != MemoryModel::bandwidth || c.bandwidth.has_value(); },
            "must be given for `model: bandwidth`");
    schema.field("latency", &C::latency, "from a request to its first byte")
        .range(Seconds{0.0}, Seconds{1.0});
    schema.field("size", &C::size, "capacity; without it there is no limit").at_least(Bytes{1});
}

void describe(Schema<InterconnectConfig>& schema) {
    using C = InterconnectConfig;
    schema.field("width", &C::width, "what a core's link moves in a cycle, in each direction")
        .range(Bytes{1}, Bytes{65536});
    schema.field("latency", &C::latency, "cycles from one end of a link to the other")
        .range(1, 1'000'000);
    schema
        .field("burst", &C::burst,
               "the piece of a transfer after which another core's transfer has its turn")
        .range(Bytes{1}, Bytes{std::int64_t{1} << 30});
}

}  // namespace systole::models
