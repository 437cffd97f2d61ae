#pragma once

#include "models/matrix_unit/pe_array.hpp"

#include <atomic>
#include <functional>
#include <optional>
#include <string>

namespace systole {

struct RtlOptions {
    std::optional<std::string> library;       ///< of a PE; else our own Verilog is built
    bool lockstep = false;                    ///< each runs beside the model, and is compared
    const std::atomic<bool>* stop = nullptr;  ///< ends the building
    std::function<void()> building;           ///< called before it
};

/// Makes the arrays of Fidelity::rtl, our own when they are first asked for. Throws InputError when
/// they cannot be made, and Interrupted.
[[nodiscard]] models::PeArrayMaker rtl_arrays(const RtlOptions& options);

}  // namespace systole
