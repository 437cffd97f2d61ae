#pragma once

#include "models/core/unit.hpp"
#include "models/matrix_unit/matrix_config.hpp"
#include "models/matrix_unit/pe_array.hpp"
#include "models/matrix_unit/wave_config.hpp"

#include <memory>
#include <optional>

namespace systole::models {

/// In what detail the matrix unit is simulated. The answer does not depend on it.
enum class Fidelity {
    fast,   ///< it knows when each tile starts and ends
    cycle,  ///< every register of every PE moves in every cycle
    rtl,    ///< the PEs and the wires between them are Verilog
};

/// The unit of this kind and fidelity. `rtl` makes the arrays of Fidelity::rtl. A wave is VCD at
/// Fidelity::cycle and FST at Fidelity::rtl.
[[nodiscard]] std::unique_ptr<Unit> make_matrix_unit(const sc_core::sc_module_name& name,
                                                     const MatrixConfig& config, Fidelity fidelity,
                                                     CoreContext& context,
                                                     const std::optional<WaveConfig>& wave = {},
                                                     const PeArrayMaker& rtl = {});

}  // namespace systole::models
