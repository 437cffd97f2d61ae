#pragma once

#include "models/base/declaration.hpp"

#include <string>
#include <vector>

namespace systole {

/// One key of a document as the documentation lists it.
struct Parameter {
    std::string path;    ///< "core.matrix.rows"; "layers[].dense.units" in a list
    std::string type;    ///< "integer", "size (B, KiB, MiB, GiB, TiB)" …
    std::string preset;  ///< the default as written; "required", or empty where there is none
    std::string doc;     ///< with the rules its value must keep
};

/// All keys under `root`, in the order of their declaration; a section that holds itself is listed
/// once.
[[nodiscard]] std::vector<Parameter> parameter_table(const Declaration& root);

/// The table in Markdown.
[[nodiscard]] std::string to_markdown(const std::vector<Parameter>& parameters);

}  // namespace systole
