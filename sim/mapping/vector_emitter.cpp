#include "sim/mapping/layer_emitter.hpp"

#include <algorithm>
#include <utility>

namespace systole::mapping {
namespace {

using models::Cause;
using Place = Access::Place;

class VectorEmitter : LayerEmitter {
public:
    VectorEmitter(ProgramWriter& writer, NetworkState& state, const Site& site,
                  const LayerPlan& plan, int layer, int core)
        : LayerEmitter{writer, state, site, plan, layer, core},
          input_{op_.inputs.front()},
          residence_{site.tensors.front()},
          bytes_{numerics::bytes_of(site.input().format)},
          panels_{plan.buffers.input} {}

    void run() {
        for (std::int64_t m = share_.m.first; m < share_.m.end; m += plan_.tile_m) {
            std::int64_t n_tile = 0;
            for (std::int64_t n = share_.n.first; n < share_.n.end; n += plan_.tile_n) {
                const OutputRectangle tile{{m, std::min(share_.m.end, m + plan_.tile_m)},
                                           {n, std::min(share_.n.end, n + plan_.tile_n)},
                                           n_tile++};
                if (op_.kind == Operator::Kind::pool) {
                    pool(tile);
                } else {
                    elementwise(tile);
                }
                ++tiles_;
            }
        }
    }

private:
    void elementwise(const OutputRectangle& tile) {
        const std::int64_t first = tile.m.first * extent_.cols + tile.n.first;
        models::Vector vector;
        vector.source.rows = tile.m.size();
        vector.source.cols = tile.n.size();
        if (residence_.on_chip) {
            load_resident(input_, residence_.address, tile.m.end * extent_.cols * bytes_);
            vector.source.address = residence_.address + first * bytes_;
            vector.source.pitch = extent_.cols;
        } else {
            vector.source.address = panels_.at(tiles_).address;
            vector.source.pitch = tile.n.size();
            load(input_, {first, tile.m.size(), tile.n.size(), extent_.cols},
                 vector.source.address);
        }
        take(std::move(vector), -1, tile);
    }

    void pool(const OutputRectangle& tile) {
        const ConvView& whole = op_.view;
        const Range rows = input_rows(whole, tile.m);
        models::Vector vector;
        vector.pool_first = tile.m.first;
        vector.count_padding = op_.count_padding;
        ConvView view = whole;
        if (residence_.on_chip) {
            const std::int64_t row = whole.width * whole.channels * bytes_;
            load_resident(input_, residence_.address, rows.end * row);
            vector.source.address = residence_.address + rows.first * row;
            vector.pool_channel_first = tile.n.first;
        } else {
            view.channels = tile.n.size();
            view.out_channels = tile.n.size();
            view.groups = tile.n.size();
            vector.source.address = panels_.at(tiles_).address;
            load(input_,
                 {rows.first * whole.width * whole.channels + tile.n.first,
                  rows.size() * whole.width, tile.n.size(), whole.channels},
                 vector.source.address);
        }
        vector.pool_panel_first = rows.first;
        vector.source.rows = rows.size() * whole.width;
        vector.source.cols = view.channels;
        vector.source.pitch = view.channels;
        take(std::move(vector), writer_.view(core_, tile.n.size() == whole.channels ? whole : view),
             tile);
    }

    void take(models::Vector vector, int view, const OutputRectangle& tile) {
        vector.source.place = models::VectorTile::Place::scratchpad;
        vector.source.format = site_.input().format;
        const std::int64_t size =
            ((vector.source.rows - 1) * vector.source.pitch + vector.source.cols) * bytes_;
        const Access source =
            Access::reads(Place::scratchpad, vector.source.address, size, Cause::input_wait);
        finish(std::move(vector), view, tile, {source});
    }

    TensorId input_;
    const Residence& residence_;
    std::int64_t bytes_;
    RingState panels_;
    std::int64_t tiles_ = 0;
};

}  // namespace

void emit_vector(ProgramWriter& writer, NetworkState& state, const Site& site,
                 const LayerPlan& plan, int layer, int core) {
    if (!plan.shares[static_cast<std::size_t>(core)].empty()) {
        VectorEmitter{writer, state, site, plan, layer, core}.run();
    }
}

}  // namespace systole::mapping
