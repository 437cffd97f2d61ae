#include "models/matrix_unit/matrix_unit.hpp"

#include "models/matrix_unit/simt.hpp"
#include "models/matrix_unit/systolic_cycle.hpp"
#include "models/matrix_unit/systolic_fast.hpp"

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace systole::models {
namespace {

[[noreturn]] void no_wave(const char* what) {
    std::vector<Fault> faults(1);
    faults.front().what = std::string{"there is no wave of "} + what;
    faults.front().hint = "--wave needs a systolic matrix unit and --fidelity cycle";
    throw InputError{std::move(faults)};
}

std::unique_ptr<Unit> make(const sc_core::sc_module_name& name, const SystolicConfig& config,
                           Fidelity fidelity, CoreContext& context,
                           const std::optional<WaveConfig>& wave, const PeArrayMaker& rtl) {
    if (fidelity != Fidelity::fast) {
        SYSTOLE_ASSERT(fidelity != Fidelity::rtl || rtl, "nothing makes the arrays of the RTL");
        return std::make_unique<SystolicCycle>(name, config, context, wave,
                                               fidelity == Fidelity::rtl ? rtl : PeArrayMaker{});
    }
    if (wave) {
        no_wave("an array that is simulated at fidelity 'fast'");
    }
    return std::make_unique<SystolicFast>(name, config, context);
}

std::unique_ptr<Unit> make(const sc_core::sc_module_name& name, const SimtConfig& config,
                           Fidelity fidelity, CoreContext& context,
                           const std::optional<WaveConfig>& wave, const PeArrayMaker& /*rtl*/) {
    if (wave) {
        no_wave("a simt unit");
    }
    if (fidelity != Fidelity::fast) {
        return std::make_unique<SimtCycle>(name, config, context);
    }
    return std::make_unique<SimtFast>(name, config, context);
}

}  // namespace

std::unique_ptr<Unit> make_matrix_unit(const sc_core::sc_module_name& name,
                                       const MatrixConfig& config, Fidelity fidelity,
                                       CoreContext& context, const std::optional<WaveConfig>& wave,
                                       const PeArrayMaker& rtl) {
    return std::visit(
        [&](const auto& kind) { return make(name, kind, fidelity, context, wave, rtl); }, config);
}

}  // namespace systole::models
