#pragma once

#include "sim/workload/graph.hpp"
#include "sim/workload/network.hpp"

#include <optional>
#include <string>
#include <vector>

namespace systole {

/// "[1, 224, 224, 3]"
[[nodiscard]] std::string to_string(const Shape& shape);

/// The numbers of the tensor `name` in the order of `shape`, or nothing and a fault: too many or
/// too few, not finite in fp32, a file that cannot be read. A .npy file has `shape` or, where
/// given, `file_shape`, which has as many elements.
[[nodiscard]] std::optional<std::vector<double>> load(const Numbers& numbers,
                                                      const std::string& name, const Shape& shape,
                                                      const Shape& file_shape,
                                                      std::vector<Fault>& faults);

}  // namespace systole
