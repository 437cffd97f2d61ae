#include "sim/run/simulate.hpp"

#include "models/core/kernel.hpp"
#include "sim/run/values.hpp"

namespace systole {

Simulation simulate(const Graph& graph, const models::ChipConfig& chip, const Mapping& mapping,
                    const models::RunOptions& options, std::uint64_t seed) {
    models::silence_kernel();
    models::Accelerator accelerator{"chip", chip, mapping.programs,
                                    static_cast<int>(graph.operators.size()), options};
    Simulation simulation;
    if (options.values) {
        accelerator.image().resize(mapping.dram_used, mapping.shared_used);
        fill(accelerator.image(), graph, mapping, seed);
    }
    simulation.record = accelerator.run();
    if (options.values) {
        simulation.tensors = read_back(accelerator.image(), graph, mapping);
    }
    return simulation;
}

}  // namespace systole
