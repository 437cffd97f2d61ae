#include "sim/mapping/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace systole::mapping {
namespace {

/// Tensors begin at multiples of a cache line.
constexpr std::int64_t line = 64;

bool stays_on_chip(const Graph& graph, const NetworkPlan& plan, std::size_t tensor) {
    return plan.kept[tensor].has_value() && graph.tensors[tensor].role == Tensor::Role::activation;
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

Layout lay_out(const Graph& graph, const models::ChipConfig& chip, const NetworkPlan& plan,
               const std::vector<Uses>& uses) {
    Layout layout;
    layout.placements.resize(graph.tensors.size());
    std::optional<Arena> shared;
    if (chip.shared_sram) {
        shared.emplace(chip.shared_sram->size.count(), line);
    }
    std::int64_t fixed = 0;
    std::vector<std::size_t> spilled;
    for (const std::size_t i : by_traffic(graph, uses)) {
        const Tensor& tensor = graph.tensors[i];
        if (stays_on_chip(graph, plan, i)) {
            layout.placements[i] = {Placement::Home::scratchpad, plan.kept[i].value_or(0)};
            continue;
        }
        if (tensor.role != Tensor::Role::activation || uses[i].producer < 0) {
            continue;
        }
        const auto address =
            shared ? shared->find(tensor.bytes(), uses[i].first(), uses[i].last()) : std::nullopt;
        if (address) {
            shared->hold(*address, tensor.bytes(), uses[i].first(), uses[i].last());
            layout.placements[i] = {Placement::Home::shared, *address};
        } else {
            spilled.push_back(i);
        }
    }
    // What the user gives and gets lies in front, in the order of the graph.
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const Tensor& tensor = graph.tensors[i];
        if (tensor.role != Tensor::Role::activation || uses[i].producer < 0) {
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
    layout.shared_used = Bytes{shared ? shared->high_water() : 0};
    check_size(graph, chip, layout.dram_used.count());
    return layout;
}

}  // namespace systole::mapping
