#pragma once

#include "models/base/units.hpp"
#include "models/numerics/format.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace systole::models {

using numerics::Format;

/// What a core has finished, counted in the order of its program. A later instruction waits until
/// such a count reaches a number: that is the only order between the four queues.
enum class Milestone {
    loaded,     ///< Loads whose last byte is in the scratchpad
    preloaded,  ///< Preloads whose tile has left the scratchpad for the array
    streamed,   ///< Streams whose last row has entered the array
    summed,     ///< Streams whose last sum is in the accumulators
    computed,   ///< vector instructions whose last element is written
    stored,     ///< Stores whose last byte is in the memory
};
inline constexpr int milestone_count = 6;

/// Why a unit does not work in a cycle. Every cycle of every unit has exactly one.
enum class Cause {
    active,            ///< the unit does its work
    input_stall,       ///< a row of the tile in progress is not there: the whole array stands still
    weight_stall,      ///< the stationary tile is not in the scratchpad yet
    weight_shift,      ///< the stationary tile shifts into the array, nothing else can run
    input_wait,        ///< the tensor to read is not in the scratchpad yet
    accumulator_wait,  ///< the accumulators of the next tile still hold sums that are wanted
    result_wait,       ///< the results to work on or to store are not complete
    buffer_wait,       ///< the place to write to is still being read
    drain,             ///< the last sums flow out of the array and nothing may enter
    idle,              ///< no instruction is left
};
inline constexpr int cause_count = 10;

/// Holds an instruction back until `core` has reached `count` of `milestone`.
struct Wait {
    int core = 0;
    Milestone milestone{};
    std::int64_t count = 0;
    Cause cause{};  ///< what the cycles spent here are called
};

/// Where a byte of main memory or of the shared SRAM is.
enum class Space { dram, shared };
struct Address {
    Space space = Space::dram;
    std::int64_t offset = 0;
};

/// `runs` pieces of `run` bytes: apart by `memory_stride` in memory and `local_stride` in the
/// scratchpad.
struct Transfer {
    Address memory;
    std::int64_t local = 0;  ///< scratchpad byte address
    std::int64_t runs = 1;
    std::int64_t run = 0;
    std::int64_t memory_stride = 0;
    std::int64_t local_stride = 0;

    [[nodiscard]] Bytes size() const { return Bytes{checked_multiply(runs, run)}; }
};

/// The geometry by which a convolution (a dense layer is one of 1×1 on 1×1 pixels) is read as the
/// left matrix of a product, without ever writing that matrix down: row m is the output pixel
/// (n, oh, ow), column kk the tap (kh, kw, c) of the input, channels last. Taps outside the image
/// are zero.
struct ConvView {
    std::int64_t batch = 1;
    std::int64_t height = 1;
    std::int64_t width = 1;
    std::int64_t channels = 1;  ///< of the whole tensor in memory: the pitch of a pixel
    std::int64_t kernel_height = 1;
    std::int64_t kernel_width = 1;
    std::int64_t stride_height = 1;
    std::int64_t stride_width = 1;
    std::int64_t pad_top = 0;
    std::int64_t pad_left = 0;
    std::int64_t dilation_height = 1;
    std::int64_t dilation_width = 1;
    std::int64_t out_height = 1;
    std::int64_t out_width = 1;
    std::int64_t out_channels = 1;
    std::int64_t groups = 1;
    Format format = Format::int8;  ///< of the inputs and the weights

    /// Channels of one group, and what one group makes of them.
    [[nodiscard]] std::int64_t group_channels() const { return channels / groups; }
    [[nodiscard]] std::int64_t group_outputs() const { return out_channels / groups; }
    [[nodiscard]] std::int64_t rows() const {
        return checked_multiply(checked_multiply(batch, out_height), out_width);
    }
};

/// One of the two matrices of a tile product sum[i][j] = Σ_k west(i, k) · north(j, k), seen in the
/// scratchpad as `rows` rows of `depth` elements.
struct Operand {
    enum class Kind {
        image,    ///< rows are output pixels, elements the taps of a ConvView
        weights,  ///< rows are output channels, elements the rows of the weight matrix (kh, kw, c)
    };
    Kind kind = Kind::image;
    std::int64_t address = 0;  ///< scratchpad byte address of the panel that holds it
    std::int64_t first = 0;    ///< image: first output pixel m · weights: first output channel n
    std::int64_t rows = 0;
    std::int64_t k_first = 0;  ///< first element of the reduction, over the channel slice below
    std::int64_t depth = 0;
    /// The channels [channel_first, channel_first + channels) of the input take part. In a grouped
    /// convolution the slice is a pack of whole groups; an element whose channel belongs to another
    /// group than its output is a zero of the array, not of the memory.
    std::int64_t channel_first = 0;
    std::int64_t channels = 0;
    /// What the panel starts with. image: input row n·height + h, all channels of `width` pixels.
    /// weights: `panel_first` is the first row (kh, kw, c within its group) of the weight matrix
    /// and `panel_column` the output channel of its first column.
    std::int64_t panel_first = 0;
    std::int64_t panel_column = 0;
    std::int64_t pitch = 0;  ///< weights: elements from one row of the panel to the next
};

