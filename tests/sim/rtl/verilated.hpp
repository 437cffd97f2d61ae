#pragma once

#include "models/matrix_unit/rtl_array.hpp"
#include "sim/rtl/build_array.hpp"

#include <memory>

namespace systole::test {

/// Our own PE, of which arrays of any size are put together; built once.
[[nodiscard]] inline std::shared_ptr<const models::ArrayLibrary> our_pe(
    numerics::Format format, bool shadow, const models::PeDesign& design = {}) {
    ArraySpec spec;
    spec.format = format;
    spec.shadow = shadow;
    spec.design = design;
    spec.whole = false;
    return std::make_shared<models::ArrayLibrary>(cached_array(spec));
}

/// Our own array, Verilated for this size.
[[nodiscard]] inline std::shared_ptr<const models::ArrayLibrary> our_array(numerics::Format format,
                                                                           bool shadow,
                                                                           std::int64_t rows,
                                                                           std::int64_t cols) {
    ArraySpec spec;
    spec.format = format;
    spec.rows = rows;
    spec.cols = cols;
    spec.shadow = shadow;
    return std::make_shared<models::ArrayLibrary>(cached_array(spec));
}

}  // namespace systole::test
