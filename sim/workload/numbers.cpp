#include "sim/workload/numbers.hpp"

#include "models/base/diagnostics.hpp"
#include "sim/workload/random_values.hpp"
#include "sim/workload/value_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace systole {
namespace {

/// The array of a file, or nothing and its faults; what is wrong with the file as a whole is told
/// at the place that names it.
std::optional<ValueArray> read_file_of(const Numbers& numbers, const std::string& name,
                                       std::vector<Fault>& faults) {
    const auto path = data_path(std::get<std::string>(numbers.source), numbers.where);
    try {
        return read_values(path);
    } catch (const InputError& error) {
        for (auto fault : error.faults()) {
            if (fault.where.line == 0) {
                fault.what = fmt::format("'{}': {} {}", name, path.string(), fault.what);
                fault.where = numbers.where;
            }
            faults.push_back(std::move(fault));
        }
        return std::nullopt;
    }
}

bool is_shape_of_file(const ValueArray& array, const std::string& path, const Shape& shape,
                      const Shape& other_shape) {
    if (std::filesystem::path{path}.extension() != ".csv") {
        return array.shape == shape || (!other_shape.empty() && array.shape == other_shape);
    }
    const std::int64_t all = elements(shape);
    return array.shape == Shape{all / shape.back(), shape.back()} || array.shape == Shape{1, all} ||
           array.shape == Shape{all, 1};
}

}  // namespace

std::filesystem::path data_path(const std::string& name, const SourceLocation& where) {
    const bool in_file = where.line > 0;
    const auto folder = std::filesystem::path{in_file ? where.file : ""}.parent_path();
    return folder / name;
}

std::string to_string(const Shape& shape) {
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

std::optional<std::vector<double>> load(const Numbers& numbers, const std::string& name,
                                        const Shape& shape, const Shape& other_shape,
                                        std::vector<Fault>& faults) {
    std::vector<double> values;
    const auto wrong = [&](std::string what) {
        faults.push_back({numbers.where, std::move(what), {}});
        return std::nullopt;
    };
    if (const auto* path = std::get_if<std::string>(&numbers.source)) {
        auto array = read_file_of(numbers, name, faults);
        if (!array) {
            return std::nullopt;
        }
        if (!is_shape_of_file(*array, *path, shape, other_shape)) {
            return wrong(fmt::format("'{}' has the shape {}, but {} has {}", name, to_string(shape),
                                     *path, to_string(array->shape)));
        }
        values = std::move(array->values);
    } else {
        values = std::get<std::vector<double>>(numbers.source);
    }
    if (static_cast<std::int64_t>(values.size()) != elements(shape)) {
        return wrong(fmt::format("'{}' has the shape {}: numbers needed: {}, given: {}", name,
                                 to_string(shape), elements(shape), values.size()));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!(std::abs(values[i]) <= static_cast<double>(std::numeric_limits<float>::max()))) {
            return wrong(fmt::format("number {} of '{}' is {}, which fp32 does not hold", i + 1,
                                     name, values[i]));
        }
    }
    return values;
}

std::vector<double> make_values(const Graph& graph, TensorId id, std::uint64_t seed) {
    const auto& tensor = graph.tensor(id);
    SYSTOLE_ASSERT(tensor.role == Tensor::Role::input || tensor.role == Tensor::Role::parameter,
                   "only inputs and parameters have values of their own");
    if (const auto* given = std::get_if<Given>(&tensor.source)) {
        return given->values;
    }
    RandomValues random{seed, tensor.name};
    std::vector<double> values(static_cast<std::size_t>(elements(tensor.shape)));
    std::generate(values.begin(), values.end(), [&, bound = std::get<Drawn>(tensor.source).bound] {
        return random.uniform(bound);
    });
    return values;
}

}  // namespace systole
