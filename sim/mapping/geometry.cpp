#include "sim/mapping/geometry.hpp"

#include <algorithm>

namespace systole::mapping {

Range input_rows(const ConvView& view, Range m) {
    const std::int64_t first_row = m.first / view.out_width;
    const std::int64_t last_row = (m.end - 1) / view.out_width;
    const auto at = [&](std::int64_t row, std::int64_t beyond) {
        const std::int64_t ih = row % view.out_height * view.stride_height - view.pad_top + beyond;
        return row / view.out_height * view.height + std::clamp(ih, std::int64_t{0}, view.height);
    };
    const std::int64_t first = at(first_row, 0);
    const std::int64_t end = at(last_row, (view.kernel_height - 1) * view.dilation_height + 1);
    return {first, std::max(first, end)};
}

std::vector<OutputTile> cut_outputs(const ConvView& view, Range n, std::int64_t tile_n,
                                    std::int64_t pack) {
    const std::int64_t group_outputs = view.group_outputs();
    std::vector<OutputTile> tiles;
    std::int64_t at = n.first;
    while (at < n.end) {
        const std::int64_t group = at / group_outputs;
        const std::int64_t last = pack > 1 ? group + pack : group + 1;
        const std::int64_t room = pack > 1 ? n.end : at + tile_n;
        const std::int64_t end = std::min({n.end, last * group_outputs, room});
        tiles.push_back({{at, end}, group, ceil_div(end, group_outputs) - group});
        at = end;
    }
    return tiles;
}

std::int64_t count_outputs(const ConvView& view, Range n, std::int64_t tile_n, std::int64_t pack) {
    const std::int64_t group_outputs = view.group_outputs();
    if (pack > 1) {
        return ceil_div(n.size(), pack * group_outputs);
    }
    const std::int64_t first_group = n.first / group_outputs;
    const std::int64_t last_group = (n.end - 1) / group_outputs;
    if (first_group == last_group) {
        return ceil_div(n.size(), tile_n);
    }
    return ceil_div((first_group + 1) * group_outputs - n.first, tile_n) +
           (last_group - first_group - 1) * ceil_div(group_outputs, tile_n) +
           ceil_div(n.end - last_group * group_outputs, tile_n);
}

Slice slice_of(const ConvView& view, const OutputTile& tile, std::int64_t first,
               std::int64_t channels) {
    Slice slice{view, tile.group * view.group_channels() + first,
                tile.group * view.group_outputs()};
    slice.view.channels = channels;
    slice.view.groups = tile.groups;
    slice.view.out_channels = tile.groups * view.group_outputs();
    return slice;
}

std::vector<WeightRows> weight_pieces(const ConvView& view, std::int64_t first,
                                      std::int64_t channels, Range k) {
    if (channels == view.group_channels()) {
        return {{k.first, k.size()}};
    }
    std::vector<WeightRows> pieces;
    for (std::int64_t at = k.first; at < k.end;) {
        const std::int64_t tap = at / channels;
        const std::int64_t end = std::min(k.end, (tap + 1) * channels);
        pieces.push_back({tap * view.group_channels() + first + at % channels, end - at});
        at = end;
    }
    return pieces;
}

std::vector<std::int64_t> block_sizes(std::int64_t total) {
    std::vector<std::int64_t> sizes;
    for (std::int64_t power = 1; power / 2 <= total; power *= 2) {
        for (const std::int64_t blocks : {power, power + power / 2}) {
            const std::int64_t size = ceil_div(total, blocks);
            if (sizes.empty() || size < sizes.back()) {
                sizes.push_back(size);
            }
        }
    }
    if (sizes.back() > 1) {
        sizes.push_back(1);
    }
    return sizes;
}

}  // namespace systole::mapping
