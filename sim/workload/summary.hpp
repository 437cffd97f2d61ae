#pragma once

#include "sim/workload/graph.hpp"

#include <string>
#include <vector>

namespace systole {

/// What is known of a network without simulating it. Sizes in bytes are those of the tensors in
/// their formats; what really moves depends on the chip.
struct Summary {
    struct Layer {
        std::string name;
        std::string op;
        Shape output_shape;
        std::int64_t parameters = 0;  ///< trained numbers
        std::int64_t macs = 0;
        Bytes weights;  ///< of all parameters, bias and batch-norm included
        Bytes input;
        Bytes output;

        [[nodiscard]] Bytes activations() const { return input + output; }
    };

    std::string name;
    std::string description;
    std::vector<Layer> layers;
    Layer total;  ///< its name is "total"; sums over the layers
};

[[nodiscard]] Summary summarize(const Graph& graph);

/// The table that `systole show WORKLOAD` prints.
[[nodiscard]] std::string to_table(const Summary& summary);

/// The same as JSON, schema systole.summary/1.
[[nodiscard]] std::string to_json(const Summary& summary);

}  // namespace systole
