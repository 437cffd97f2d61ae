#include "sim/workload/numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>

namespace systole {

std::string to_string(const Shape& shape) {
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

std::optional<std::vector<double>> load(const Numbers& numbers, const std::string& name,
                                        const Shape& shape,
                                        [[maybe_unused]] const Shape& file_shape,
                                        std::vector<Fault>& faults) {
    auto values = std::get<std::vector<double>>(numbers.source);
    const auto wrong = [&](std::string what) {
        faults.push_back({numbers.where, std::move(what), {}});
        return std::nullopt;
    };
    if (static_cast<std::int64_t>(values.size()) != elements(shape)) {
        return wrong(fmt::format("'{}' has {} numbers, but its shape {} takes {}", name,
                                 values.size(), to_string(shape), elements(shape)));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!(std::abs(values[i]) <= std::numeric_limits<float>::max())) {
            return wrong(fmt::format("number {} of '{}' is {}, which fp32 does not hold", i + 1,
                                     name, values[i]));
        }
    }
    return values;
}

}  // namespace systole
