#include "sim/workload/network_values.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace systole {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();

bool ends_in(const std::string& text, const std::string& ending) {
    return text.size() > ending.size() &&
           text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

Type integer_from_0() {
    Type type = Scalar<std::int64_t>::type();
    type.minimum = "0";
    type.maximum = std::to_string(largest);
    return type;
}

Type either(std::string name, std::vector<Type> forms) {
    Type type{.kind = Type::Kind::either, .name = std::move(name)};
    type.element = std::move(forms);
    return type;
}

}  // namespace

void Value<Numbers>::read(const Node& node, const Place& place, Numbers& value,
                          ReadContext& context) {
    value.where = node.where;
    if (node.kind == Node::Kind::list) {
        value.source = std::vector<double>{};
        Value<std::vector<double>>::read(node, place, std::get<0>(value.source), context);
        return;
    }
    double number = 0;
    if (node.kind == Node::Kind::scalar && !Scalar<double>::parse(node, context, number)) {
        value.source = std::vector<double>{number};
    } else if (node.kind == Node::Kind::scalar &&
               (ends_in(node.text, ".npy") || ends_in(node.text, ".csv"))) {
        value.source = node.text;
    } else {
        fault_kind(type().name, node, place, context);
    }
}

Node Value<Numbers>::write(const Numbers& value) {
    const auto* path = std::get_if<std::string>(&value.source);
    return path != nullptr ? Node::scalar(*path)
                           : Value<std::vector<double>>::write(std::get<0>(value.source));
}

Type Value<Numbers>::type() {
    Type path = Scalar<std::string>::type();
    path.pattern = "\\.(npy|csv)$";
    return either("list of numbers, or a .npy or .csv file",
                  {Value<std::vector<double>>::type(), Scalar<double>::type(), std::move(path)});
}

void Value<BiasRequest>::read(const Node& node, const Place& place, BiasRequest& value,
                              ReadContext& context) {
    bool wanted = true;
    const auto not_a_word = node.kind == Node::Kind::scalar
                                ? Scalar<bool>::parse(node, context, wanted)
                                : std::optional{Wrong{}};
    if (!not_a_word) {
        value.wanted = wanted;
        return;
    }
    value.wanted = true;
    ReadContext attempt{context.names, {}, context.names_apply};
    Value<Numbers>::read(node, place, value.values.emplace(), attempt);
    if (!attempt.faults.empty() && node.kind == Node::Kind::scalar) {
        context.fault(
            node.where,
            fmt::format("'{}': expected {}, found {}", place.name, type().name, description(node)),
            not_a_word->hint);
    } else {
        context.faults.insert(context.faults.end(), attempt.faults.begin(), attempt.faults.end());
    }
}

Node Value<BiasRequest>::write(const BiasRequest& value) {
    return value.values ? Value<Numbers>::write(*value.values) : Value<bool>::write(value.wanted);
}

Type Value<BiasRequest>::type() {
    Type type = Value<Numbers>::type();
    type.element.insert(type.element.begin(), Scalar<bool>::type());
    type.name = "true, false, " + type.name;
    return type;
}

void Value<Padding>::read(const Node& node, const Place& place, Padding& value,
                          ReadContext& context) {
    value = {};
    if (node.kind == Node::Kind::scalar && (node.text == "same" || node.text == "valid")) {
        value.same = node.text == "same";
        return;
    }
    const auto faults_before = context.faults.size();
    std::vector<std::int64_t> sides;
    if (node.kind == Node::Kind::list) {
        Value<std::vector<std::int64_t>>::read(node, place, sides, context);
    } else if (std::int64_t all = 0; node.kind == Node::Kind::scalar &&
                                     !Scalar<std::int64_t>::parse(node, context, all)) {
        sides = {all};
    } else {
        fault_kind(type().name, node, place, context);
    }
    if (context.faults.size() != faults_before) {
        return;
    }
    for (const auto side : sides) {
        if (side < 0 || side > largest) {
            context.fault(node.where, fmt::format("'{}' must be from 0 to {}, not {}", place.name,
                                                  largest, side));
            return;
        }
    }
    switch (sides.size()) {
        case 1:
            value = {false, sides[0], sides[0], sides[0], sides[0]};
            break;
        case 2:
            value = {false, sides[0], sides[1], sides[0], sides[1]};
            break;
        case 4:
            value = {false, sides[0], sides[1], sides[2], sides[3]};
            break;
        default:
            context.fault(node.where, fmt::format("'{}' has {} numbers", place.name, sides.size()),
                          "write one, [height, width] or [top, left, bottom, right]");
    }
}

Node Value<Padding>::write(const Padding& value) {
    if (value.same) {
        return Node::scalar("same");
    }
    return Value<std::vector<std::int64_t>>::write(
        {value.top, value.left, value.bottom, value.right});
}

Type Value<Padding>::type() {
    Type words{.kind = Type::Kind::word, .name = "word"};
    words.words = {{0, "same", "as many outputs as ⌈size / stride⌉"}, {1, "valid", "no padding"}};
    Type list{.kind = Type::Kind::list, .name = "list of integer"};
    list.element.push_back(integer_from_0());
    return either("same, valid, an integer, [height, width] or [top, left, bottom, right]",
                  {std::move(words), integer_from_0(), std::move(list)});
}

}  // namespace systole
