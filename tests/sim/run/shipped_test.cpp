// Every shipped workload on every shipped chip: it runs or is refused in words, and where `cycle`
// can follow in a moment, it says the same as `fast`.

#include "sim/mapping/mapper.hpp"
#include "sim/run/load.hpp"
#include "sim/run/simulate.hpp"
#include "sim/workload/load_network.hpp"
#include "tests/support/systemc.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace systole {
namespace {

namespace fs = std::filesystem;

#if defined(__SANITIZE_ADDRESS__)
constexpr double pe_cycles_at_most = 1e8;
constexpr double busy_cycles_at_most = 1e5;
#else
constexpr double pe_cycles_at_most = 1e9;
constexpr double busy_cycles_at_most = 2e6;
#endif

std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator{folder}) {
        const auto name = entry.path().lexically_relative(folder).replace_extension();
        if (entry.path().extension() == ".yaml") {
            names.push_back(name.string());
        }
    }
    return names;
}

std::vector<std::string> chips() {
    auto names = names_in(fs::path{SYSTOLE_SOURCE_DIR} / "configs");
    std::erase_if(names, [](const auto& name) { return name.find('/') != std::string::npos; });
    return names;
}

/// What the chip would take at its peak: a measure of the tiles that it takes.
double busy_cycles(const Graph& graph, const models::ChipConfig& chip) {
    double macs = 0;
    for (const auto& op : graph.operators) {
        macs += static_cast<double>(op.macs);
    }
    return macs / static_cast<double>(chip.peak_macs_per_cycle());
}

models::RunRecord run(const Graph& graph, const models::ChipConfig& chip, const Mapping& mapping,
                      models::Fidelity fidelity) {
    const test::SystemCContext context;
    models::RunOptions options;
    options.fidelity = fidelity;
    return simulate(graph, chip, mapping, options, 1).record;
}

/// Whether the chip multiplies what the network multiplies.
bool multiplies(const models::ChipConfig& chip, const Graph& graph) {
    const auto& formats = std::visit(
        [](const auto& matrix) -> const auto& { return matrix.formats; }, chip.core.matrix);
    return std::ranges::all_of(graph.operators, [&](const Operator& op) {
        return op.kind != Operator::Kind::matrix || std::ranges::count(formats, op.view.format) > 0;
    });
}

class Shipped : public testing::TestWithParam<std::string> {};

TEST_P(Shipped, RunsTheSameAtBothFidelities) {
    const LoadedChip chip = load_chip(GetParam(), {});
    int compared = 0;
    for (const auto& workload : names_in(fs::path{SYSTOLE_SOURCE_DIR} / "workloads")) {
        SCOPED_TRACE(workload);
        const Graph graph =
            build_graph(load_network(workload, {}).network, native_format(chip.chip));
        if (busy_cycles(graph, chip.chip) > busy_cycles_at_most) {
            continue;
        }
        if (!multiplies(chip.chip, graph)) {
            EXPECT_THROW(static_cast<void>(map_graph(graph, chip.chip)), InputError);
            continue;
        }
        const Mapping mapping = map_graph(graph, chip.chip);
        const auto fast = run(graph, chip.chip, mapping, models::Fidelity::fast);
        if (static_cast<double>(fast.cycles.count()) *
                static_cast<double>(chip.chip.peak_macs_per_cycle()) <=
            pe_cycles_at_most) {
            ++compared;
            EXPECT_TRUE(run(graph, chip.chip, mapping, models::Fidelity::cycle) == fast);
        }
    }
    EXPECT_GT(compared, 0);
}

INSTANTIATE_TEST_SUITE_P(Chips, Shipped, testing::ValuesIn(chips()),
                         [](const auto& chip) { return chip.param; });

}  // namespace
}  // namespace systole
