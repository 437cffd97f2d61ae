#pragma once

#include "models/core/unit.hpp"
#include "models/vector_unit/vector_config.hpp"

namespace systole::models {

/// The lanes beside the array: activations, pools, requantisation, residual sums. Works on one
/// instruction at a time, for the time that `cost_of()` gives; the next one waits in the latch and
/// starts in the cycle in which the one before ends. The target is written, and `computed` posted,
/// at the end.
class VectorUnit : public Unit {
public:
    VectorUnit(const sc_core::sc_module_name& name, CoreContext& context,
               const VectorUnitConfig& config);

    [[nodiscard]] bool idle() const override { return current_ == nullptr && latched_ == nullptr; }

protected:
    void advance(Cycles now) override;
    void latch(const Instruction& instruction, Cycles now) override;
    [[nodiscard]] bool latch_free() const override { return latched_ == nullptr; }
    [[nodiscard]] Cycles next_event() const override { return ends_; }
    [[nodiscard]] Cause cause_now() const override {
        return current_ != nullptr ? Cause::active : waiting();
    }

private:
    void start(Cycles now);
    void finish();
    [[nodiscard]] const ConvView* view_of(const Instruction& instruction) const;

    VectorUnitConfig config_;
    const Instruction* latched_ = nullptr;
    const Instruction* current_ = nullptr;  ///< in work until `ends_`
    Cycles started_;
    Cycles ends_ = never;
};

}  // namespace systole::models
