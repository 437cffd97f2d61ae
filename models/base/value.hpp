#pragma once

#include "models/base/declaration.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace systole {

template <class C>
class Schema;

template <class C>
const Declaration& declaration();

/// A struct with a free function `describe(Schema<C>&)`.
template <class C>
concept Described = requires(Schema<C>& schema) {
    describe(schema);
};

/// What stands within optionals, lists and maps.
template <class T>
struct Unwrapped {
    using type = T;
    using leaf = T;
};
template <class T>
struct Unwrapped<std::optional<T>> {
    using type = T;
    using leaf = typename Unwrapped<T>::leaf;
};
template <class T>
struct Unwrapped<std::vector<T>> {
    using type = T;
    using leaf = typename Unwrapped<T>::leaf;
};
template <class T>
struct Unwrapped<std::map<std::string, T>> {
    using type = T;
    using leaf = typename Unwrapped<T>::leaf;
};
template <class T>
using leaf_t = typename Unwrapped<T>::leaf;

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class T>
inline constexpr bool is_map = false;
template <class T>
inline constexpr bool is_map<std::map<std::string, T>> = true;

/// Whether `predicate` holds for the value, or for each value inside it.
template <class T, class Predicate>
[[nodiscard]] bool every(const T& value, const Predicate& predicate) {
    if constexpr (std::predicate<const Predicate&, const T&>) {
        return predicate(value);
    } else if constexpr (is_optional<T>) {
        return !value || every(*value, predicate);
    } else if constexpr (is_vector<T>) {
        return std::all_of(value.begin(), value.end(), [&](const typename T::value_type& item) {
            return every(item, predicate);
        });
    } else {
        static_assert(is_map<T>, "the check takes neither the struct nor the value of its field");
        return std::all_of(value.begin(), value.end(),
                           [&](const auto& entry) { return every(entry.second, predicate); });
    }
}

/// How the value of a field is read, written and documented.
template <class T>
struct Value;

template <ScalarType T>
struct Value<T> {
    static void read(const Node& node, const Place& place, T& value, ReadContext& context) {
        if (node.kind != Node::Kind::scalar) {
            fault_kind(type().name, node, place, context);
        } else if (auto wrong = Scalar<T>::parse(node, context, value)) {
            context.fault(node.where, "'" + place.name + "': " + wrong->what,
                          std::move(wrong->hint));
        }
    }
    static Node write(const T& value) { return Scalar<T>::write(value); }
    static Type type() { return Scalar<T>::type(); }
};

template <Described C>
struct Value<C> {
    static void read(const Node& node, const Place& place, C& config, ReadContext& context) {
        declaration<C>().read(node, place, &config, context);
    }
    static Node write(const C& config) { return declaration<C>().write(&config); }
    static Type type() {
        Type type{.kind = Type::Kind::section, .name = "section"};
        type.section = &declaration<C>;
        return type;
    }
};

template <class T>
struct Value<std::optional<T>> {
    static void read(const Node& node, const Place& place, std::optional<T>& value,
                     ReadContext& context) {
        Value<T>::read(node, place, value.emplace(), context);
    }
    static Node write(const std::optional<T>& value) {
        return value ? Value<T>::write(*value) : Node{};
    }
    static Type type() { return Value<T>::type(); }
};

template <class T>
struct Value<std::vector<T>> {
    static void read(const Node& node, const Place& place, std::vector<T>& value,
                     ReadContext& context) {
        if (node.kind != Node::Kind::list) {
            fault_kind(type().name, node, place, context);
            return;
        }
        value.clear();
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            const Node& item = node.items[i];
            T fresh{};
            Value<T>::read(item, {place.name + "[" + std::to_string(i) + "]", item.where}, fresh,
                           context);
            value.push_back(std::move(fresh));
        }
    }
    static Node write(const std::vector<T>& value) {
        Node list = Node::list();
        for (const auto& item : value) {
            list.items.push_back(Value<T>::write(item));
        }
        return list;
    }
    static Type type() {
        Type type{.kind = Type::Kind::list};
        type.element.push_back(Value<T>::type());
        type.name = "list of " + type.element.front().name;
        return type;
    }
};

template <class T>
struct Value<std::map<std::string, T>> {
    static void read(const Node& node, const Place& place, std::map<std::string, T>& value,
                     ReadContext& context) {
        if (node.kind != Node::Kind::map) {
            fault_kind(type().name, node, place, context);
            return;
        }
        value.clear();
        for (const auto& entry : node.entries) {
            T fresh{};
            Value<T>::read(entry.value, {place.name + "." + entry.key, entry.key_at}, fresh,
                           context);
            if (!value.emplace(entry.key, std::move(fresh)).second) {
                context.fault(entry.key_at, "duplicate key '" + entry.key + "'");
            }
        }
    }
    static Node write(const std::map<std::string, T>& value) {
        Node map = Node::map();
        for (const auto& [key, item] : value) {
            map.add(key, Value<T>::write(item));
        }
        return map;
    }
    static Type type() {
        Type type{.kind = Type::Kind::map};
        type.element.push_back(Value<T>::type());
        type.name = "map of names to " + type.element.front().name;
        return type;
    }
};

}  // namespace systole
