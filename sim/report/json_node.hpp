#pragma once

#include "models/base/node.hpp"

#include <nlohmann/json_fwd.hpp>

namespace systole {

/// A configuration document as a JSON value: see to_json(const Node&).
[[nodiscard]] nlohmann::ordered_json json_of(const Node& node);

}  // namespace systole
