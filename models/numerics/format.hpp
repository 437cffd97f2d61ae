#pragma once

#include "models/base/units.hpp"

#include <cstdint>

namespace systole::numerics {

/// How a number is stored. An enumerator is its word in YAML.
enum class Format { int8, int32, fp16, bf16, fp32 };

[[nodiscard]] const char* to_string(Format format);

/// Storage of one element.
[[nodiscard]] constexpr std::int64_t bytes_of(Format format) {
    switch (format) {
        case Format::int8:
            return 1;
        case Format::fp16:
        case Format::bf16:
            return 2;
        case Format::int32:
        case Format::fp32:
            return 4;
    }
    return 0;
}

[[nodiscard]] constexpr bool is_integer(Format format) {
    return format == Format::int8 || format == Format::int32;
}

/// What a PE adds products of `format` in: int8 → int32, the floating formats → fp32.
[[nodiscard]] constexpr Format accumulator_of(Format format) {
    return is_integer(format) ? Format::int32 : Format::fp32;
}

}  // namespace systole::numerics
