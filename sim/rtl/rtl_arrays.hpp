#pragma once

#include "models/matrix_unit/pe_array.hpp"

#include <optional>
#include <string>

namespace systole {

/// Makes the arrays of Fidelity::rtl: of the PE in `library`, or of our own Verilog, built when it
/// is first asked for. With `lockstep` each runs beside the model and is compared in every cycle.
/// Throws InputError when they cannot be made.
[[nodiscard]] models::PeArrayMaker rtl_arrays(const std::optional<std::string>& library,
                                              bool lockstep);

}  // namespace systole
