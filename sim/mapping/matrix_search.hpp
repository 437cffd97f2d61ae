#pragma once

#include "sim/mapping/matrix_cost.hpp"
#include "sim/mapping/plan.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace systole::mapping {

/// How much a search gives up to make a layer fit.
struct Concessions {
    std::int64_t slots = 2;    ///< of each streaming buffer
    bool small_tiles = false;  ///< tiles smaller than the array
};

struct TileSize {
    std::int64_t m = 0;
    std::int64_t n = 0;
};

/// The largest sizes a tile may have on the unit.
struct TileLimits {
    std::int64_t m = 0;
    std::int64_t n = 0;
    std::int64_t k = 0;
    bool m_streams = false;  ///< m has no stationary side: it may be as long as the accumulators
    bool n_streams = false;
};

/// Looks for the plan of a product that costs least on a number of cores that share it in one way.
class MatrixSearch {
public:
    MatrixSearch(const Site& site, int cores, Split split, Shortage& shortage)
        : site_{site},
          machine_{*site.machine},
          cores_{cores},
          split_{split},
          view_{site.op->view},
          shortage_{shortage} {}

    [[nodiscard]] std::optional<LayerPlan> run();

private:
    [[nodiscard]] TileLimits limits() const;
    [[nodiscard]] std::int64_t compulsory_bytes(const std::vector<Share>& shares) const;
    [[nodiscard]] std::vector<Share> shares() const;
    void try_packs(LayerPlan plan);
    void try_depths(LayerPlan plan, TileLimits limits);
    void try_whole_panels(LayerPlan plan, const TileLimits& limits);
    void try_rows(LayerPlan plan, const TileLimits& limits);
    void try_slices(LayerPlan plan, const TileLimits& limits);
    /// The fewest bytes among the plans that fit.
    [[nodiscard]] std::optional<std::int64_t> try_tiles(const LayerPlan& plan,
                                                        const TileLimits& limits);
    [[nodiscard]] std::optional<std::int64_t> consider(LayerPlan plan);
    [[nodiscard]] bool countable(const LayerPlan& plan, const Share& share);
    [[nodiscard]] std::vector<TileSize> tile_sizes(const LayerPlan& plan,
                                                   const TileLimits& limits) const;
    [[nodiscard]] std::vector<std::int64_t> n_blocks(const LayerPlan& plan,
                                                     const TileLimits& limits) const;
    [[nodiscard]] std::vector<std::int64_t> m_blocks(const Share& share) const;
    [[nodiscard]] Buffers buffers_of(const LayerPlan& plan, const Loops& loops) const;
    [[nodiscard]] std::optional<std::int64_t> requested_rows() const;
    [[nodiscard]] std::optional<std::int64_t> requested_outputs() const;

    const Site& site_;
    const Machine& machine_;
    int cores_;
    Split split_;
    const ConvView& view_;
    Shortage& shortage_;
    Concessions give_;
    bool slice_ = false;  ///< panels hold a part of the channels
    std::optional<LayerPlan> best_;
};

}  // namespace systole::mapping
