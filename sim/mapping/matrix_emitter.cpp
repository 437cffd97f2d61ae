#include "sim/mapping/layer_emitter.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace systole::mapping {
namespace {

using models::Cause;
using models::Operand;
using Place = Access::Place;

/// Tiles of weights that are loaded ahead of an input, as many as TPU v1 queues.
constexpr std::int64_t tiles_ahead = 4;

/// One step of an output tile through its reduction.
struct DepthTile {
    std::int64_t index = 0;  ///< among all of the output tile
    std::int64_t slice = 0;
    std::int64_t channel = 0;   ///< of the slice, within the group
    std::int64_t channels = 0;  ///< of the slice, of one group
    Range k;                    ///< elements of the slice's reduction
};

class MatrixEmitter : LayerEmitter {
public:
    MatrixEmitter(ProgramWriter& writer, NetworkState& state, const Site& site,
                  const LayerPlan& plan, const Machine& machine, int layer, int core);
    void run();

private:
    struct Block {
        Range m;
        std::int64_t m_index = 0;
        std::vector<OutputTile> tiles;
        std::int64_t first_tile = 0;  ///< index of tiles[0] among all
    };
    /// Where the image of a tile is.
    struct Panel {
        std::int64_t address = 0;
        Range rows;  ///< from the first of the panel to the last that is loaded
    };

    [[nodiscard]] const std::vector<DepthTile>& depth_tiles(const OutputTile& tile);
    void load_ahead();
    void block(const Block& block);
    void output_tile(const Block& block, std::int64_t n_index, Range m);
    void depth_tile(const Block& block, std::int64_t n_index, Range m, const DepthTile& depth,
                    const models::AccumulatorTile& sums, std::int64_t generation);
    [[nodiscard]] Operand weights(const OutputTile& tile, std::int64_t n_index,
                                  const DepthTile& depth);
    [[nodiscard]] Operand image(const Block& block, const OutputTile& tile, Range m,
                                const DepthTile& depth);
    [[nodiscard]] Panel panel(const Block& block, const OutputTile& tile, const DepthTile& depth,
                              Range rows);
    [[nodiscard]] Access reads(const Operand& operand, const ConvView& view) const;
    [[nodiscard]] ConvView view_of(const OutputTile& tile, const DepthTile& depth) const;
    void drain(const OutputRectangle& tile, const models::AccumulatorTile& sums);

