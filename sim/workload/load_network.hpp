#pragma once

#include "sim/config/override.hpp"
#include "sim/workload/network.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace systole {

struct LoadedNetwork {
    Network network;
    std::vector<std::filesystem::path> files;  ///< its documents, then its files of numbers
};

/// Reads a workload by path or name. Throws InputError with every fault of form.
[[nodiscard]] LoadedNetwork load_network(const std::string& name,
                                         const std::vector<Override>& overrides);

}  // namespace systole
