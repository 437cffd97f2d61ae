#include "models/base/scalar.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>
#include <tuple>

namespace systole {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_identifier(std::string_view text) {
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    return !text.empty() && is_letter(text.front()) &&
           std::all_of(text.begin(), text.end(),
                       [&](char c) { return is_letter(c) || is_digit(c); });
}

/// -?(0|[1-9][0-9]*)
bool is_integer(std::string_view text) {
    if (!text.empty() && text.front() == '-') {
        text.remove_prefix(1);
    }
    return !text.empty() && std::all_of(text.begin(), text.end(), is_digit) &&
           (text.size() == 1 || text.front() != '0');
}

/// An integer, then (\.[0-9]+)?([eE][+-]?[0-9]+)?
bool is_number(std::string_view text) {
    const auto whole_end = std::min(text.find_first_of(".eE"), text.size());
    if (!is_integer(text.substr(0, whole_end))) {
        return false;
    }
    text.remove_prefix(whole_end);
    const auto take_digits = [&text] {
        const auto count = std::min(text.find_first_not_of("0123456789"), text.size());
        text.remove_prefix(count);
        return count > 0;
    };
    if (!text.empty() && text.front() == '.') {
        text.remove_prefix(1);
        if (!take_digits()) {
            return false;
        }
    }
    if (!text.empty()) {
        text.remove_prefix(1);
        if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
            text.remove_prefix(1);
        }
        return take_digits() && text.empty();
    }
    return true;
}

/// On one line and no longer than a message should be, whatever the input quoted in it.
std::string excerpt(std::string text) {
    constexpr std::size_t longest = 400;
    if (text.size() > longest) {
        auto end = longest;
        while ((static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) {
            --end;  // not within a character
        }
        text.resize(end);
        text += "…";
    }
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    return text;
}

/// "write 1000" for a number that is spelt in a way we do not read: +5, 1e3, 010, 0x10, 1_000.
std::string respelling(std::string text) {
    text.erase(
        std::remove_if(text.begin(), text.end(), [](char c) { return c == '_' || c == ','; }),
        text.end());
    const bool is_negative = !text.empty() && text.front() == '-';
    if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
        text.erase(0, 1);
    }
    const auto prefix = text.substr(0, 2);
    const int base = prefix == "0x" || prefix == "0X"   ? 16
                     : prefix == "0o" || prefix == "0O" ? 8
                     : prefix == "0b" || prefix == "0B" ? 2
                                                        : 10;
    double value = 0;
    const char* const end = text.data() + text.size();
    std::from_chars_result read{};
    if (base == 10) {
        read = std::from_chars(text.data(), end, value);
    } else if (text.size() > 2) {
        std::int64_t whole = 0;
        read = std::from_chars(text.data() + 2, end, whole, base);
        value = static_cast<double>(whole);
    }
    const bool is_exact = std::abs(value) <= 9007199254740992.0 && value == std::floor(value);
    if (text.empty() || read.ec != std::errc{} || read.ptr != end || !is_exact) {
        return "an integer has decimal digits only";
    }
    return fmt::format("write {}{}", is_negative && value != 0 ? "-" : "",
                       static_cast<std::int64_t>(value));
}

template <class T>
std::optional<Wrong> parse_integer(const Node& node, const ReadContext& context, T& value) {
    constexpr auto least = std::numeric_limits<T>::min();
    constexpr auto most = std::numeric_limits<T>::max();
    const std::string& text = node.text;
    const auto beyond = [&](bool is_low) {
        return Wrong{is_low ? fmt::format("'{}' is too small, it must be at least {}", text, least)
                            : fmt::format("'{}' is too large, it must be at most {}", text, most),
                     {}};
    };
    if (!node.plain) {
        return Wrong{fmt::format("expected integer, found the text '{}'", text),
                     is_integer(text) ? fmt::format("write {} without quotes", text) : ""};
    }
    if (is_integer(text)) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return error == std::errc{} ? std::nullopt : std::optional{beyond(text.front() == '-')};
    }
    if (context.names_apply) {
        if (const auto name = context.names.find(text); name != context.names.end()) {
            if (name->second < least || name->second > most) {
                return beyond(name->second < least);
            }
            value = static_cast<T>(name->second);
            return std::nullopt;
        }
        if (!context.names.empty() && is_identifier(text)) {
            std::vector<std::string> names;
            names.reserve(context.names.size());
            for (const auto& [name, unused] : context.names) {
                names.push_back(name);
            }
            const auto near = nearest(text, names);
            return Wrong{fmt::format("'{}' is neither an integer nor a declared name", text),
                         near.empty() ? fmt::format("names: {}", fmt::join(names, ", "))
                                      : fmt::format("did you mean '{}'?", near)};
        }
    }
    return Wrong{
        fmt::format("'{}' is not an integer", text),
        other_meaning(text) == "a number" || is_digit(text.front()) ? respelling(text) : ""};
}

}  // namespace

Cycles cycles_in(const Duration& duration, Hertz clock) {
    const auto* cycles = std::get_if<Cycles>(&duration);
    return cycles != nullptr ? *cycles : cycles_in(std::get<Seconds>(duration), clock);
}

void ReadContext::fault(SourceLocation where, std::string what, std::string hint) {
    faults.push_back({std::move(where), excerpt(std::move(what)), excerpt(std::move(hint))});
}