    const Machine& machine_;
    const ConvView& view_;
    std::int64_t bytes_;  ///< of an element
    RingState weights_;
    RingState panels_;
    std::vector<Panel> panel_of_slot_;
    std::vector<std::vector<OutputTile>> n_blocks_;
    std::int64_t depth_groups_ = 0;  ///< side by side, of which depth_tiles_ are
    std::vector<DepthTile> depth_tiles_;
    std::int64_t accumulator_slot_ = 0;
    std::array<std::int64_t, 3> held_{-1, -1, -1};  ///< the stationary tile in the array
};

MatrixEmitter::MatrixEmitter(ProgramWriter& writer, NetworkState& state, const Site& site,
                             const LayerPlan& plan, const Machine& machine, int layer, int core)
    : LayerEmitter{writer, state, site, plan, layer, core},
      machine_{machine},
      view_{site.op->view},
      bytes_{numerics::bytes_of(site.op->view.format)},
      weights_{plan.buffers.weights},
      panels_{plan.buffers.input},
      panel_of_slot_(static_cast<std::size_t>(plan.buffers.input.slots)) {
    for (std::int64_t at = share_.n.first; at < share_.n.end; at += plan.block_n) {
        const Range n{at, std::min(share_.n.end, at + plan.block_n)};
        n_blocks_.push_back(cut_outputs(view_, n, plan.tile_n, plan.pack));
    }
}

const std::vector<DepthTile>& MatrixEmitter::depth_tiles(const OutputTile& tile) {
    if (depth_groups_ == tile.groups) {
        return depth_tiles_;
    }
    const std::int64_t group = view_.group_channels();
    const std::int64_t slice = plan_.slice > 0 ? plan_.slice : group;
    const std::int64_t step = plan_.tile_k / plan_.pack * tile.groups;
    depth_groups_ = tile.groups;
    depth_tiles_.clear();
    for (std::int64_t first = 0; first < group; first += slice) {
        const std::int64_t channels = std::min(slice, group - first);
        const std::int64_t depth = taps(view_) * channels * tile.groups;
        for (std::int64_t k = 0; k < depth; k += step) {
            depth_tiles_.push_back({static_cast<std::int64_t>(depth_tiles_.size()),
                                    first / slice,
                                    first,
                                    channels,
                                    {k, std::min(depth, k + step)}});
        }
    }
    return depth_tiles_;
}

void MatrixEmitter::run() {
    load_ahead();
    const std::int64_t m_blocks = ceil_div(share_.m.size(), plan_.block_m);
    const auto rows = [&](std::int64_t index) {
        const std::int64_t first = share_.m.first + index * plan_.block_m;
        return Range{first, std::min(share_.m.end, first + plan_.block_m)};
    };
    if (plan_.order == LoopOrder::rows_outer) {
        for (std::int64_t m = 0; m < m_blocks; ++m) {
            std::int64_t first = 0;
            for (const auto& tiles : n_blocks_) {
                block({rows(m), m, tiles, first});
                first += static_cast<std::int64_t>(tiles.size());
            }
        }
        return;
    }
    std::int64_t first = 0;
    for (const auto& tiles : n_blocks_) {
        for (std::int64_t m = 0; m < m_blocks; ++m) {
            block({rows(m), m, tiles, first});
        }
        first += static_cast<std::int64_t>(tiles.size());
    }
}

/// An input that another layer has yet to store holds back all Loads behind it: the first weights
/// go ahead of it. More of them would hold back the input in turn (ResNet-50 on tpu_v4i: 233,000
/// cycles with one tile ahead, 229,000 with four, 255,000 with all that have room).
void MatrixEmitter::load_ahead() {
    if (site_.tensors.front().on_chip || !state_.ordered[index(op_.inputs.front())]) {
        return;
    }
    std::int64_t room = std::min(plan_.buffers.weights.slots, tiles_ahead);
    std::int64_t n_index = 0;
    for (const auto& tiles : n_blocks_) {
        for (const OutputTile& tile : tiles) {
            for (const DepthTile& depth : depth_tiles(tile)) {
                if (room-- == 0) {
                    return;
                }
                static_cast<void>(weights(tile, n_index, depth));
            }
            ++n_index;
        }
    }
}

void MatrixEmitter::block(const Block& block) {
    const auto tiles = static_cast<std::int64_t>(block.tiles.size());
    const auto rows = [&](std::int64_t first) {
        return Range{first, std::min(block.m.end, first + plan_.tile_m)};
    };
    if (plan_.rows_inner) {
        for (std::int64_t n = 0; n < tiles; ++n) {
            for (std::int64_t m = block.m.first; m < block.m.end; m += plan_.tile_m) {
                output_tile(block, n, rows(m));
            }
        }
        return;
    }
    for (std::int64_t m = block.m.first; m < block.m.end; m += plan_.tile_m) {
        for (std::int64_t n = 0; n < tiles; ++n) {
            output_tile(block, n, rows(m));
        }
    }
}

void MatrixEmitter::output_tile(const Block& block, std::int64_t n, Range m) {
    const OutputTile& tile = block.tiles[static_cast<std::size_t>(n)];
    models::AccumulatorTile sums;
    sums.row = accumulator_slot_ * plan_.accumulator_rows;
    sums.rows = machine_.transposed() ? tile.n.size() : m.size();
    sums.cols = machine_.transposed() ? m.size() : tile.n.size();
    accumulator_slot_ = (accumulator_slot_ + 1) % plan_.accumulator_slots;
    const std::int64_t generation = writer_.new_generation();
    for (const DepthTile& depth : depth_tiles(tile)) {
        depth_tile(block, block.first_tile + n, m, depth, sums, generation);
    }
    drain({m, tile.n, block.first_tile + n}, sums);
}

ConvView MatrixEmitter::view_of(const OutputTile& tile, const DepthTile& depth) const {
    return plan_.slice > 0 ? slice_of(view_, tile, depth.channel, depth.channels * tile.groups).view
                           : view_;
}

void MatrixEmitter::depth_tile(const Block& block, std::int64_t n_index, Range m,
                               const DepthTile& depth, const models::AccumulatorTile& sums,
                               std::int64_t generation) {
    const OutputTile& tile = block.tiles[static_cast<std::size_t>(n_index - block.first_tile)];
    const ConvView view = view_of(tile, depth);
    const int view_index = writer_.view(core_, view);
    const Operand filter = weights(tile, n_index, depth);
    const Operand pixels = image(block, tile, m, depth);
    const bool image_held = machine_.unit == Machine::Unit::input_stationary;
    const Operand& north = image_held ? pixels : filter;
    models::Stream stream;
    stream.west = image_held ? filter : pixels;
    Accesses accesses{reads(stream.west, view)};
    if (machine_.stationary()) {
        const std::array<std::int64_t, 3> key{image_held ? m.first : n_index, depth.index,
                                              image_held ? tile.group : 0};
        stream.swap = key != held_;
        held_ = key;
        if (stream.swap) {
            models::Instruction preload = instruction(view_index);
            preload.work = models::Preload{north};
            emit(std::move(preload), {reads(north, view)});
        }
    } else {
        stream.north = north;
        accesses.push_back(reads(north, view));
    }
    stream.sums = sums;
    stream.accumulate = depth.index > 0;
    stream.macs = checked_multiply(m.size() * tile.n.size(), depth.k.size() / tile.groups);
    accesses.push_back(Access::writes(Place::accumulators, sums.row, sums.rows,
                                      Cause::accumulator_wait, generation));
    models::Instruction fresh = instruction(view_index);
    fresh.work = stream;
    emit(std::move(fresh), accesses);
}

Operand MatrixEmitter::weights(const OutputTile& tile, std::int64_t n_index,
                               const DepthTile& depth) {
    const auto slot =
        weights_.at(n_index * static_cast<std::int64_t>(depth_tiles(tile).size()) + depth.index);
    const Range rows{depth.k.first / tile.groups, depth.k.end / tile.groups};
    const bool sliced = plan_.slice > 0;
    if (slot.fresh) {
        std::int64_t local = slot.address;
        for (const WeightRows& piece : weight_pieces(view_, depth.channel, depth.channels, rows)) {
            load(op_.weights.value_or(-1),
                 {piece.row * view_.out_channels + tile.n.first, piece.count, tile.n.size(),
                  view_.out_channels},
                 local);
            local += piece.count * tile.n.size() * bytes_;
        }
    }
    const Slice slice = slice_of(view_, tile, depth.channel, depth.channels * tile.groups);
    const std::int64_t base = sliced ? slice.output : 0;
    Operand operand;
    operand.kind = Operand::Kind::weights;
    operand.address = slot.address;
    operand.first = tile.n.first - base;
    operand.rows = tile.n.size();
    operand.k_first = depth.k.first;
    operand.depth = depth.k.size();
    operand.channel_first = sliced ? 0 : slice.channel;
    operand.channels = slice.view.channels;
    operand.panel_first = rows.first;
    operand.panel_column = tile.n.first - base;
    operand.pitch = tile.n.size();
    return operand;
}

MatrixEmitter::Panel MatrixEmitter::panel(const Block& block, const OutputTile& tile,
                                          const DepthTile& depth, Range rows) {
    const TensorId input = op_.inputs.front();
    const Residence& residence = site_.tensors.front();
    if (residence.on_chip) {
        const std::int64_t row = view_.width * view_.channels * bytes_;
        load_resident(input, residence.address, rows.end * row);
        return {residence.address, {0, rows.end}};
    }
    const bool sliced = plan_.slice > 0;
    const std::int64_t slices = sliced ? ceil_div(view_.group_channels(), plan_.slice) : 1;
    const std::int64_t key =
        sliced ? (block.m_index * view_.groups + tile.group) * slices + depth.slice : block.m_index;
    const auto slot = panels_.at(key);
    Panel& there = panel_of_slot_[slot.index];
    if (slot.fresh) {
        const std::int64_t first = input_rows(view_, block.m).first;
        there = {slot.address, {first, first}};
    }
    if (rows.end > there.rows.end) {
        const Slice slice = slice_of(view_, tile, depth.channel, depth.channels * tile.groups);
        const std::int64_t channels = sliced ? slice.view.channels : view_.channels;
        const std::int64_t pixel = there.rows.end * view_.width;
        load(input,
             {pixel * view_.channels + (sliced ? slice.channel : 0), rows.end * view_.width - pixel,
              channels, view_.channels},
             there.address + (there.rows.end - there.rows.first) * view_.width * channels * bytes_);
        there.rows.end = rows.end;
    }
    return there;
}

Operand MatrixEmitter::image(const Block& block, const OutputTile& tile, Range m,
                             const DepthTile& depth) {
    const Panel there = panel(block, tile, depth, input_rows(view_, m));
    const Slice slice = slice_of(view_, tile, depth.channel, depth.channels * tile.groups);
    Operand operand;
    operand.kind = Operand::Kind::image;
    operand.address = there.address;
    operand.first = m.first;
    operand.rows = m.size();
    operand.k_first = depth.k.first;
    operand.depth = depth.k.size();
    operand.channel_first = plan_.slice > 0 ? 0 : slice.channel;
    operand.channels = slice.view.channels;
    operand.panel_first = there.rows.first;
    return operand;
}

Access MatrixEmitter::reads(const Operand& operand, const ConvView& view) const {
    if (operand.kind == Operand::Kind::weights) {
        const std::int64_t groups = operand.channels / view.group_channels();
        return Access::reads(
            Place::scratchpad, operand.address,
            operand.depth / std::max(groups, std::int64_t{1}) * operand.pitch * bytes_,
            Cause::weight_stall);
    }
    const Range rows = input_rows(view, {operand.first, operand.first + operand.rows});
    const std::int64_t row = view.width * view.channels * bytes_;
    return Access::reads(Place::scratchpad,
                         operand.address + (rows.first - operand.panel_first) * row,
                         rows.size() * row, Cause::input_wait);
}

void MatrixEmitter::drain(const OutputRectangle& tile, const models::AccumulatorTile& sums) {
    if (op_.raw_sums) {
        store_sums(tile, sums, machine_.transposed());
        return;
    }
    models::Vector vector;
    vector.source.place = models::VectorTile::Place::accumulators;
    vector.source.address = sums.row;
    vector.source.rows = tile.m.size();
    vector.source.cols = tile.n.size();
    vector.source.format = numerics::accumulator_of(view_.format);
    vector.source.transposed = machine_.transposed();
    finish(std::move(vector), -1, tile,
           {Access::reads(Place::accumulators, sums.row, sums.rows, Cause::result_wait)});
}

}  // namespace

void emit_matrix(ProgramWriter& writer, NetworkState& state, const Site& site,
                 const LayerPlan& plan, const Machine& machine, int layer, int core) {
    if (!plan.shares[static_cast<std::size_t>(core)].empty()) {
        MatrixEmitter{writer, state, site, plan, machine, layer, core}.run();
    }
}

}  // namespace systole::mapping
