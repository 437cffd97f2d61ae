#pragma once

#include "models/core/program.hpp"

#include <cstdint>
#include <vector>

namespace systole::mapping {

using models::ConvView;

/// [first, end) of rows, columns, outputs, …
struct Range {
    std::int64_t first = 0;
    std::int64_t end = 0;
    [[nodiscard]] std::int64_t size() const { return end - first; }
    [[nodiscard]] bool empty() const { return end <= first; }
};

/// The input rows, counted n·height + h, that the taps of the output pixels `m` lie in. Neither end
/// ever goes back when the pixels go on.
[[nodiscard]] Range input_rows(const ConvView& view, Range m);

/// Taps of the kernel.
[[nodiscard]] inline std::int64_t taps(const ConvView& view) {
    return checked_multiply(view.kernel_height, view.kernel_width);
}
/// Rows of the weight matrix: the reduction of one output.
[[nodiscard]] inline std::int64_t weight_rows(const ConvView& view) {
    return checked_multiply(taps(view), view.group_channels());
}

/// The output channels of one tile, and the whole groups they belong to.
struct OutputTile {
    Range n;
    std::int64_t group = 0;   ///< the first
    std::int64_t groups = 1;  ///< side by side
};

/// Cuts the outputs `n` into tiles of at most `tile_n`: `pack` whole groups each if pack > 1, else
/// parts of one group each.
[[nodiscard]] std::vector<OutputTile> cut_outputs(const ConvView& view, Range n,
                                                  std::int64_t tile_n, std::int64_t pack);

/// The number of tiles cut_outputs() makes.
[[nodiscard]] std::int64_t count_outputs(const ConvView& view, Range n, std::int64_t tile_n,
                                         std::int64_t pack);

/// A part of a layer's channels as a layer of its own, whose panels hold these channels alone.
struct Slice {
    ConvView view;
    std::int64_t channel = 0;  ///< of the layer, the first of the slice
    std::int64_t output = 0;   ///< of the layer, the first of the slice
};

/// The channels [first, first + channels) of the groups of `tile`, of which there is one unless the
/// slice takes them whole.
[[nodiscard]] Slice slice_of(const ConvView& view, const OutputTile& tile, std::int64_t first,
                             std::int64_t channels);

/// Rows of the weight matrix of `view` in one piece, and where they go in the slice's own.
struct WeightRows {
    std::int64_t row = 0;
    std::int64_t count = 0;
};

/// Where the rows [k, k + depth) of the weight matrix of a slice (`channels` of one group, from
/// `first` within it) lie in that of the layer.
[[nodiscard]] std::vector<WeightRows> weight_pieces(const ConvView& view, std::int64_t first,
                                                    std::int64_t channels, Range k);

/// Sizes for a loop over `total` units: total, ⌈total/2⌉, ⌈total/3⌉, ⌈total/4⌉, ⌈total/6⌉, … 1.
[[nodiscard]] std::vector<std::int64_t> block_sizes(std::int64_t total);

}  // namespace systole::mapping
