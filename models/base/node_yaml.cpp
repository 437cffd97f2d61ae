#include "models/base/node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace systole {
namespace {

constexpr std::size_t line_width = 100;

bool needs_quotes(const std::string& text) {
    return text.empty() || text == "<<" || text.starts_with("...") || text.front() == ' ' ||
           text.back() == ' ' || text.back() == ':' ||
           std::string_view{"-?!&*%@`|>"}.find(text.front()) != std::string_view::npos ||
           text.find_first_of("\"'\\,:?[]{}#") != std::string::npos ||
           std::any_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

std::string quote(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            quoted += '\\';
            quoted += c;
        } else if (code < 0x20 || code == 0x7f) {
            quoted += fmt::format("\\x{:02x}", code);
        } else {
            quoted += c;
        }
    }
    return quoted + '"';
}

std::string scalar_text(const Node& node) {
    if (node.kind == Node::Kind::null) {
        return "~";
    }
    const bool is_number = node.plain && !node.text.empty() && node.text.front() == '-' &&
                           other_meaning(node.text) == "a number";
    const bool must = needs_quotes(node.text) && !is_number;
    return must || (!node.plain && !other_meaning(node.text).empty()) ? quote(node.text)
                                                                      : node.text;
}

/// The value on one line: what a list of numbers looks best as.
std::string flow_text(const Node& node) {
    std::string text;
    switch (node.kind) {
        case Node::Kind::null:
        case Node::Kind::scalar:
            return scalar_text(node);
        case Node::Kind::list:
            for (const auto& item : node.items) {
                text += (text.empty() ? "" : ", ") + flow_text(item);
            }
            return "[" + text + "]";
        case Node::Kind::map:
            for (const auto& entry : node.entries) {
                text += (text.empty() ? "" : ", ") + scalar_text(Node::quoted(entry.key)) + ": " +
                        flow_text(entry.value);
            }
            return "{" + text + "}";
    }
    return text;
}

bool holds_only_scalars(const Node& node) {
    return std::all_of(node.items.begin(), node.items.end(), [](const Node& item) {
        return item.kind == Node::Kind::scalar ||
               (item.kind == Node::Kind::list && holds_only_scalars(item));
    });
}

bool is_inline(const Node& node) {
    return node.kind == Node::Kind::scalar || node.kind == Node::Kind::null ||
           (node.kind == Node::Kind::map && node.entries.empty()) ||
           (node.kind == Node::Kind::list && holds_only_scalars(node));
}

void write_block(const Node& node, std::size_t indent, std::string& out);

void write_entry(const Node::Entry& entry, std::size_t indent, std::string& out) {
    std::string line = scalar_text(Node::quoted(entry.key)) + ":";
    const bool fits = is_inline(entry.value);
    if (fits) {
        line += " " + flow_text(entry.value);
    }
    if (!entry.comment.empty()) {
        if (indent + line.size() + 4 + entry.comment.size() <= line_width) {
            line += "  # " + entry.comment;
        } else {
            out += "# " + entry.comment + "\n" + std::string(indent, ' ');
        }
    }
    out += line + "\n";
    if (!fits) {
        write_block(entry.value, indent + 2, out);
    }
}

/// Writes the lines of a map or list; the first line is indented too.
void write_block(const Node& node, std::size_t indent, std::string& out) {
    const std::string margin(indent, ' ');
    for (const auto& entry : node.entries) {
        out += margin;
        write_entry(entry, indent, out);
    }
    for (const auto& item : node.items) {
        if (is_inline(item)) {
            out += margin + "- " + flow_text(item) + "\n";
            continue;
        }
        std::string block;
        write_block(item, indent + 2, block);
        out += margin + "- " + block.substr(indent + 2);
    }
}

}  // namespace

std::string to_yaml(const Node& node) {
    if (is_inline(node)) {
        return flow_text(node) + "\n";
    }
    std::string out;
    write_block(node, 0, out);
    return out;
}

}  // namespace systole
