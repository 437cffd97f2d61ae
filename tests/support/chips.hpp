#pragma once

#include "models/chip_config.hpp"

#include <cstdint>

namespace systole::test {

/// A systolic array with all formats, a vector unit that takes no time and ideal memory.
inline models::ChipConfig systolic_chip(std::int64_t rows, std::int64_t cols,
                                        models::Dataflow dataflow, std::int64_t accumulators,
                                        Bytes scratchpad) {
    models::SystolicConfig array;
    array.rows = rows;
    array.cols = cols;
    array.dataflow = dataflow;
    array.weight_buffers = 1;
    array.accumulators = accumulators;
    array.formats = {numerics::Format::int8, numerics::Format::bf16, numerics::Format::fp32};
    models::ChipConfig chip;
    chip.name = "array";
    chip.clock = Hertz{1e9};
    chip.core.matrix = array;
    chip.core.scratchpad.size = scratchpad;
    chip.core.scratchpad.width = Bytes{64};
    chip.memory.model = models::MemoryModel::ideal;
    return chip;
}

}  // namespace systole::test
