#include "sim/mapping/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace systole::mapping {
namespace {

/// Tensors begin at multiples of a cache line.
constexpr std::int64_t line = 64;

using Places = std::vector<std::optional<std::int64_t>>;

/// Given or made for the user: it has its place in front of the main memory.
bool is_fixed(const Graph& graph, const std::vector<Uses>& uses, std::size_t tensor) {
    return graph.tensors[tensor].role != Tensor::Role::activation || uses[tensor].producer < 0;
}

/// The tensors in the order in which they choose their place.
std::vector<std::size_t> by_traffic(const Graph& graph, const std::vector<Uses>& uses) {
    std::vector<std::size_t> order(graph.tensors.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto traffic = [&](std::size_t i) {
        return checked_multiply(graph.tensors[i].bytes(),
                                1 + static_cast<std::int64_t>(uses[i].consumers.size()));
    };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::tuple{-traffic(a), a} < std::tuple{-traffic(b), b};
    });
    return order;
}

void check_size(const Graph& graph, const models::ChipConfig& chip, std::int64_t used) {
    if (!chip.memory.size || used <= chip.memory.size->count()) {
        return;
    }
    const auto largest =
        std::max_element(graph.tensors.begin(), graph.tensors.end(),
                         [](const Tensor& a, const Tensor& b) { return a.bytes() < b.bytes(); });
    const SourceLocation where =
        graph.operators.empty() ? SourceLocation{} : graph.operators.front().where;
    throw InputError{
        {{where,
          fmt::format("network '{}' does not fit the memory of chip '{}': its tensors take {} "
                      "bytes, {} more than there are",
                      graph.name, chip.name, used, used - chip.memory.size->count()),
          fmt::format("enlarge memory.size; the largest tensor is '{}' with {} bytes",
                      largest->name, largest->bytes())}}};
}

}  // namespace

Places share_out(const Graph& graph, std::int64_t size, const Places& kept,
                 const std::vector<Uses>& uses) {
    Places places(graph.tensors.size());
    Arena shared{size, line};
    for (const std::size_t i : by_traffic(graph, uses)) {
        if (size == 0 || kept[i] || is_fixed(graph, uses, i)) {
            continue;
        }
        const std::int64_t bytes = graph.tensors[i].bytes();
        if (const auto address = shared.find(bytes, uses[i].first(), uses[i].last())) {
            shared.hold(*address, bytes, uses[i].first(), uses[i].last());
            places[i] = address;
        }
    }
    return places;
}

Layout lay_out(const Graph& graph, const models::ChipConfig& chip, const NetworkPlan& plan,
               const std::vector<Uses>& uses) {
    Layout layout;
    layout.placements.resize(graph.tensors.size());
    const Places shared =
        share_out(graph, chip.shared_sram ? chip.shared_sram->size.count() : 0, plan.kept, uses);
    std::int64_t fixed = 0;
    std::int64_t shared_used = 0;
    std::vector<std::size_t> spilled;
    for (const std::size_t i : by_traffic(graph, uses)) {
        const Tensor& tensor = graph.tensors[i];
        if (is_fixed(graph, uses, i)) {
            continue;
        }
        const auto& kept = plan.kept[i];
        const auto& address = shared[i];
        if (kept) {
            layout.placements[i] = {Placement::Home::scratchpad, *kept};
        } else if (address) {
            layout.placements[i] = {Placement::Home::shared, *address};
            shared_used = std::max(shared_used, *address + tensor.bytes());
        } else {
            spilled.push_back(i);
        }
    }
    // What the user gives and gets lies in front, in the order of the graph.
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const Tensor& tensor = graph.tensors[i];
        if (is_fixed(graph, uses, i)) {
            layout.placements[i] = {Placement::Home::dram, fixed};
            fixed = align_up(checked_add(fixed, tensor.bytes()), line);
        }
    }
    Arena dram{std::nullopt, line};
    for (const std::size_t i : spilled) {
        const std::int64_t bytes = graph.tensors[i].bytes();
        const std::int64_t address = dram.find(bytes, uses[i].first(), uses[i].last()).value_or(0);
        dram.hold(address, bytes, uses[i].first(), uses[i].last());
        layout.placements[i] = {Placement::Home::dram, checked_add(fixed, address)};
    }
    layout.dram_used = Bytes{checked_add(fixed, dram.high_water())};
    layout.shared_used = Bytes{shared_used};
    check_size(graph, chip, layout.dram_used.count());
    return layout;
}

}  // namespace systole::mapping
