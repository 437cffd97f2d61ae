#include "sim/workload/load_network.hpp"

#include "sim/config/document.hpp"
#include "sim/workload/numbers.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace systole {
namespace {

void collect_data_files(const Node& node, std::vector<std::filesystem::path>& files) {
    const auto extension = std::filesystem::path{node.text}.extension();
    std::error_code error;
    if (node.kind == Node::Kind::scalar && (extension == ".npy" || extension == ".csv")) {
        const auto path = data_path(node.text, node.where);
        const bool is_new = std::find(files.begin(), files.end(), path) == files.end();
        if (is_new && std::filesystem::is_regular_file(path, error)) {
            files.push_back(path);
        }
    }
    for (const auto& item : node.items) {
        collect_data_files(item, files);
    }
    for (const auto& entry : node.entries) {
        collect_data_files(entry.value, files);
    }
}

}  // namespace

LoadedNetwork load_network(const std::string& name, const std::vector<Override>& overrides) {
    ReadContext context;
    const auto document = load_document(DocumentKind::workload, name, overrides, context);
    auto network = read_network(document.root, document.files.front().stem().string(), context);
    context.throw_if_faulty();
    auto files = document.files;
    collect_data_files(document.root, files);
    return {std::move(network), std::move(files)};
}

}  // namespace systole
