#pragma once

#include "models/base/diagnostics.hpp"

#include <string>
#include <vector>

namespace systole {

/// One value of a configuration document, with the place where it was written. The reader of YAML
/// makes it and the schemas read it, so that neither knows the other.
struct Node {
    enum class Kind { null, scalar, list, map };
    struct Entry;

    // Defined where Entry is complete: a vector of it cannot be made or destroyed before.
    Node();
    Node(const Node& other);
    Node(Node&& other) noexcept;
    Node& operator=(const Node& other);
    Node& operator=(Node&& other) noexcept;
    ~Node();

    Kind kind = Kind::null;
    std::string text;            ///< scalar: quotes and escapes resolved; null: "", "~" or "null"
    bool plain = true;           ///< a scalar without quotes: 128 is a number, "128" is text
    SourceLocation where;        ///< where the value begins
    std::vector<Node> items;     ///< list
    std::vector<Entry> entries;  ///< map, in the order written

    [[nodiscard]] static Node scalar(std::string text, SourceLocation where = {});
    [[nodiscard]] static Node quoted(std::string text, SourceLocation where = {});
    [[nodiscard]] static Node list();
    [[nodiscard]] static Node list(std::vector<Node> items, SourceLocation where = {});
    [[nodiscard]] static Node map(SourceLocation where = {});

    /// The value of `key`, or nullptr where this is no map or has no such key.
    [[nodiscard]] const Node* find(const std::string& key) const;
    [[nodiscard]] Node* find(const std::string& key);

    /// Appends to a map.
    Node& add(std::string key, Node value, std::string comment = {});
};

struct Node::Entry {
    std::string key;
    SourceLocation key_at;
    Node value;
    std::string comment;  ///< only for writing
};

/// What a fault calls it: "a list", "nothing", "'128'" …
[[nodiscard]] std::string description(const Node& node);

/// Block YAML that reads back to the same document; comments stand behind their keys.
[[nodiscard]] std::string to_yaml(const Node& node);

/// What a plain scalar means to some YAML reader, beside its letters: "a number", "a truth value"
/// (no, off, y … in YAML 1.1), "nothing"; empty for a text that has one meaning.
[[nodiscard]] std::string other_meaning(const std::string& text);

}  // namespace systole
