#include "sim/run/values.hpp"

#include "models/numerics/convert.hpp"
#include "sim/workload/random_values.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <variant>

namespace systole {
namespace {

/// Elements of a network that a person can reckon by hand.
constexpr std::int64_t by_hand = 64;

const Placement& placement(const Mapping& mapping, std::size_t id) {
    return mapping.placements[id];
}

/// Where a tensor lies, if it is outside of the cores.
std::optional<models::Address> address_of(const Placement& placement) {
    switch (placement.home) {
        case Placement::Home::dram:
            return models::Address{models::Space::dram, placement.address};
        case Placement::Home::shared:
            return models::Address{models::Space::shared, placement.address};
        case Placement::Home::scratchpad:
            break;
    }
    return std::nullopt;
}

/// Calls `write(index, value)` for each element of an input or a parameter.
template <class Write>
void for_each_value(const Tensor& tensor, std::uint64_t seed, Write write) {
    if (const auto* given = std::get_if<Given>(&tensor.source)) {
        for (std::size_t i = 0; i < given->values.size(); ++i) {
            write(i, given->values[i]);
        }
        return;
    }
    const double bound = std::get<Drawn>(tensor.source).bound;
    RandomValues random{seed, tensor.name};
    const auto count = static_cast<std::size_t>(elements(tensor.shape));
    for (std::size_t i = 0; i < count; ++i) {
        write(i, random.uniform(bound));
    }
}

/// When each tensor is written: by which operator, or -1 for what is there from the start.
std::vector<int> writers(const Graph& graph) {
    std::vector<int> writer(graph.tensors.size(), -1);
    for (std::size_t op = 0; op < graph.operators.size(); ++op) {
        writer[static_cast<std::size_t>(graph.operators[op].output)] = static_cast<int>(op);
    }
    return writer;
}

/// Whether a tensor that was written later has taken some of its place.
bool is_overwritten(const Graph& graph, const Mapping& mapping, const std::vector<int>& writer,
                    std::size_t id) {
    const Placement& own = placement(mapping, id);
    for (std::size_t other = 0; other < graph.tensors.size(); ++other) {
        const Placement& place = placement(mapping, other);
        if (writer[other] > writer[id] && place.home == own.home &&
            place.address < own.address + graph.tensors[id].bytes() &&
            own.address < place.address + graph.tensors[other].bytes()) {
            return true;
        }
    }
    return false;
}

bool is_by_hand(const Graph& graph) {
    std::int64_t all = 0;
    for (const auto& tensor : graph.tensors) {
        all = checked_add(all, elements(tensor.shape));
    }
    return all <= by_hand;
}

}  // namespace

void fill(models::MemoryImage& image, const Graph& graph, const Mapping& mapping,
          std::uint64_t seed) {
    for (std::size_t id = 0; id < graph.tensors.size(); ++id) {
        const auto& tensor = graph.tensors[id];
        const bool is_made =
            tensor.role == Tensor::Role::activation || tensor.role == Tensor::Role::output;
        if (is_made) {
            continue;
        }
        const auto address = address_of(placement(mapping, id));
        SYSTOLE_ASSERT(address.has_value(), "an input begins its life in a scratchpad");
        const auto bytes = image.bytes(*address, tensor.bytes());
        for_each_value(tensor, seed, [&](std::size_t i, double value) {
            numerics::store_bits(tensor.format, bytes, i,
                                 numerics::from_double(tensor.format, value / tensor.step));
        });
    }
}

std::vector<TensorValues> read_back(models::MemoryImage& image, const Graph& graph,
                                    const Mapping& mapping) {
    std::vector<TensorValues> all;
    const bool everything = is_by_hand(graph);
    const auto writer = writers(graph);
    for (std::size_t id = 0; id < graph.tensors.size(); ++id) {
        const auto& tensor = graph.tensors[id];
        const auto address = address_of(placement(mapping, id));
        if (!address || !(everything || tensor.role == Tensor::Role::output) ||
            is_overwritten(graph, mapping, writer, id)) {
            continue;
        }
        const auto bytes = image.bytes(*address, tensor.bytes());
        TensorValues read{tensor.name, tensor.role, tensor.shape, tensor.format, tensor.step, {}};
        const auto count = static_cast<std::size_t>(elements(tensor.shape));
        read.values.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            const auto bits = numerics::load_bits(tensor.format, bytes, i);
            read.values.push_back(tensor.step * numerics::to_double(tensor.format, bits));
        }
        all.push_back(std::move(read));
    }
    return all;
}

bool is_small(const Graph& graph, const Mapping& mapping) {
    constexpr std::int64_t most_macs = 1'000'000;
    constexpr Bytes most_memory{std::int64_t{16} << 20};
    std::int64_t macs = 0;
    for (const auto& op : graph.operators) {
        macs = checked_add(macs, op.macs);
    }
    return macs <= most_macs && mapping.dram_used + mapping.shared_used <= most_memory;
}

}  // namespace systole
