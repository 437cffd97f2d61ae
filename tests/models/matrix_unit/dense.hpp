#pragma once

#include "tests/models/matrix_unit/unit_bench.hpp"

namespace systole::test {

/// A product of M×K by K×N as a 1×1 convolution of M images of one pixel.
inline models::ConvView dense_view(std::int64_t m, std::int64_t n, std::int64_t k,
                                   models::Format format = models::Format::int8) {
    return {.batch = m, .channels = k, .out_channels = n, .format = format};
}

/// Rows [first, first + rows), reduction [k_first, k_first + depth) of the left matrix, which lies
/// at `address`.
inline models::Operand left(const models::ConvView& view, std::int64_t first, std::int64_t rows,
                            std::int64_t k_first, std::int64_t depth, std::int64_t address = 0) {
    return {.kind = models::Operand::Kind::image,
            .address = address,
            .first = first,
            .rows = rows,
            .k_first = k_first,
            .depth = depth,
            .channels = view.channels};
}
/// Columns [first, first + columns) of the right one.
inline models::Operand right(const models::ConvView& view, std::int64_t first, std::int64_t columns,
                             std::int64_t k_first, std::int64_t depth, std::int64_t address = 0) {
    return {.kind = models::Operand::Kind::weights,
            .address = address,
            .first = first,
            .rows = columns,
            .k_first = k_first,
            .depth = depth,
            .channels = view.channels,
            .pitch = view.out_channels};
}

inline Issue preload(const models::Operand& north, std::int64_t delay = 0) {
    return {.instruction = {.layer = 0, .view = 0, .waits = {}, .work = models::Preload{north}},
            .delay = delay};
}
inline Issue stream(const models::Operand& west, const models::Operand& north, bool swap,
                    std::int64_t delay = 0) {
    return {.instruction = {.layer = 0,
                            .view = 0,
                            .waits = {},
                            .work = models::Stream{.west = west,
                                                   .north = north,
                                                   .sums = {0, west.rows, north.rows},
                                                   .swap = swap,
                                                   .macs = west.rows * north.rows * west.depth}},
            .delay = delay};
}

/// A port so wide that it is never in the way.
inline constexpr std::int64_t unlimited = 1 << 20;

inline Rig array_rig(const models::SystolicConfig& config, const models::ConvView& view,
                     std::int64_t width = unlimited) {
    return {.config = config,
            .accumulator_cols = config.cols,
            .accumulator_rows = config.accumulators,
            .width = width,
            .views = {view}};
}

}  // namespace systole::test
