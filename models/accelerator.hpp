#pragma once

#include "models/chip_config.hpp"
#include "models/core/counters.hpp"
#include "models/core/kernel.hpp"
#include "models/core/program.hpp"
#include "models/core/trace.hpp"
#include "models/core/unit.hpp"
#include "models/interconnect/memory_image.hpp"
#include "models/matrix_unit/matrix_unit.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

namespace systole::models {

class Core;
class Interconnect;
class LayerClock;
class Scoreboard;

struct RunOptions {
    Fidelity fidelity = Fidelity::fast;
    PeArrayMaker rtl;  ///< of the arrays at rtl fidelity
    bool values = false;
    std::optional<WaveConfig> wave;  ///< of core 0's array, at cycle and rtl fidelity
    Trace* trace = nullptr;
    const std::atomic<bool>* stop = nullptr;  ///< ends the run early when it becomes true
    std::function<void(int layer, Cycles now)> layer_ended;  ///< for a progress display
};

/// What a run did in one layer, all cores together.
struct LayerRecord {
    Cycles start;  ///< its first instruction was taken up (a load for it may run far ahead)
    Cycles end;    ///< its last instruction ended, and so had all earlier layers
    Counters counters;
    /// Of the matrix units, between the end of the layer before and this one's.
    CycleLedger matrix_cycles;

    bool operator==(const LayerRecord&) const = default;
};

struct UnitRecord {
    int core = 0;
    Queue queue{};
    CycleLedger cycles;

    bool operator==(const UnitRecord&) const = default;
};

/// What a run did. Equal for equal programs, whatever the fidelity.
struct RunRecord {
    Cycles cycles;
    std::vector<LayerRecord> layers;
    std::vector<UnitRecord> units;

    bool operator==(const RunRecord&) const = default;
};

/// The machine: cores, interconnect and memories, elaborated once and run once.
class Accelerator : public sc_core::sc_module {
public:
    /// `programs`: one per core, valid until the run is over. `layers`: how many they speak of.
    Accelerator(const sc_core::sc_module_name& name, const ChipConfig& chip,
                const std::vector<Program>& programs, int layers, const RunOptions& options);
    ~Accelerator() override;

    /// The bytes of the memories; sized and filled before the run when values are carried.
    [[nodiscard]] MemoryImage& image() { return image_; }

    /// Runs to the end. Throws SimulationFault on a deadlock, naming what each queue waits for, and
    /// `Interrupted` when told to stop. Cycle accounts are closed: each unit's causes add up to the
    /// run's cycles.
    RunRecord run();

private:
    void reached(int core, Milestone milestone, std::int64_t count);
    void close_layers();
    [[nodiscard]] RunRecord record();

    RunOptions options_;
    RunControl control_;
    MemoryImage image_;
    std::unique_ptr<Scoreboard> scoreboard_;
    std::unique_ptr<Interconnect> interconnect_;
    std::vector<std::unique_ptr<Core>> cores_;
    std::unique_ptr<LayerClock> layer_clock_;
    std::vector<LayerRecord> layers_;  ///< of the layers that are over
};

}  // namespace systole::models
