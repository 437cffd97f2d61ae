#include "sim/config/override.hpp"

#include "sim/config/yaml.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>

namespace systole {
namespace {

[[noreturn]] void fail(const SourceLocation& where, std::string what, std::string hint) {
    throw InputError{{{where, std::move(what), std::move(hint)}}};
}

void relocate(Node& node, const SourceLocation& where) {
    node.where = where;
    for (auto& item : node.items) {
        relocate(item, where);
    }
    for (auto& entry : node.entries) {
        entry.key_at = where;
        relocate(entry.value, where);
    }
}

std::optional<std::size_t> index_in(const std::string& text, std::size_t size) {
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
    const bool is_index = error == std::errc{} && end == text.data() + text.size() && index < size;
    return is_index ? std::optional{index} : std::nullopt;
}

Node parse_value(const std::string& text, const SourceLocation& where) {
    std::vector<Fault> faults;
    Node value;
    try {
        value = parse_yaml(text, where.file, faults);
    } catch (const InputError& e) {
        faults = e.faults();
    }
    if (!faults.empty()) {
        for (auto& fault : faults) {
            fault.where = where;
        }
        throw InputError{std::move(faults)};
    }
    relocate(value, where);
    return value;
}

}  // namespace

Override parse_override(const std::string& text) {
    const SourceLocation where{"--set " + text};
    const auto equals = text.find('=');
    if (equals == std::string::npos) {
        fail(where, "a value is missing", "write --set chip.core.matrix.rows=64");
    }
    if (text.find_first_not_of(' ', equals + 1) == std::string::npos) {
        fail(where, "the value is empty", "write \"\" for an empty text, {} for an empty section");
    }
    std::vector<std::string> path{""};
    for (const char c : text.substr(0, equals)) {
        if (c == '.') {
            path.emplace_back();
        } else {
            path.back() += c;
        }
    }
    for (const auto& key : path) {
        if (key.empty()) {
            fail(where, "a key of the path is empty", "write --set chip.core.matrix.rows=64");
        }
    }
    const auto document = parse_word<DocumentKind>(path.front());
    if (!document) {
        const auto near = nearest(path.front(), {"chip", "workload", "technology"});
        fail(where, fmt::format("'{}' is no document", path.front()),
             near.empty() ? "the path begins with chip, workload or technology"
                          : fmt::format("did you mean '{}'?", near));
    }
    if (path.size() == 1) {
        fail(where, "the path names no key", "write --set chip.core.matrix.rows=64");
    }
    path.erase(path.begin());
    return {*document, std::move(path), parse_value(text.substr(equals + 1), where)};
}

void apply(const Override& change, Node& document, std::vector<Fault>& faults) {
    const SourceLocation& where = change.value.where;
    auto path = change.path;
    if (const Node* parameters = std::as_const(document).find("parameters");
        path.size() == 1 && parameters != nullptr && parameters->find(path.front()) != nullptr) {
        path.insert(path.begin(), "parameters");
    }
    Node changed = document;
    Node* node = &changed;
    std::string so_far;
    for (const auto& key : path) {
        if (node->kind == Node::Kind::null) {
            *node = Node::map(where);
        }
        if (node->kind == Node::Kind::list) {
            const auto index = index_in(key, node->items.size());
            if (!index) {
                faults.push_back({where, fmt::format("'{}' has no item '{}'", so_far, key),
                                  node->items.empty()
                                      ? "the list is empty"
                                      : fmt::format("items: 0 to {}", node->items.size() - 1)});
                return;
            }
            node = &node->items[*index];
        } else if (node->kind == Node::Kind::map) {
            Node* next = node->find(key);
            if (next == nullptr) {
                node->entries.push_back({key, where, Node{}, {}});
                next = &node->entries.back().value;
                next->where = where;
            }
            node = next;
        } else {
            faults.push_back(
                {where,
                 fmt::format("'{}' is {}, which has no keys", so_far, description(*node)),
                 {}});
            return;
        }
        so_far += (so_far.empty() ? "" : ".") + key;
    }
    *node = change.value;
    document = std::move(changed);
}

}  // namespace systole
