#pragma once

#include "sim/mapping/plan.hpp"

#include <vector>

namespace systole::mapping {

/// The operators that make and use a tensor, by their index; −1: none makes it.
struct Uses {
    int producer = -1;
    std::vector<int> consumers;  ///< in order, each once

    [[nodiscard]] int first() const { return producer >= 0 ? producer : consumers.front(); }
    [[nodiscard]] int last() const {
        return consumers.empty() ? producer : std::max(producer, consumers.back());
    }
};
[[nodiscard]] std::vector<Uses> uses_of(const Graph& graph);

/// How every operator is run, and which tensors stay in the scratchpad in between.
struct NetworkPlan {
    std::vector<Site> sites;
    std::vector<LayerPlan> layers;
    std::vector<std::optional<std::int64_t>> kept;  ///< per tensor, the scratchpad address
};

/// Plans each operator by itself, then keeps on chip those tensors that save bytes, the ones that
/// save most first. Throws InputError when an operator fits in no way, and Interrupted.
[[nodiscard]] NetworkPlan plan_network(const Graph& graph, const Machine& machine,
                                       const std::vector<Uses>& uses,
                                       const std::atomic<bool>* stop);

}  // namespace systole::mapping
