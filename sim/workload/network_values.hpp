#pragma once

#include "models/base/value.hpp"
#include "sim/workload/network.hpp"

// How those values of a workload are written that may take more than one form.

namespace systole {

/// `[0.8, -1.5]`, `0.5`, or the path of a .npy or .csv file.
template <>
struct Value<Numbers> {
    static void read(const Node& node, const Place& place, Numbers& value, ReadContext& context);
    static Node write(const Numbers& value);
    static Type type();
};

/// `true`, `false`, or numbers.
template <>
struct Value<BiasRequest> {
    static void read(const Node& node, const Place& place, BiasRequest& value,
                     ReadContext& context);
    static Node write(const BiasRequest& value);
    static Type type();
};

/// `same`, `valid`, `1`, `[height, width]` or `[top, left, bottom, right]`.
template <>
struct Value<Padding> {
    static void read(const Node& node, const Place& place, Padding& value, ReadContext& context);
    static Node write(const Padding& value);
    static Type type();
};

}  // namespace systole
