#pragma once

#include "sim/report/result.hpp"

#include <string>

namespace systole {

struct TextOptions {
    bool roofline = false;  ///< draws the roofline
};

/// The result for a reader: what each layer did, what bounds it, where the cycles and the energy
/// went, in tables and a few sentences.
[[nodiscard]] std::string to_text(const Result& result, const TextOptions& options = {});

}  // namespace systole
