#pragma once

#include "models/core/program.hpp"
#include "models/sram/sram.hpp"

namespace systole::models {

/// Computes the target of an instruction of the vector unit. Every number between the steps is an
/// fp32, every operation rounds once, operands and parameters are fp32 when used; the result goes
/// to the target's format with one rounding more (overflow: infinity for floating formats,
/// saturation for integers; `quantize`, which must be last, saturates in every format).
/// Sums of a pool or of a softmax start at +0 and run over the taps of the window row by row, over
/// the columns from the first on.
///
/// The source of a pool is a panel of pixels, `pitch` elements apart: element (i, j) of the target
/// is made from channel `pool_channel_first` + j of its taps.
void evaluate(const Vector& vector, const ConvView* view, Sram& scratchpad,
              Accumulators& accumulators);

}  // namespace systole::models