/// Rows [row, row + rows) of the accumulators, `cols` sums of 32 bit each.
struct AccumulatorTile {
    std::int64_t row = 0;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
};

struct Load {
    Transfer transfer;
};

/// Shifts the stationary operand into the array (weight- and input-stationary units).
struct Preload {
    Operand north;
};

/// Sends the rows of `west` through the array; sum (i, j) goes to row `sums.row + i`, column j of
/// the accumulators. Units without a stationary operand read `north` along with it.
struct Stream {
    Operand west;
    Operand north;
    AccumulatorTile sums;
    bool accumulate = false;  ///< add to what is there, instead of overwriting it
    bool swap = false;        ///< the first tile on the newest preloaded operand
    std::int64_t macs = 0;    ///< the useful ones
};

/// What a vector lane does with an element.
enum class VectorOp {
    copy,
    scale,          ///< · parameter
    scale_columns,  ///< · operand[column]
    add_columns,    ///< + operand[column]
    add,            ///< + operand[row][column]
    multiply,       ///< · operand[row][column]
    relu,
    relu6,
    sigmoid,
    tanh,
    gelu,  ///< x·Φ(x), with the error function
    silu,
    softmax,  ///< over the columns of a row
    max_pool,
    average_pool,
    quantize,  ///< · parameter, round to nearest even, saturate to the target's format
};
inline constexpr int vector_op_count = 16;

struct VectorStep {
    VectorOp op{};
    double parameter = 1.0;
    std::int64_t operand = 0;        ///< scratchpad byte address
    std::int64_t operand_pitch = 0;  ///< elements from one row of the operand to the next
    Format operand_format = Format::fp32;
};

/// rows × cols elements, in the scratchpad (byte address, pitch in elements) or in the
/// accumulators (row, no pitch; `transposed` when element (i, j) lies at row j, column i).
struct VectorTile {
    enum class Place { scratchpad, accumulators };
    Place place = Place::scratchpad;
    std::int64_t address = 0;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::int64_t pitch = 0;
    Format format = Format::fp32;
    bool transposed = false;
};

/// Applies `steps` to every element of `source`, in fp32 between the steps, and writes `target`.
struct Vector {
    VectorTile source;
    std::vector<VectorStep> steps;
    VectorTile target;
    /// For the pools, which must be the first step: the geometry (its kernel is the window), the
    /// input row the source starts with, the output pixel the target starts with and the channels.
    std::int64_t pool_panel_first = 0;
    std::int64_t pool_first = 0;
    std::int64_t pool_channel_first = 0;
    bool count_padding = false;  ///< average_pool divides by the whole window, padding included
};

/// From the scratchpad (`transfer.local` is a byte address), or the raw 32-bit sums of `sums`
/// (`transfer.local` is unused; `transposed` writes column j of the sums as run j).
struct Store {
    Transfer transfer;
    std::optional<AccumulatorTile> sums;
    bool transposed = false;
};

struct Instruction {
    int layer = 0;
    int view = -1;  ///< index into Program::views, or -1
    std::vector<Wait> waits;
    std::variant<Load, Preload, Stream, Vector, Store> work;
};

enum class Queue { load, matrix, vector, store };
inline constexpr int queue_count = 4;

/// What one core executes: four queues, each in order, held together by waits alone.
struct Program {
    std::vector<ConvView> views;
    std::array<std::vector<Instruction>, queue_count> queues;

    [[nodiscard]] std::vector<Instruction>& queue(Queue q) {
        return queues[static_cast<std::size_t>(q)];
    }
    [[nodiscard]] const std::vector<Instruction>& queue(Queue q) const {
        return queues[static_cast<std::size_t>(q)];
    }
};

[[nodiscard]] const char* to_string(Milestone milestone);
[[nodiscard]] const char* to_string(Cause cause);
[[nodiscard]] const char* to_string(VectorOp op);
[[nodiscard]] const char* to_string(Queue queue);

}  // namespace systole::models
