#pragma once

#include "models/numerics/format.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace systole {

struct PeCheck {
    std::filesystem::path file;
    std::string top;  ///< its module; empty: as the file is named
    numerics::Format format = numerics::Format::int8;
    bool shadow = true;
    std::uint64_t seed = 1;
    std::int64_t cycles = 20'000;  ///< of random work, for each array
    const std::atomic<bool>* stop = nullptr;
};

/// The first cycle in which a PE differs from the contract.
struct PeDifference {
    std::int64_t rows = 0;  ///< of the array that was tried
    std::int64_t cols = 0;
    std::int64_t cycle = 0;
    std::int64_t r = 0;
    std::int64_t c = 0;
    std::string signal;
    std::string expected;
    std::string got;
    std::string history;  ///< a table of what the PE saw and did up to that cycle
};

struct PeVerdict {
    std::int64_t cycles = 0;  ///< that were compared
    std::optional<PeDifference> difference;
};

/// Builds the user's PE and compares it, alone and in a small array, with the contract: reset,
/// reset in the middle, tiles one behind the other, stalls, extremes, and random work. Every output
/// of every PE is compared in every cycle. Throws as build_array() does.
[[nodiscard]] PeVerdict check_pe(const PeCheck& check);

}  // namespace systole
