#pragma once

#include "sim/workload/graph.hpp"
#include "sim/workload/network.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace systole {

/// "[1, 224, 224, 3]"
[[nodiscard]] std::string to_string(const Shape& shape);

/// The file that a document means by `name`: beside itself; `--set` means it from where it is run.
[[nodiscard]] std::filesystem::path data_path(const std::string& name, const SourceLocation& where);

/// The numbers of the tensor `name` in the order of `shape`, or nothing and a fault: too many or
/// too few, too large for fp32, a file that cannot be read. A path is meant from the folder of the
/// workload. A .npy file has `shape` or, where that is not empty, `other_shape`, which has as many
/// elements; a .csv file has a line for each run of the last dimension, or is one row or column.
[[nodiscard]] std::optional<std::vector<double>> load(const Numbers& numbers,
                                                      const std::string& name, const Shape& shape,
                                                      const Shape& other_shape,
                                                      std::vector<Fault>& faults);

/// The real numbers of an input or a parameter: those given, or drawn as the seed and the tensor's
/// name say. They are not rounded to the tensor's format yet, nor divided by its step.
[[nodiscard]] std::vector<double> make_values(const Graph& graph, TensorId id, std::uint64_t seed);

}  // namespace systole
