#include "models/numerics/format.hpp"

namespace systole::numerics {

const char* to_string(Format format) {
    switch (format) {
        case Format::int8:
            return "int8";
        case Format::int32:
            return "int32";
        case Format::fp16:
            return "fp16";
        case Format::bf16:
            return "bf16";
        case Format::fp32:
            return "fp32";
    }
    return "unknown format";
}

FloatLayout layout_of(Format format) {
    switch (format) {
        case Format::fp16:
            return {5, 10, Specials::ieee};
        case Format::bf16:
            return {8, 7, Specials::ieee};
        case Format::fp32:
            return {8, 23, Specials::ieee};
        case Format::int8:
        case Format::int32:
            break;
    }
    SYSTOLE_ASSERT(false, "an integer format has no exponent");
    return {};
}

}  // namespace systole::numerics
