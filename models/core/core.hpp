#pragma once

#include "models/chip_config.hpp"
#include "models/core/scoreboard.hpp"
#include "models/core/sequencer.hpp"
#include "models/core/unit.hpp"
#include "models/dma/dma.hpp"
#include "models/interconnect/interconnect.hpp"
#include "models/interconnect/memory_image.hpp"
#include "models/matrix_unit/matrix_unit.hpp"
#include "models/sram/sram.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

namespace systole::models {

/// What a core shares with the rest of the chip.
struct CoreSurroundings {
    Scoreboard& scoreboard;
    Interconnect& interconnect;
    MemoryImage& image;
    RunControl& control;
    Trace* trace = nullptr;
    Sequencer::Issued issued;
    const PeArrayMaker& rtl;
};

/// A core: sequencer, matrix unit, vector unit, scratchpad with accumulators, and the two
/// directions of its DMA engine.
class Core : public sc_core::sc_module {
public:
    Core(const sc_core::sc_module_name& name, int number, const CoreConfig& config,
         const Program& program, int layers, Fidelity fidelity, bool values,
         const std::optional<WaveConfig>& wave, const CoreSurroundings& surroundings);
    ~Core() override;

    [[nodiscard]] Sequencer& sequencer() { return *sequencer_; }
    [[nodiscard]] Unit& unit(Queue queue) { return *units_[static_cast<std::size_t>(queue)]; }
    [[nodiscard]] const std::vector<Counters>& counters() const { return counters_; }

private:
    Sram scratchpad_;
    Accumulators accumulators_;
    std::vector<Counters> counters_;
    CoreContext context_;
    std::array<std::unique_ptr<Unit>, queue_count> units_;
    std::unique_ptr<Sequencer> sequencer_;
};

}  // namespace systole::models