void ReadContext::throw_if_faulty() {
    if (faults.empty()) {
        return;
    }
    std::vector<std::size_t> order(faults.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
        const SourceLocation& a = faults[i].where;
        const SourceLocation& b = faults[j].where;
        return std::tie(a.file, a.line, a.column, i) < std::tie(b.file, b.line, b.column, j);
    });
    std::vector<Fault> sorted;
    sorted.reserve(order.size());
    for (const auto i : order) {
        sorted.push_back(std::move(faults[i]));
    }
    faults = std::move(sorted);
    constexpr std::size_t most = 100;
    if (faults.size() > most) {
        const auto more = faults.size() - most;
        faults.resize(most);
        faults.push_back({{faults.back().where.file}, fmt::format("and {} more faults", more), {}});
    }
    throw InputError{std::move(faults)};
}

template <>
std::optional<Wrong> PlainScalar<int>::parse(const Node& node, const ReadContext& context,
                                             int& value) {
    return parse_integer(node, context, value);
}
template <>
Node PlainScalar<int>::write(const int& value) {
    return Node::scalar(fmt::format("{}", value));
}
template <>
Type PlainScalar<int>::type() {
    return {.kind = Type::Kind::integer, .name = "integer"};
}

template <>
std::optional<Wrong> PlainScalar<std::int64_t>::parse(const Node& node, const ReadContext& context,
                                                      std::int64_t& value) {
    return parse_integer(node, context, value);
}
template <>
Node PlainScalar<std::int64_t>::write(const std::int64_t& value) {
    return Node::scalar(fmt::format("{}", value));
}
template <>
Type PlainScalar<std::int64_t>::type() {
    return {.kind = Type::Kind::integer, .name = "integer"};
}

template <>
std::optional<Wrong> PlainScalar<double>::parse(const Node& node, const ReadContext&,
                                                double& value) {
    const std::string& text = node.text;
    if (!node.plain) {
        return Wrong{fmt::format("expected number, found the text '{}'", text),
                     is_number(text) ? fmt::format("write {} without quotes", text) : ""};
    }
    if (!is_number(text)) {
        const bool is_special = text.find("inf") != std::string::npos ||
                                text.find("nan") != std::string::npos ||
                                text.find("NaN") != std::string::npos;
        return Wrong{
            fmt::format("'{}' is not a {}number", text, is_special ? "finite " : ""),
            other_meaning(text) == "a number" && !is_special ? "write it as 0.5, 3 or 2.5e-3" : ""};
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{}) {
        return Wrong{fmt::format("'{}' is not in the range of a double", text),
                     "its size must be 0, or from 2.3e-308 to 1.7e308"};
    }
    return std::nullopt;
}
template <>
Node PlainScalar<double>::write(const double& value) {
    return Node::scalar(fmt::format("{}", value));
}
template <>
Type PlainScalar<double>::type() {
    return {.kind = Type::Kind::number, .name = "number"};
}

template <>
std::optional<Wrong> PlainScalar<bool>::parse(const Node& node, const ReadContext&, bool& value) {
    if (!node.plain || (node.text != "true" && node.text != "false")) {
        return Wrong{fmt::format("'{}' is neither true nor false", node.text),
                     "write true or false, without quotes"};
    }
    value = node.text == "true";
    return std::nullopt;
}
template <>
Node PlainScalar<bool>::write(const bool& value) {
    return Node::scalar(value ? "true" : "false");
}
template <>
Type PlainScalar<bool>::type() {
    return {.kind = Type::Kind::boolean, .name = "true or false"};
}

template <>
std::optional<Wrong> PlainScalar<std::string>::parse(const Node& node, const ReadContext&,
                                                     std::string& value) {
    if (const auto other = node.plain ? other_meaning(node.text) : ""; !other.empty()) {
        return Wrong{fmt::format("'{}' means {} in YAML, where text is needed", node.text, other),
                     fmt::format("write \"{}\" if the text is meant", node.text)};
    }
    value = node.text;
    return std::nullopt;
}
template <>
Node PlainScalar<std::string>::write(const std::string& value) {
    return Node::quoted(value);
}
template <>
Type PlainScalar<std::string>::type() {
    return {.kind = Type::Kind::text, .name = "text"};
}

std::optional<Wrong> parse_word(const Node& node, const std::vector<Word<int>>& words,
                                std::size_t& index) {
    std::vector<std::string> known;
    for (std::size_t i = 0; i < words.size(); ++i) {
        known.emplace_back(words[i].word);
        if (words[i].word == node.text) {
            index = i;
            return std::nullopt;
        }
    }
    const auto near =
        node.plain && !other_meaning(node.text).empty() ? "" : nearest(node.text, known);
    return Wrong{fmt::format("unknown word '{}'", node.text),
                 near.empty() ? fmt::format("write one of {}", fmt::join(known, ", "))
                              : fmt::format("did you mean '{}'?", near)};
}

Type word_type(std::vector<Word<int>> words) {
    Type type{.kind = Type::Kind::word, .name = "one of "};
    for (const auto& word : words) {
        type.name += fmt::format("{}{}", &word == words.data() ? "" : ", ", word.word);
    }
    type.words = std::move(words);
    return type;
}

}  // namespace systole
