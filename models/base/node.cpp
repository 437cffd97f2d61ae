#include "models/base/node.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace systole {
namespace {

constexpr std::array<std::string_view, 8> truth_words{"y",  "n",   "yes",  "no",
                                                      "on", "off", "true", "false"};

std::string lower_case(std::string text) {
    for (char& c : text) {
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return text;
}

bool looks_like_number(const std::string& text) {
    const auto start = text.find_first_not_of("+-.");
    return start != std::string::npos &&
           std::isdigit(static_cast<unsigned char>(text[start])) != 0 &&
           text.find_first_not_of("+-.0123456789abcdefxoABCDEFXO_") == std::string::npos;
}

}  // namespace

Node::Node() = default;
Node::Node(const Node& other) = default;
Node::Node(Node&& other) noexcept = default;
Node& Node::operator=(const Node& other) = default;
Node& Node::operator=(Node&& other) noexcept = default;
Node::~Node() = default;

Node Node::scalar(std::string text, SourceLocation where) {
    Node node;
    node.kind = Kind::scalar;
    node.text = std::move(text);
    node.where = std::move(where);
    return node;
}

Node Node::quoted(std::string text, SourceLocation where) {
    Node node = scalar(std::move(text), std::move(where));
    node.plain = false;
    return node;
}

Node Node::list() {
    return list({});
}

Node Node::list(std::vector<Node> items, SourceLocation where) {
    Node node;
    node.kind = Kind::list;
    node.items = std::move(items);
    node.where = std::move(where);
    return node;
}

Node Node::map(SourceLocation where) {
    Node node;
    node.kind = Kind::map;
    node.where = std::move(where);
    return node;
}

const Node* Node::find(const std::string& key) const {
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const Entry& entry) { return entry.key == key; });
    return found == entries.end() ? nullptr : &found->value;
}

Node* Node::find(const std::string& key) {
    return const_cast<Node*>(std::as_const(*this).find(key));
}

Node& Node::add(std::string key, Node value, std::string comment) {
    entries.push_back({std::move(key), value.where, std::move(value), std::move(comment)});
    return *this;
}

std::string description(const Node& node) {
    switch (node.kind) {
        case Node::Kind::null:
            return node.text.empty() ? "nothing" : "'" + node.text + "', which means nothing";
        case Node::Kind::scalar:
            return "'" + node.text + "'";
        case Node::Kind::list:
            return "a list";
        case Node::Kind::map:
            return "a map";
    }
    return "?";
}

std::string other_meaning(const std::string& text) {
    const std::string word = lower_case(text);
    if (text.empty() || text == "~" || word == "null") {
        return "nothing";
    }
    if (std::find(truth_words.begin(), truth_words.end(), word) != truth_words.end()) {
        return "a truth value";
    }
    const bool is_special = word == ".inf" || word == "+.inf" || word == "-.inf" || word == ".nan";
    return is_special || looks_like_number(text) ? "a number" : "";
}

}  // namespace systole
