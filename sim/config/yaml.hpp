#pragma once

#include "models/base/node.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace systole {

/// What a document may hold, aliases expanded.
inline constexpr std::size_t max_nodes = 100'000;
inline constexpr std::size_t max_depth = 64;

/// The one document in `text`; `name` is what its faults call the file. Throws InputError where the
/// text is not YAML or is beyond the limits; records in `faults` what leaves the document readable:
/// duplicate keys, merge keys, tags.
[[nodiscard]] Node parse_yaml(std::string text, const std::string& name,
                              std::vector<Fault>& faults);

}  // namespace systole
