#pragma once

#include "models/base/node.hpp"
#include "models/chip_config.hpp"
#include "models/technology/technology.hpp"
#include "sim/config/library.hpp"
#include "sim/config/override.hpp"
#include "sim/workload/network.hpp"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace systole {

/// The values of all `--set` options. One for a document that is not among those that the command
/// reads is a fault.
[[nodiscard]] std::vector<Override> parse_overrides(const std::vector<std::string>& options,
                                                    const std::set<DocumentKind>& documents);

/// A chip, and what its actions cost.
struct LoadedChip {
    models::ChipConfig chip;
    models::Technology technology;
    std::vector<std::filesystem::path> files;  ///< that they were read from

    /// The chip after `extends`, overrides and defaults.
    [[nodiscard]] Node document() const;
};

/// Reads a chip by path or name, and its technology. Throws InputError with every fault.
[[nodiscard]] LoadedChip load_chip(const std::string& name, const std::vector<Override>& overrides);

/// Reads a technology by path or name.
[[nodiscard]] models::Technology load_technology(const std::string& name,
                                                 const std::vector<Override>& overrides,
                                                 std::vector<std::filesystem::path>& files);

/// A network after `extends`, overrides and defaults.
[[nodiscard]] Node document_of(const Network& network);

/// What a network is in that names no format: the first one of the chip.
[[nodiscard]] numerics::Format native_format(const models::ChipConfig& chip);

/// What kind of document a user means: by its keys where it is a file, by the folder it is found
/// in where it is a name. Throws InputError.
[[nodiscard]] DocumentKind kind_of_document(const std::string& name);

}  // namespace systole
