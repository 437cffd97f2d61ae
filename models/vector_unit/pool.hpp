#pragma once

#include "models/core/program.hpp"
#include "models/sram/sram.hpp"

#include <cstdint>
#include <span>

namespace systole::models {

[[nodiscard]] constexpr bool is_pool(VectorOp op) {
    return op == VectorOp::max_pool || op == VectorOp::average_pool;
}

/// Row `i` of the target of a pool: output pixel `pool_first` + i, a channel for each element of
/// `row`. Padding never wins a max_pool; an average_pool divides by the taps inside the image, or
/// by the whole window (`count_padding`).
void pool_row(const Vector& vector, const ConvView& view, std::int64_t i, const Sram& scratchpad,
              std::span<float> row);

}  // namespace systole::models
