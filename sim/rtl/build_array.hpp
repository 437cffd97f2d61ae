#pragma once

#include "models/matrix_unit/pe_array.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace systole {

/// The array, or the PE, that a library is to hold.
struct ArraySpec {
    numerics::Format format = numerics::Format::int8;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    bool shadow = true;
    /// The whole array is Verilated, for its rows and columns; else one PE, which is put together
    /// to an array of any size.
    bool whole = true;
    models::PeDesign design{};                ///< for the format
    bool wave = false;                        ///< it can write waveforms
    std::optional<std::filesystem::path> pe;  ///< the user's own
    std::string top;                          ///< its module; empty: as its file is named
};

/// The form that runs faster, with its building, for arrays of this size.
[[nodiscard]] bool better_whole(std::int64_t rows, std::int64_t cols);

/// Runs Verilator and the compiler and writes the library to `target`. Throws InputError, with
/// what the tools say of the user's file, when they are missing or refuse it, and Interrupted.
void build_array(const ArraySpec& spec, const std::filesystem::path& target,
                 const std::atomic<bool>* stop = nullptr);

/// Our own array from the user's cache, built when it is not there yet. Runs at the same time build
/// once. `building` is called before one is built. Throws as build_array does.
[[nodiscard]] std::filesystem::path cached_array(const ArraySpec& spec,
                                                 const std::atomic<bool>* stop = nullptr,
                                                 const std::function<void()>& building = {});

}  // namespace systole
