#include "sim/workload/load_network.hpp"

#include "sim/config/document.hpp"

namespace systole {

LoadedNetwork load_network(const std::string& name, const std::vector<Override>& overrides) {
    ReadContext context;
    const auto document = load_document(DocumentKind::workload, name, overrides, context);
    auto network = read_network(document.root, document.files.front().stem().string(), context);
    context.throw_if_faulty();
    return {std::move(network), document.files};
}

}  // namespace systole
