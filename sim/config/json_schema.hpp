#pragma once

#include "models/base/declaration.hpp"

#include <string>

namespace systole {

/// How a schema file presents itself.
struct JsonSchemaOptions {
    std::string title;
    /// Integers may be given as names of `parameters:`.
    bool names = false;
};

/// JSON Schema (draft 2020-12) of a document whose root is `root`, for editors: indented text that
/// is equal for equal declarations. Rules that relate several keys stand in descriptions only.
/// A file with `extends:` may leave keys out.
[[nodiscard]] std::string json_schema(const Declaration& root, const JsonSchemaOptions& options);

}  // namespace systole
