// What the mapper chooses against what it could have chosen, both simulated.

#include "sim/mapping/mapper.hpp"
#include "sim/run/load.hpp"
#include "sim/run/simulate.hpp"
#include "sim/workload/load_network.hpp"
#include "tests/support/systemc.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace systole {
namespace {

constexpr std::uint64_t seed = 20261201;
#if defined(__SANITIZE_ADDRESS__)
constexpr int cases = 6;
#else
constexpr int cases = 200;
#endif

struct Taken {
    std::int64_t cycles = 0;
    std::int64_t bytes = 0;  ///< off the chip
};

class Layer {
public:
    explicit Layer(std::mt19937_64& random) : random_{random} {
        chip_ = pick({"tiny_4x4", "edge_32x32", "tpu_v1", "tpu_v4i", "scalesim_8"});
        const std::int64_t side = chip_ == "tiny_4x4"     ? 4
                                  : chip_ == "scalesim_8" ? 8
                                  : chip_ == "edge_32x32" ? 32
                                                          : 128;
        for (std::int64_t* size : {&m, &n, &k}) {
            *size = between(1, 12 * side);
        }
        settings_ = {"workload.m=" + std::to_string(m), "workload.n=" + std::to_string(n),
                     "workload.k=" + std::to_string(k), "chip.cores=1"};
        if (between(0, 1) == 0) {
            settings_.push_back("chip.core.matrix.accumulators=" +
                                std::to_string(side * between(1, 16)));
        }
    }

    [[nodiscard]] Taken take(const std::vector<std::string>& more) const {
        std::vector<Override> overrides;
        for (const auto* settings : {&settings_, &more}) {
            for (const auto& setting : *settings) {
                overrides.push_back(parse_override(setting));
            }
        }
        const LoadedChip chip = load_chip(chip_, overrides);
        const Graph graph = build_graph(load_network("gemm", overrides).network, Format::int8);
        const Mapping mapping = map_graph(graph, chip.chip);
        const test::SystemCContext context;
        const auto record = simulate(graph, chip.chip, mapping, {}, 1).record;
        std::int64_t bytes = 0;
        for (const LayerMapping& layer : mapping.layers) {
            bytes += (layer.input_bytes + layer.weight_bytes + layer.output_bytes).count();
        }
        return {record.cycles.count(), bytes};
    }

    [[nodiscard]] std::string name() const {
        std::string text = chip_;
        for (const auto& setting : settings_) {
            text += " " + setting;
        }
        return text;
    }
    [[nodiscard]] std::int64_t between(std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution{low, high}(random_);
    }

    std::int64_t m = 0, n = 0, k = 0;

private:
    std::string pick(const std::vector<std::string>& names) {
        return names[static_cast<std::size_t>(
            between(0, static_cast<std::int64_t>(names.size()) - 1))];
    }

    std::mt19937_64& random_;
    std::string chip_;
    std::vector<std::string> settings_;
};

std::string mapped(const std::string& choice) {
    return "workload.layers.0.dense.mapping={" + choice + "}";
}

/// By hand a layer may be mapped a little better, never much: the order of tiles in the queues and
/// the turns at the memory are beyond the closed forms that choose.
TEST(MappingQuality, NoMappingByHandIsMuchBetter) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random{seed};
    double regret = 0;
    for (int i = 0; i < cases; ++i) {
        Layer layer{random};
        SCOPED_TRACE(layer.name());
        const Taken chosen = layer.take({});
        double best = 1;
        for (int attempt = 0; attempt < 12; ++attempt) {
            std::string choice;
            if (attempt % 3 != 1) {
                choice += "rows: " + std::to_string(layer.between(1, layer.m));
            }
            if (attempt % 3 != 0) {
                choice += (choice.empty() ? "" : ", ") + std::string{"outputs: "} +
                          std::to_string(layer.between(1, layer.n));
            }
            choice += attempt % 2 == 0 ? ", order: rows_outer" : ", order: outputs_outer";
            const Taken by_hand = layer.take({mapped(choice)});
            if (by_hand.bytes <= chosen.bytes) {
                best = std::max(
                    best, static_cast<double>(chosen.cycles) / static_cast<double>(by_hand.cycles));
                EXPECT_LT(best, 1.25) << choice;
            }
        }
        regret += best - 1;
    }
    EXPECT_LT(regret / cases, 0.03);
}

TEST(MappingQuality, MoreCoresAreUsedOnlyWhereTheyPay) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random{seed};
    for (int i = 0; i < cases; ++i) {
        Layer layer{random};
        SCOPED_TRACE(layer.name());
        const Taken alone = layer.take({});
        for (const std::int64_t cores : {2, 3, 8}) {
            const std::string chip = "chip.cores=" + std::to_string(cores);
            const Taken shared = layer.take({chip});
            EXPECT_LT(static_cast<double>(shared.cycles), 1.05 * static_cast<double>(alone.cycles))
                << cores;
            const Taken forced = layer.take({chip, mapped("cores: " + std::to_string(cores))});
            EXPECT_LT(static_cast<double>(shared.cycles), 1.1 * static_cast<double>(forced.cycles))
                << cores;
        }
    }
}

}  // namespace
}  // namespace systole
