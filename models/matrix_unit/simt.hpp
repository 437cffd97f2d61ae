#pragma once

#include "models/core/unit.hpp"
#include "models/matrix_unit/matrix_config.hpp"
#include "models/matrix_unit/operand.hpp"

#include <string>
#include <variant>
#include <vector>

namespace systole::models {

/// One step of a simt unit: `lanes` multiply-accumulates on adjacent columns of one (i, k). Nothing
/// is reused: the element of the left matrix, those of the right one and the partial sums come from
/// the scratchpad, a beat of the port a cycle, and the sums go back there. The first products of a
/// tile that overwrites read no partial sums.
struct SimtStep {
    std::int64_t west = 1;  ///< beats, as all of these
    std::int64_t north = 0;
    std::int64_t sums_read = 0;
    std::int64_t sums_written = 0;

    [[nodiscard]] std::int64_t beats() const { return west + north + sums_read + sums_written; }
};
[[nodiscard]] SimtStep simt_step(std::int64_t lanes, bool reads_sums, std::int64_t element,
                                 std::int64_t width);

/// What the simulations of a simt unit have in common: one Stream runs, the next one is latched.
class Simt : public Unit {
public:
    Simt(const sc_core::sc_module_name& name, const SimtConfig& config, CoreContext& context);

    [[nodiscard]] bool idle() const override { return latched_ == nullptr && running_ == nullptr; }

protected:
    [[nodiscard]] const SimtConfig& config() const { return config_; }
    [[nodiscard]] std::int64_t width() const { return width_; }
    [[nodiscard]] std::int64_t element() const;
    [[nodiscard]] const Instruction* running() const { return running_; }
    [[nodiscard]] const Stream& stream() const;
    [[nodiscard]] OperandReader reader(const Operand& operand) const;

    /// The running Stream begins at `now`.
    virtual void begin(Cycles now) = 0;
    /// The running Stream ends at `now`, and the latched one begins.
    void finish(Cycles now);

    void latch(const Instruction& instruction, Cycles now) override;
    [[nodiscard]] bool latch_free() const override { return latched_ == nullptr; }
    [[nodiscard]] Cause cause_now() const override {
        return running_ != nullptr ? Cause::active : waiting();
    }

private:
    void start(Cycles now);

    SimtConfig config_;
    std::int64_t width_;  ///< w: bytes a cycle through the port
    std::string lane_;
    Cycles from_;
    const Instruction* latched_ = nullptr;
    const Instruction* running_ = nullptr;
};

/// Knows the end of a Stream when it starts.
class SimtFast final : public Simt {
public:
    using Simt::Simt;

private:
    void begin(Cycles now) override;
    void advance(Cycles now) override;
    [[nodiscard]] Cycles next_event() const override { return running() ? end_ : never; }

    Cycles end_;
};

/// Takes one beat after the other, and works on the operands that have come with them.
class SimtCycle final : public Simt {
public:
    using Simt::Simt;

private:
    void begin(Cycles now) override;
    void advance(Cycles now) override;
    [[nodiscard]] Cycles next_event() const override {
        return running() ? cycle_ + Cycles{1} : never;
    }
    void begin_step();
    void run_beat();
    void look_up();
    void multiply_add();
    void count_step();
    [[nodiscard]] std::int64_t lanes_now() const;

    Cycles cycle_;  ///< the next to run
    std::int64_t i_ = 0;
    std::int64_t k_ = 0;
    std::int64_t j_ = 0;  ///< first column of the group
    std::int64_t beats_left_ = 0;
    SimtStep step_;
    /// Row i of the one operand and column k of the other, as they lie in the scratchpad.
    template <class Element>
    struct Elements {
        std::vector<Element> row;
        std::vector<Element> column;
    };
    std::variant<Elements<std::int8_t>, Elements<float>> elements_;
};

}  // namespace systole::models
