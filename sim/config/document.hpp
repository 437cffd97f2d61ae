#pragma once

#include "models/base/scalar.hpp"
#include "sim/config/library.hpp"
#include "sim/config/override.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace systole {

inline constexpr int schema_version = 1;

/// A document as it is after `extends:` and `--set`, and the files it was read from, first the one
/// that was asked for.
struct Document {
    Node root;
    std::vector<std::filesystem::path> files;
};

/// Reads a document by path or name:
///
///     ReadContext context;
///     const auto document = load_document(DocumentKind::chip, "tpu_v1", overrides, context);
///     const auto chip = read<ChipConfig>(document.root, context);
///     context.throw_if_faulty();
///
/// `extends: other` (a path from the file, or a name) takes the other's values where the file has
/// none; maps merge unless their `kind` or `model` differ, all else is replaced. `schema_version`
/// is checked, and both keys are taken out. Names declared under `parameters:` are put into the
/// context. Throws InputError where no document can be made; what the schema can be read besides is
/// recorded in the context.
[[nodiscard]] Document load_document(DocumentKind kind, const std::string& name,
                                     const std::vector<Override>& overrides, ReadContext& context);

/// The same, from the text of a document; names are looked up under `data`.
[[nodiscard]] Document parse_document(DocumentKind kind, const std::string& text,
                                      const std::filesystem::path& file,
                                      const std::filesystem::path& data,
                                      const std::vector<Override>& overrides, ReadContext& context);

/// The bytes of a file that is not too large to be a document. Throws InputError.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

}  // namespace systole
