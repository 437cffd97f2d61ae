#pragma once

#include "models/base/units.hpp"

#include <filesystem>

namespace systole::models {

/// A window of cycles of which the signals of an array are written to a file, of which cycle n
/// takes nanosecond n.
struct WaveConfig {
    std::filesystem::path path;
    Cycles from;
    Cycles cycles = never;

    [[nodiscard]] bool covers(Cycles cycle) const { return cycle >= from && cycle - from < cycles; }
};

}  // namespace systole::models
