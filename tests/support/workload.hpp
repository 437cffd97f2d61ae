#pragma once

#include "sim/config/document.hpp"
#include "sim/workload/graph.hpp"
#include "sim/workload/network.hpp"

#include <string>
#include <vector>

namespace systole::test {

/// The network of a YAML text, with `--set` options.
inline Network network_of(const std::string& text, const std::vector<std::string>& sets = {}) {
    std::vector<Override> overrides;
    for (const auto& set : sets) {
        overrides.push_back(parse_override(set));
    }
    ReadContext context;
    const auto document = parse_document(DocumentKind::workload, text, "net.yaml", data_directory(),
                                         overrides, context);
    auto network = read_network(document.root, "net", context);
    context.throw_if_faulty();
    return network;
}

inline Graph graph_of(const std::string& text, Format native = Format::fp32) {
    return build_graph(network_of(text), native);
}

/// Why the text is no network: the faults as the user sees them, or "" if there are none.
inline std::string faults_of(const std::string& text) {
    try {
        static_cast<void>(graph_of(text));
        return {};
    } catch (const InputError& error) {
        return error.what();
    }
}

}  // namespace systole::test
