#pragma once

#include "models/base/units.hpp"
#include "models/base/words.hpp"

#include <cstdint>
#include <optional>

namespace systole {
template <class C>
class Schema;
}

namespace systole::models {

enum class MemoryModel {
    ideal,      ///< a transfer takes no time
    bandwidth,  ///< a fixed latency, then so many bytes per second, fully pipelined
};

/// What the chips of the memory are, for the energy of a bit.
enum class MemoryKind { ddr, hbm };

struct MemoryConfig {
    MemoryModel model = MemoryModel::bandwidth;
    MemoryKind kind = MemoryKind::ddr;
    std::optional<BytesPerSecond> bandwidth{};  ///< over the pins; required by `bandwidth`
    Seconds latency{};                          ///< from the request to its first byte
    std::optional<Bytes> size{};                ///< what fits; absent: unlimited
};

void describe(Schema<MemoryConfig>& schema);

/// Between the cores and the memories: a link of `width` bytes a cycle to and from each core.
/// Requests are cut into bursts; the bursts of the cores take turns at each memory.
struct InterconnectConfig {
    Bytes width{64};
    std::int64_t latency = 1;  ///< cycles from a memory to a core
    Bytes burst{4096};
};

void describe(Schema<InterconnectConfig>& schema);

}  // namespace systole::models

template <>
struct systole::Words<systole::models::MemoryModel> {
    using Model = models::MemoryModel;
    static constexpr Word<Model> table[] = {
        {Model::ideal, "ideal", "a transfer takes no time"},
        {Model::bandwidth, "bandwidth", "a fixed latency, then so many bytes per second"},
    };
};

template <>
struct systole::Words<systole::models::MemoryKind> {
    using Kind = models::MemoryKind;
    static constexpr Word<Kind> table[] = {
        {Kind::ddr, "ddr", "modules of DDR memory"},
        {Kind::hbm, "hbm", "stacks in the package"},
    };
};
