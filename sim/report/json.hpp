#pragma once

#include "models/base/node.hpp"
#include "sim/report/result.hpp"

#include <string>

namespace systole {

inline constexpr const char* result_schema_name = "systole.result/1";

/// The result as a JSON document of schema `systole.result/1`.
[[nodiscard]] std::string to_json(const Result& result);

/// The JSON Schema of that document, made from the same tables.
[[nodiscard]] std::string result_json_schema();

/// A chip before any run, schema `systole.chip/1`.
[[nodiscard]] std::string chip_json(const ChipFacts& chip, const Node& configuration);

/// How a network was laid out, schema `systole.mapping/1`.
[[nodiscard]] std::string mapping_json(const Graph& graph, const Mapping& mapping);

/// A configuration document as JSON. Plain integers, decimals and truth values become what they
/// are; quantities keep their unit and stay text.
[[nodiscard]] std::string to_json(const Node& node);

}  // namespace systole
