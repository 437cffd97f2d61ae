#include "sim/report/json_node.hpp"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cstdint>
#include <optional>

namespace systole {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
std::optional<T> number(const std::string& text) {
    T value{};
    const auto* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && stop == end ? std::optional{value} : std::nullopt;
}

Json scalar(const Node& node) {
    const auto& text = node.text;
    if (!node.plain || text.empty()) {
        return text;
    }
    if (text == "true" || text == "false") {
        return text == "true";
    }
    if (text.find_first_not_of("+-.0123456789eE") != std::string::npos) {
        return text;  // also keeps out "inf" and "nan", which JSON has no word for
    }
    if (const auto integer = number<std::int64_t>(text)) {
        return *integer;
    }
    if (const auto real = number<double>(text)) {
        return *real;
    }
    return text;
}

}  // namespace

Json json_of(const Node& node) {
    switch (node.kind) {
        case Node::Kind::null:
            return nullptr;
        case Node::Kind::scalar:
            return scalar(node);
        case Node::Kind::list: {
            Json list = Json::array();
            for (const auto& item : node.items) {
                list.push_back(json_of(item));
            }
            return list;
        }
        case Node::Kind::map: {
            Json map = Json::object();
            for (const auto& entry : node.entries) {
                map[entry.key] = json_of(entry.value);
            }
            return map;
        }
    }
    return nullptr;
}

}  // namespace systole
