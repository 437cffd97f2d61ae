#pragma once

#include "sim/workload/network.hpp"

#include <string>
#include <vector>

namespace systole {

/// One layer of a network whose repeats are written out, with its full name. Values are numbered:
/// the network's inputs first, in the order of `Topology::inputs`, then one for each layer.
struct TopologyLayer {
    const Layer* layer = nullptr;
    std::string name;
    std::vector<int> sources;  ///< the values it works on; -1 where a reference was at fault
};

struct TopologyInput {
    const NetworkInput* input = nullptr;
    std::string name;
};

/// Who reads whom. A name inside a repeat ends in the number of its iteration, and means the same
/// iteration when a layer of that iteration refers to it.
struct Topology {
    std::vector<TopologyInput> inputs;
    std::vector<TopologyLayer> layers;
    std::vector<int> uses;  ///< of each value: how many layers read it

    [[nodiscard]] int value_of_layer(std::size_t layer) const {
        return static_cast<int>(inputs.size() + layer);
    }
};

/// Records a fault for each name that is unknown, taken or missing.
[[nodiscard]] Topology make_topology(const Network& network, std::vector<Fault>& faults);

/// The word of a layer in the YAML: conv2d, max_pool, relu, …
[[nodiscard]] std::string op_of(const Layer& layer);

}  // namespace systole
