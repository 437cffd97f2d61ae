#include "sim/mapping/layer_emitter.hpp"

#include <algorithm>
#include <utility>

namespace systole::mapping {

using models::Cause;
using Place = Access::Place;

RingState::RingState(const Ring& ring)
    : ring_{ring},
      keys_(static_cast<std::size_t>(ring.slots), -1) {}

RingState::Slot RingState::at(std::int64_t key) {
    const auto address = [&](std::size_t slot) {
        return ring_.address + static_cast<std::int64_t>(slot) * ring_.slot_bytes;
    };
    if (const auto held = slot_of_.find(key); held != slot_of_.end()) {
        return {address(held->second), held->second, false};
    }
    SYSTOLE_ASSERT(!keys_.empty(), "a streaming buffer was planned without a slot");
    const std::size_t slot = next_;
    next_ = (next_ + 1) % keys_.size();
    slot_of_.erase(keys_[slot]);
    keys_[slot] = key;
    slot_of_[key] = slot;
    return {address(slot), slot, true};
}

LayerEmitter::LayerEmitter(ProgramWriter& writer, NetworkState& state, const Site& site,
                           const LayerPlan& plan, int layer, int core)
    : writer_{writer},
      state_{state},
      site_{site},
      op_{*site.op},
      plan_{plan},
      layer_{layer},
      core_{core},
      share_{plan.shares[static_cast<std::size_t>(core)]},
      extent_{extent_of(*site.graph, *site.op)},
      parameters_{plan.buffers.parameters},
      operands_{plan.buffers.operands},
      outputs_{plan.buffers.output} {}

void LayerEmitter::emit(models::Instruction instruction, const Accesses& accesses) {
    writer_.add(core_, std::move(instruction), accesses);
}

models::Instruction LayerEmitter::instruction(int view) const {
    models::Instruction fresh;
    fresh.layer = layer_;
    fresh.view = view;
    return fresh;
}

models::Transfer LayerEmitter::transfer(TensorId tensor, const Rectangle& part, std::int64_t local,
                                        std::int64_t local_stride) const {
    const std::int64_t b = numerics::bytes_of(site_.tensor(tensor).format);
    const Placement& home = state_.placements[index(tensor)];
    models::Transfer transfer;
    transfer.memory.space =
        home.home == Placement::Home::shared ? models::Space::shared : models::Space::dram;
    transfer.memory.offset = home.address + part.first * b;
    transfer.local = local;
    const bool dense = part.runs == 1 || (part.stride == part.run && local_stride == part.run);
    transfer.runs = dense ? 1 : part.runs;
    transfer.run = dense ? part.runs * part.run * b : part.run * b;
    transfer.memory_stride = dense ? transfer.run : part.stride * b;
    transfer.local_stride = dense ? transfer.run : local_stride * b;
    return transfer;
}

void LayerEmitter::order_memory(Accesses& accesses, TensorId tensor,
                                const models::Transfer& transfer, bool write, Cause cause) {
    if (!state_.ordered[index(tensor)]) {
        return;
    }
    const Place place =
        transfer.memory.space == models::Space::shared ? Place::shared : Place::dram;
    const std::int64_t size = (transfer.runs - 1) * transfer.memory_stride + transfer.run;
    accesses.push_back(write ? Access::writes(place, transfer.memory.offset, size, cause,
                                              state_.memory_generation[index(tensor)])
                             : Access::reads(place, transfer.memory.offset, size, cause));
}

void LayerEmitter::load(TensorId tensor, const Rectangle& from, std::int64_t local) {
    if (from.runs * from.run == 0) {
        return;
    }
    models::Instruction fresh = instruction();
    const models::Transfer moved = transfer(tensor, from, local, from.run);
    Accesses accesses{Access::writes(Place::scratchpad, local, moved.size().count(),
                                     Cause::buffer_wait, writer_.new_generation())};
    order_memory(accesses, tensor, moved, false, Cause::input_wait);
    fresh.work = models::Load{moved};
    emit(std::move(fresh), accesses);
}

void LayerEmitter::load_resident(TensorId tensor, std::int64_t address, std::int64_t end) {
    std::int64_t& loaded = state_.loaded[index(tensor)];
    if (loaded >= end) {
        return;
    }
    const std::int64_t b = numerics::bytes_of(site_.tensor(tensor).format);
    load(tensor, {loaded / b, 1, (end - loaded) / b, 0}, address + loaded);
    loaded = end;
}

void LayerEmitter::store(const OutputRectangle& tile, std::int64_t local, std::int64_t pitch) {
    const std::int64_t b = numerics::bytes_of(site_.result().format);
    models::Instruction fresh = instruction();
    const Rectangle part{tile.m.first * extent_.cols + tile.n.first, tile.m.size(), tile.n.size(),
                         extent_.cols};
    const models::Transfer moved = transfer(op_.output, part, local, pitch);
    const std::int64_t size = (moved.runs - 1) * moved.local_stride + moved.run;
    Accesses accesses{Access::reads(Place::scratchpad, local, size, Cause::result_wait)};
    order_memory(accesses, op_.output, moved, true, Cause::buffer_wait);
    SYSTOLE_ASSERT(moved.size().count() == tile.m.size() * tile.n.size() * b,
                   "a store moves its tile");
    fresh.work = models::Store{moved, std::nullopt, false};
    emit(std::move(fresh), accesses);
}

void LayerEmitter::store_sums(const OutputRectangle& tile, const models::AccumulatorTile& sums,
                              bool transposed) {
    models::Instruction fresh = instruction();
    const Rectangle part{tile.m.first * extent_.cols + tile.n.first, tile.m.size(), tile.n.size(),
                         extent_.cols};
    // Each row of the tile is a run of its own: the sums do not lie densely.
    models::Transfer moved = transfer(op_.output, part, 0, 0);
    const std::int64_t b = numerics::bytes_of(site_.result().format);
    moved.runs = part.runs;
    moved.run = part.run * b;
    moved.memory_stride = part.stride * b;
    moved.local_stride = 0;
    Accesses accesses{Access::reads(Place::accumulators, sums.row, sums.rows, Cause::result_wait)};
    order_memory(accesses, op_.output, moved, true, Cause::buffer_wait);
    fresh.work = models::Store{moved, sums, transposed};
    emit(std::move(fresh), accesses);
}

models::VectorStep LayerEmitter::column_step(const ElementStep& step, std::int64_t local,
                                             bool fresh, const OutputRectangle& tile,
                                             Accesses& accesses) {
    const TensorId id = step.operand.value_or(-1);
    const Format format = site_.tensor(id).format;
    const std::int64_t b = numerics::bytes_of(format);
    if (fresh) {
        load(id, {tile.n.first, 1, tile.n.size(), 0}, local);
    }
    accesses.push_back(
        Access::reads(Place::scratchpad, local, tile.n.size() * b, Cause::input_wait));
    return {step.op, step.parameter, local, 0, format};
}

models::VectorStep LayerEmitter::tile_step(const ElementStep& step, const Residence& residence,
                                           std::int64_t local, const OutputRectangle& tile,
                                           Accesses& accesses) {
    const TensorId id = step.operand.value_or(-1);
    const std::int64_t b = numerics::bytes_of(site_.tensor(id).format);
    const std::int64_t first = tile.m.first * extent_.cols + tile.n.first;
    std::int64_t pitch = tile.n.size();
    if (residence.on_chip) {
        pitch = extent_.cols;
        local = residence.address + first * b;
        load_resident(id, residence.address, tile.m.end * extent_.cols * b);
    } else {
        load(id, {first, tile.m.size(), tile.n.size(), extent_.cols}, local);
    }
    const std::int64_t size = ((tile.m.size() - 1) * pitch + tile.n.size()) * b;
    accesses.push_back(Access::reads(Place::scratchpad, local, size, Cause::input_wait));
    return {step.op, step.parameter, local, pitch, site_.tensor(id).format};
}

void LayerEmitter::add_steps(models::Vector& vector, const OutputRectangle& tile,
                             Accesses& accesses) {
    const std::int64_t unit = plan_.buffers.alignment;
    RingState::Slot columns;
    if (plan_.buffers.parameters.slots > 0) {
        columns = parameters_.at(tile.n_tile);
    }
    RingState::Slot tiles;
    if (plan_.buffers.operands.slots > 0) {
        tiles = operands_.at(tiles_finished_);
    }
    for (std::size_t i = 0; i < op_.steps.size(); ++i) {
        const ElementStep& step = op_.steps[i];
        if (!step.operand) {
            vector.steps.push_back({step.op, step.parameter, 0, 0, Format::fp32});
            continue;
        }
        const std::int64_t b = numerics::bytes_of(site_.tensor(*step.operand).format);
        if (takes_columns(step)) {
            vector.steps.push_back(
                column_step(step, columns.address, columns.fresh, tile, accesses));
            columns.address += align_up(plan_.tile_n * b, unit);
        } else {
            const Residence& residence = site_.tensors[i + 1];
            vector.steps.push_back(tile_step(step, residence, tiles.address, tile, accesses));
            if (!residence.on_chip) {
                tiles.address += align_up(plan_.tile_m * plan_.tile_n * b, unit);
            }
        }
    }
}

void LayerEmitter::finish(models::Vector vector, int view, const OutputRectangle& tile,
                          Accesses accesses) {
    add_steps(vector, tile, accesses);
    const Tensor& result = site_.result();
    const std::int64_t b = numerics::bytes_of(result.format);
    const bool kept = site_.output.on_chip;
    vector.target.place = models::VectorTile::Place::scratchpad;
    vector.target.rows = tile.m.size();
    vector.target.cols = tile.n.size();
    vector.target.format = result.format;
    vector.target.pitch = kept ? extent_.cols : tile.n.size();
    vector.target.address =
        kept ? site_.output.address + (tile.m.first * extent_.cols + tile.n.first) * b
             : outputs_.at(tiles_finished_).address;
    const std::int64_t size =
        ((vector.target.rows - 1) * vector.target.pitch + vector.target.cols) * b;
    accesses.push_back(Access::writes(
        Place::scratchpad, vector.target.address, size, Cause::buffer_wait,
        kept ? state_.chip_generation[index(op_.output)] : writer_.new_generation()));
    const std::int64_t local = vector.target.address;
    const std::int64_t pitch = vector.target.pitch;
    models::Instruction fresh = instruction(view);
    fresh.work = std::move(vector);
    emit(std::move(fresh), accesses);
    if (site_.store_output) {
        store(tile, local, pitch);
    }
    ++tiles_finished_;
}

}  // namespace systole::mapping
