#pragma once

#include "sim/rtl/build_array.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace systole {

struct PeCheck {
    ArraySpec pe;  ///< without a size
    std::uint64_t seed = 1;
    std::int64_t cycles = 20'000;               ///< of random work, for each array
    std::optional<std::filesystem::path> wave;  ///< a waveform (FST) around the first difference
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
    /// With which it would conform, if it is a choice that was not declared.
    std::optional<models::PeDesign> conforms_as;
};

/// Builds the user's PE and compares it, alone and in a small array, with the contract: reset,
/// reset in the middle, tiles one behind the other, stalls, extremes, and random work. Every output
/// of every PE is compared in every cycle. Throws as build_array() does, and InputError when the
/// waveform cannot be written.
[[nodiscard]] PeVerdict check_pe(const PeCheck& check);

}  // namespace systole
