#include "sim/workload/graph.hpp"

#include "sim/workload/graph_builder.hpp"

namespace systole {

std::int64_t elements(const Shape& shape) {
    std::int64_t count = 1;
    for (const auto size : shape) {
        count = checked_multiply(count, size);
    }
    return count;
}

Graph build_graph(const Network& network, Format native) {
    return GraphBuilder{network, native}.build();
}

}  // namespace systole
