#include "sim/run/load.hpp"

#include "models/base/schema.hpp"
#include "sim/config/document.hpp"
#include "sim/config/yaml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>
#include <variant>

namespace systole {
namespace {

namespace fs = std::filesystem;

/// Keys of one kind of document alone.
struct Signs {
    DocumentKind kind;
    std::vector<std::string> keys;
};
const std::vector<Signs>& signs() {
    static const std::vector<Signs> table{
        // `memory` is a key of both: the keys that are its own come first.
        {DocumentKind::technology, {"operations", "sram"}},
        {DocumentKind::chip,
         {"clock", "core", "cores", "memory", "shared_sram", "interconnect", "technology"}},
        {DocumentKind::workload, {"layers", "input", "inputs", "batch", "parameters", "format"}}};
    return table;
}

/// A file that only extends another is what the other is, as far as a few steps tell.
DocumentKind kind_of_file(const fs::path& path, int steps_left) {
    std::vector<Fault> faults;
    const Node root = parse_yaml(read_file(path), path.string(), faults);
    for (const auto& [kind, keys] : signs()) {
        if (std::any_of(keys.begin(), keys.end(),
                        [&](const std::string& key) { return root.find(key) != nullptr; })) {
            return kind;
        }
    }
    std::error_code error;
    const Node* parent = root.find("extends");
    if (parent != nullptr && parent->kind == Node::Kind::scalar && steps_left > 0) {
        const auto beside = path.parent_path() / parent->text;
        return fs::is_regular_file(beside, error) ? kind_of_file(beside, steps_left - 1)
                                                  : kind_of_document(parent->text);
    }
    throw InputError{{{{path.string(), 1, 1},
                       "this is no chip, no workload and no technology",
                       "a chip has 'clock' and 'core', a workload 'layers', a technology "
                       "'operations'"}}};
}

}  // namespace

std::vector<Override> parse_overrides(const std::vector<std::string>& options,
                                      const std::set<DocumentKind>& documents) {
    std::vector<Override> overrides;
    overrides.reserve(options.size());
    std::vector<Fault> faults;
    for (const auto& option : options) {
        overrides.push_back(parse_override(option));
        if (const auto kind = overrides.back().document; documents.count(kind) == 0) {
            faults.push_back({{"--set " + option},
                              fmt::format("this command reads no {}", to_string(kind)),
                              "a value that nothing reads changes nothing: leave it out"});
        }
    }
    if (!faults.empty()) {
        throw InputError{std::move(faults)};
    }
    return overrides;
}

Node LoadedChip::document() const {
    return to_node(chip);
}

models::Technology load_technology(const std::string& name, const std::vector<Override>& overrides,
                                   std::vector<fs::path>& files) {
    ReadContext context;
    const auto document = load_document(DocumentKind::technology, name, overrides, context);
    auto technology = read<models::Technology>(document.root, context);
    context.throw_if_faulty();
    technology.name = document.files.front().string();
    files.insert(files.end(), document.files.begin(), document.files.end());
    return technology;
}

LoadedChip load_chip(const std::string& name, const std::vector<Override>& overrides) {
    ReadContext context;
    const auto document = load_document(DocumentKind::chip, name, overrides, context);
    LoadedChip loaded;
    loaded.chip = read<models::ChipConfig>(document.root, context);
    context.throw_if_faulty();
    loaded.files = document.files;
    loaded.technology = load_technology(loaded.chip.technology, overrides, loaded.files);
    return loaded;
}

Node document_of(const Network& network) {
    return to_node(network);
}

numerics::Format native_format(const models::ChipConfig& chip) {
    const auto& formats = std::visit(
        [](const auto& matrix) -> const auto& { return matrix.formats; }, chip.core.matrix);
    SYSTOLE_ASSERT(!formats.empty(), "a matrix unit without a format");
    return formats.front();
}

DocumentKind kind_of_document(const std::string& name) {
    constexpr int most_steps = 16;
    std::error_code error;
    if (fs::is_regular_file(name, error)) {
        return kind_of_file(name, most_steps);
    }
    const auto data = data_directory();
    std::vector<std::string> known;
    for (const auto& word : Words<DocumentKind>::table) {
        const auto names = list_documents(word.value, data);
        if (std::find(names.begin(), names.end(), name) != names.end()) {
            return word.value;
        }
        known.insert(known.end(), names.begin(), names.end());
    }
    const auto near = nearest(name, known);
    throw InputError{
        {{{name},
          "no such file, chip or workload",
          near.empty() ? "'systole list' names those there are" : "did you mean '" + near + "'?"}}};
}

}  // namespace systole
