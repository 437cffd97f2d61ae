#include "models/accelerator.hpp"

#include "models/base/interruption.hpp"
#include "models/core/core.hpp"
#include "models/core/scoreboard.hpp"
#include "models/interconnect/interconnect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace systole::models {
namespace {

/// The milestone at which an instruction has ended.
Milestone end_of(const Instruction& instruction) {
    static constexpr std::array<Milestone, 5> ends{Milestone::loaded, Milestone::preloaded,
                                                   Milestone::summed, Milestone::computed,
                                                   Milestone::stored};
    return ends[instruction.work.index()];
}

}  // namespace

/// Which layer each milestone of a core belongs to, and which layers are over.
class LayerClock {
public:
    LayerClock(const std::vector<Program>& programs, int layers)
        : open_(static_cast<std::size_t>(layers)),
          start_(static_cast<std::size_t>(layers), never),
          layer_of_(programs.size()) {
        for (std::size_t core = 0; core < programs.size(); ++core) {
            for (const auto& queue : programs[core].queues) {
                for (const auto& instruction : queue) {
                    ++open_[static_cast<std::size_t>(instruction.layer)];
                    layer_of_[core][static_cast<std::size_t>(end_of(instruction))].push_back(
                        instruction.layer);
                }
            }
        }
    }

    void started(int layer, Cycles now) {
        auto& start = start_[static_cast<std::size_t>(layer)];
        start = std::min(start, now);
    }

    /// True when that was the last instruction of its layer.
    bool ended(int core, Milestone milestone, std::int64_t count) {
        const auto& layers =
            layer_of_[static_cast<std::size_t>(core)][static_cast<std::size_t>(milestone)];
        if (milestone == Milestone::streamed) {
            return false;
        }
        const int layer = layers[static_cast<std::size_t>(count - 1)];
        return --open_[static_cast<std::size_t>(layer)] == 0;
    }

    /// The next layer, in order, if it is over.
    [[nodiscard]] bool next_is_over() const {
        return closed_ < open_.size() && open_[closed_] == 0;
    }
    std::size_t close_next() { return closed_++; }
    [[nodiscard]] Cycles start(std::size_t layer) const { return start_[layer]; }

private:
    std::vector<std::int64_t> open_;  ///< instructions not ended, per layer
    std::vector<Cycles> start_;
    std::vector<std::array<std::vector<int>, milestone_count>> layer_of_;
    std::size_t closed_ = 0;
};

Accelerator::Accelerator(const sc_core::sc_module_name& name, const ChipConfig& chip,
                         const std::vector<Program>& programs, int layers,
                         const RunOptions& options)
    : sc_module{name},
      options_{options},
      control_{options.stop},
      scoreboard_{std::make_unique<Scoreboard>(programs.size())},
      interconnect_{std::make_unique<Interconnect>(
          "interconnect", chip.interconnect, make_memory(chip.memory, chip.clock),
          chip.shared_sram ? make_shared_sram(*chip.shared_sram) : nullptr, control_,
          options.trace)},
      layer_clock_{std::make_unique<LayerClock>(programs, layers)} {
    layers_.reserve(static_cast<std::size_t>(layers));
    const CoreSurroundings surroundings{*scoreboard_,
                                        *interconnect_,
                                        image_,
                                        control_,
                                        options.trace,
                                        [this](const Instruction& i) { layer_clock_->started(i.layer, present_cycle()); },
                                        options.rtl};
    for (std::size_t core = 0; core < programs.size(); ++core) {
        const auto wave = core == 0 ? options.wave : std::nullopt;
        cores_.push_back(std::make_unique<Core>(
            fmt::format("core{}", core).c_str(), static_cast<int>(core), chip.core, programs[core],
            layers, options.fidelity, options.values, wave, surroundings));
    }
    scoreboard_->listen([this](int core, Milestone milestone, std::int64_t count) {
        reached(core, milestone, count);
    });
}

Accelerator::~Accelerator() = default;

void Accelerator::reached(int core, Milestone milestone, std::int64_t count) {
    for (const auto& c : cores_) {
        c->sequencer().look_again_at(core);
    }
    if (layer_clock_->ended(core, milestone, count)) {
        close_layers();
    }
}

/// Layers are closed in order: one that ends before an earlier one ends with it.
void Accelerator::close_layers() {
    while (layer_clock_->next_is_over()) {
        const std::size_t layer = layer_clock_->close_next();
        const Cycles now = present_cycle();
        LayerRecord record;
        record.start = std::min(layer_clock_->start(layer), now);
        record.end = now;
        for (const auto& core : cores_) {
            record.matrix_cycles += core->unit(Queue::matrix).ledger_at(now);
        }
        layers_.push_back(record);
        if (options_.layer_ended) {
            options_.layer_ended(static_cast<int>(layer), now);
        }
    }
}

RunRecord Accelerator::run() {
    close_layers();  // those without an instruction
    sc_core::sc_start();
    control_.rethrow();
    if (control_.stop_requested()) {
        throw Interrupted{fmt::format("interrupted at cycle {}", present_cycle().count())};
    }
    const bool finished =
        std::ranges::all_of(cores_, [](const auto& core) { return core->sequencer().finished(); });
    if (!finished) {
        std::string text = fmt::format("deadlock at cycle {}:\n", present_cycle().count());
        for (const auto& core : cores_) {
            text += core->sequencer().state();
        }
        throw SimulationFault{text};
    }
    return record();
}

RunRecord Accelerator::record() {
    RunRecord record;
    record.cycles = layers_.empty() ? Cycles{0} : layers_.back().end;
    for (std::size_t core = 0; core < cores_.size(); ++core) {
        for (std::size_t q = 0; q < queue_count; ++q) {
            Unit& unit = cores_[core]->unit(static_cast<Queue>(q));
            record.units.push_back(
                {static_cast<int>(core), static_cast<Queue>(q), unit.ledger_at(record.cycles)});
            SYSTOLE_ASSERT(record.units.back().cycles.total() == record.cycles,
                           "the cycle account of a unit is not closed");
        }
    }
    // The snapshots at the layers' ends become what was spent in between.
    record.layers = std::move(layers_);
    CycleLedger before;
    for (std::size_t layer = 0; layer < record.layers.size(); ++layer) {
        const CycleLedger after = record.layers[layer].matrix_cycles;
        record.layers[layer].matrix_cycles = before.until(after);
        before = after;
        for (const auto& core : cores_) {
            record.layers[layer].counters += core->counters()[layer];
        }
    }
    return record;
}

}  // namespace systole::models
