#pragma once

#include "sim/report/result.hpp"

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace systole {

/// The value of a figure in JSON and CSV; `monostate` where it is not defined.
using FigureValue = std::variant<std::monostate, std::int64_t, double, std::string>;

/// One row of the table that JSON, CSV, the JSON Schema and the documentation are made from.
struct Figure {
    std::string key;   ///< ends in its unit, as JSON and CSV have no types
    std::string type;  ///< "integer", "number", "number or null", "word"
    std::string doc;
    std::function<FigureValue(const Figures&)> value;
};
[[nodiscard]] const std::vector<Figure>& figures();

}  // namespace systole
