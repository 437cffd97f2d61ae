#pragma once

#include "models/base/node.hpp"
#include "sim/config/library.hpp"

#include <string>
#include <vector>

namespace systole {

/// `--set chip.core.matrix.rows=64`: one value of a document, set after the file was read.
struct Override {
    DocumentKind document = DocumentKind::chip;
    std::vector<std::string> path;  ///< keys, and indices of list items from 0
    Node value;                     ///< any YAML; every place in it is the option itself
};

/// Throws InputError where the text is not `document.key…=value`.
[[nodiscard]] Override parse_override(const std::string& text);

/// Sets the value, making the maps on the way. `m` alone means `parameters.m` where the document
/// declares that parameter. Faults are recorded and leave the document as it was.
void apply(const Override& change, Node& document, std::vector<Fault>& faults);

}  // namespace systole
