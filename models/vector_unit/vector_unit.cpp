#include "models/vector_unit/vector_unit.hpp"

#include "models/core/trace.hpp"
#include "models/sram/sram.hpp"
#include "models/vector_unit/vector_cost.hpp"
#include "models/vector_unit/vector_values.hpp"

#include <string>
#include <variant>

namespace systole::models {

VectorUnit::VectorUnit(const sc_core::sc_module_name& name, CoreContext& context,
                       const VectorUnitConfig& config)
    : Unit{name, context},
      config_{config} {}

void VectorUnit::latch(const Instruction& instruction, Cycles now) {
    SYSTOLE_ASSERT(latched_ == nullptr, "the latch of the vector unit is taken");
    latched_ = &instruction;
    if (current_ == nullptr) {
        start(now);
    }
}

void VectorUnit::advance(Cycles now) {
    // More than once where instructions take no time.
    while (current_ != nullptr && ends_ <= now) {
        SYSTOLE_ASSERT(ends_ == now, "the vector unit slept over the end of an instruction");
        finish();
        if (latched_ != nullptr) {
            start(now);
        }
    }
}

void VectorUnit::start(Cycles now) {
    current_ = latched_;
    latched_ = nullptr;
    const auto cost = cost_of(std::get<Vector>(current_->work), view_of(*current_), config_,
                              context().scratchpad->config());
    started_ = now;
    ends_ = now + cost.duration;
    auto& counters = context().count(*current_);
    counters.scratchpad_reads += cost.scratchpad_reads;
    counters.scratchpad_writes += cost.scratchpad_writes;
    counters.scratchpad_read_bytes += cost.scratchpad_read_bytes.count();
    counters.scratchpad_write_bytes += cost.scratchpad_write_bytes.count();
    counters.accumulator_reads += cost.accumulator_reads;
    counters.vector_elements += cost.elements;
    counters.vector_adds += cost.adds;
    counters.vector_multiplies += cost.multiplies;
    context().accepts_again();
}

void VectorUnit::finish() {
    if (context().values) {
        evaluate(std::get<Vector>(current_->work), view_of(*current_), *context().scratchpad,
                 *context().accumulators);
    }
    if (context().trace != nullptr) {
        context().trace->span("core" + std::to_string(context().core) + ".vector", "vector",
                              current_->layer, started_, ends_);
    }
    current_ = nullptr;
    ends_ = never;
    context().reached(Milestone::computed);
}

const ConvView* VectorUnit::view_of(const Instruction& instruction) const {
    return instruction.view < 0 ? nullptr : &context().view(instruction);
}

}  // namespace systole::models
