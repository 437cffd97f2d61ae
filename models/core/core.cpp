#include "models/core/core.hpp"

#include "models/vector_unit/vector_unit.hpp"

#include <utility>
#include <variant>

namespace systole::models {
namespace {

Accumulators accumulators_for(const MatrixConfig& config, bool values) {
    return std::visit(
        [&](const auto& c) {
            return Accumulators{c.accumulators, c.cols, values};
        },
        config);
}

}  // namespace

Core::Core(const sc_core::sc_module_name& name, int number, const CoreConfig& config,
           const Program& program, int layers, Fidelity fidelity, bool values,
           const std::optional<WaveConfig>& wave, const CoreSurroundings& surroundings)
    : sc_module{name},
      scratchpad_{config.scratchpad, values},
      accumulators_{accumulators_for(config.matrix, values)},
      counters_(static_cast<std::size_t>(layers)),
      context_{.core = number,
               .program = &program,
               .counters = &counters_,
               .scratchpad = &scratchpad_,
               .accumulators = &accumulators_,
               .values = values,
               .trace = surroundings.trace,
               .control = &surroundings.control,
               .reached = [&board = surroundings.scoreboard,
                           number](Milestone milestone) { board.reached(number, milestone); },
               .accepts_again = [this] { sequencer_->look_again(); }} {
    auto& interconnect = surroundings.interconnect;
    units_[static_cast<std::size_t>(Queue::load)] =
        std::make_unique<Dma>("load", Queue::load, context_, interconnect, surroundings.image);
    units_[static_cast<std::size_t>(Queue::matrix)] =
        make_matrix_unit("matrix", config.matrix, fidelity, context_, wave, surroundings.rtl);
    units_[static_cast<std::size_t>(Queue::vector)] =
        std::make_unique<VectorUnit>("vector", context_, config.vector);
    units_[static_cast<std::size_t>(Queue::store)] =
        std::make_unique<Dma>("store", Queue::store, context_, interconnect, surroundings.image);
    Sequencer::Units units{};
    for (std::size_t q = 0; q < queue_count; ++q) {
        units[q] = units_[q].get();
    }
    sequencer_ = std::make_unique<Sequencer>("sequencer", number, program, surroundings.scoreboard,
                                             units, surroundings.control, surroundings.issued);
}

Core::~Core() = default;

}  // namespace systole::models
