#pragma once

#include "sim/mapping/mapper.hpp"
#include "sim/mapping/plan.hpp"
#include "sim/mapping/program_writer.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace systole::mapping {

/// What emitting the layers one after the other leaves behind.
struct NetworkState {
    std::vector<Placement> placements;            ///< of each tensor
    std::vector<bool> ordered;                    ///< accesses in memory are to be kept in order
    std::vector<std::int64_t> memory_generation;  ///< of each tensor's stores
    std::vector<std::int64_t> chip_generation;    ///< of each tensor's content in the scratchpad
    std::vector<std::int64_t> loaded;             ///< of a tensor on chip, bytes from its front
};

/// A ring while a layer is emitted: what its slots hold. The oldest content goes first.
class RingState {
public:
    explicit RingState(const Ring& ring);

    struct Slot {
        std::int64_t address = 0;
        std::size_t index = 0;
        bool fresh = false;  ///< has yet to be filled
    };
    [[nodiscard]] Slot at(std::int64_t key);

private:
    Ring ring_;
    std::vector<std::int64_t> keys_;
    std::unordered_map<std::int64_t, std::size_t> slot_of_;
    std::size_t next_ = 0;
};

/// A rectangle of a tensor: `runs` runs of `run` elements, `stride` elements apart, from element
/// `first` on.
struct Rectangle {
    std::int64_t first = 0;
    std::int64_t runs = 1;
    std::int64_t run = 0;
    std::int64_t stride = 0;
};

/// A tile of an operator's output.
struct OutputRectangle {
    Range m;
    Range n;
    std::int64_t n_tile = 0;  ///< the index of `n` among the column tiles
};

/// What the emitters of all kinds of layers share. One object emits one layer on one core.
class LayerEmitter {
public:
    LayerEmitter(ProgramWriter& writer, NetworkState& state, const Site& site,
                 const LayerPlan& plan, int layer, int core);

protected:
    using Accesses = std::vector<Access>;

    void emit(models::Instruction instruction, const Accesses& accesses);
    [[nodiscard]] models::Instruction instruction(int view = -1) const;

    /// Loads a rectangle of `tensor` densely to `local`.
    void load(TensorId tensor, const Rectangle& from, std::int64_t local);
    /// Loads what is missing of a tensor on chip, up to byte `end`.
    void load_resident(TensorId tensor, std::int64_t address, std::int64_t end);
    /// Stores a tile of the output from `local`, whose rows are `pitch` elements apart.
    void store(const OutputRectangle& tile, std::int64_t local, std::int64_t pitch);
    /// Stores the sums themselves.
    void store_sums(const OutputRectangle& tile, const models::AccumulatorTile& sums,
                    bool transposed);
    /// Gives `vector` its steps and its target, loads what they take, emits it, and stores the
    /// result; `accesses` are those of its source.
    void finish(models::Vector vector, int view, const OutputRectangle& tile, Accesses accesses);

    [[nodiscard]] std::size_t index(TensorId id) const { return static_cast<std::size_t>(id); }

    ProgramWriter& writer_;
    NetworkState& state_;
    const Site& site_;
    const Operator& op_;
    const LayerPlan& plan_;
    int layer_;
    int core_;
    Share share_;
    Extent extent_;

private:
    [[nodiscard]] models::Transfer transfer(TensorId tensor, const Rectangle& part,
                                            std::int64_t local, std::int64_t local_stride) const;
    void order_memory(Accesses& accesses, TensorId tensor, const models::Transfer& transfer,
                      bool write, models::Cause cause);
    void add_steps(models::Vector& vector, const OutputRectangle& tile, Accesses& accesses);
    [[nodiscard]] models::VectorStep column_step(const ElementStep& step, std::int64_t local,
                                                 bool fresh, const OutputRectangle& tile,
                                                 Accesses& accesses);
    [[nodiscard]] models::VectorStep tile_step(const ElementStep& step, const Residence& residence,
                                               std::int64_t local, const OutputRectangle& tile,
                                               Accesses& accesses);

    RingState parameters_;
    RingState operands_;
    RingState outputs_;
    std::int64_t tiles_finished_ = 0;
};

/// Emits `layer` on `core`; nothing when the core has no share in it.
void emit_matrix(ProgramWriter& writer, NetworkState& state, const Site& site,
                 const LayerPlan& plan, const Machine& machine, int layer, int core);
void emit_vector(ProgramWriter& writer, NetworkState& state, const Site& site,
                 const LayerPlan& plan, int layer, int core);

}  // namespace systole::mapping
