#include "models/vector_unit/pool.hpp"

#include "models/numerics/convert.hpp"
#include "models/vector_unit/lane_functions.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace systole::models {
namespace {

/// Calls `tap(panel pixel)` for each tap of output pixel m that is inside the image, row by row.
template <class Tap>
void for_each_tap(const Vector& vector, const ConvView& view, std::int64_t m, Tap tap) {
    const auto out_w = m % view.out_width;
    const auto out_h = m / view.out_width % view.out_height;
    const auto image = m / view.out_width / view.out_height;
    for (std::int64_t kh = 0; kh < view.kernel_height; ++kh) {
        const auto h = out_h * view.stride_height - view.pad_top + kh * view.dilation_height;
        if (h < 0 || h >= view.height) {
            continue;
        }
        const auto panel_row = image * view.height + h - vector.pool_panel_first;
        for (std::int64_t kw = 0; kw < view.kernel_width; ++kw) {
            const auto w = out_w * view.stride_width - view.pad_left + kw * view.dilation_width;
            if (w >= 0 && w < view.width) {
                tap(panel_row * view.width + w);
            }
        }
    }
}

}  // namespace

void pool_row(const Vector& vector, const ConvView& view, std::int64_t i, const Sram& scratchpad,
              std::span<float> row) {
    const auto& source = vector.source;
    const bool max = vector.steps.front().op == VectorOp::max_pool;
    const auto bytes = numerics::bytes_of(source.format);
    std::vector<float> pixel(row.size());
    std::int64_t inside = 0;
    std::fill(row.begin(), row.end(), max ? -std::numeric_limits<float>::infinity() : 0.0F);
    for_each_tap(vector, view, vector.pool_first + i, [&](std::int64_t panel_pixel) {
        SYSTOLE_ASSERT(panel_pixel >= 0 && panel_pixel < source.rows,
                       "a window reaches outside the panel of its pool");
        const auto element = panel_pixel * source.pitch + vector.pool_channel_first;
        numerics::load(source.format,
                       scratchpad.bytes(source.address + element * bytes,
                                        static_cast<std::int64_t>(row.size()) * bytes),
                       pixel);
        for (std::size_t c = 0; c < row.size(); ++c) {
            row[c] = max ? maximum(row[c], pixel[c]) : row[c] + pixel[c];
        }
        ++inside;
    });
    SYSTOLE_ASSERT(inside > 0, "a window of a pool lies in the padding");
    if (!max) {
        const auto window = view.kernel_height * view.kernel_width;
        const auto divisor = static_cast<float>(vector.count_padding ? window : inside);
        for (float& x : row) {
            x /= divisor;
        }
    }
}

}  // namespace systole::models
