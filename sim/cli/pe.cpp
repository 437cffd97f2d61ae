#include "models/base/words.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/interrupt.hpp"
#include "sim/report/numbers.hpp"
#include "sim/report/output.hpp"
#include "sim/rtl/build_array.hpp"
#include "sim/rtl/check_pe.hpp"
#include "sim/run/load.hpp"

#include <fmt/format.h>

#include <string>
#include <variant>

namespace systole {
namespace {

using numerics::Format;

[[noreturn]] void refuse(const std::string& what, const std::string& hint) {
    throw InputError{{{{"systole pe"}, what, hint}}};
}

Format format_of(const std::string& word) {
    for (const Format format : {Format::int8, Format::bf16, Format::fp16, Format::fp32}) {
        if (word == numerics::to_string(format)) {
            return format;
        }
    }
    refuse("'" + word + "' is no format of a PE", "int8, bf16, fp16 or fp32");
}

/// What the request leaves open is as the chip has it.
ArraySpec spec_of(const PeRequest& request) {
    ArraySpec spec;
    spec.pe = request.file;
    spec.top = request.top;
    spec.whole = false;
    std::optional<std::int64_t> buffers = request.weight_buffers;
    std::string format = request.format;
    if (request.chip) {
        const LoadedChip loaded = load_chip(*request.chip, {});
        const auto* array = std::get_if<models::SystolicConfig>(&loaded.chip.core.matrix);
        if (array == nullptr) {
            refuse("chip '" + *request.chip + "' has no systolic array", "name one that has");
        }
        spec.rows = array->rows;
        spec.cols = array->cols;
        buffers = buffers.value_or(array->weight_buffers);
        format = format.empty() ? numerics::to_string(native_format(loaded.chip)) : format;
    }
    spec.format = format_of(format.empty() ? "int8" : format);
    spec.shadow = buffers.value_or(2) == 2;
    spec.rows = request.rows.value_or(spec.rows);
    spec.cols = request.cols.value_or(spec.cols);
    if ((spec.rows == 0) != (spec.cols == 0)) {
        refuse("an array has rows and columns", "give --rows and --cols together, or --chip");
    }
    spec.whole = spec.rows != 0 && better_whole(spec.rows, spec.cols);
    return spec;
}

}  // namespace

void build_pe(const PeRequest& request) {
    const ArraySpec spec = spec_of(request);
    build_array(spec, request.out, &stop_requested());
    write_to_stdout(fmt::format("{}: a PE of {}{}\n", request.out, numerics::to_string(spec.format),
                                spec.whole
                                    ? fmt::format(" in an array of {}×{}", spec.rows, spec.cols)
                                    : std::string{", for arrays of any size"}));
}

bool check_pe(const PeRequest& request) {
    const ArraySpec spec = spec_of(request);
    PeCheck check;
    check.file = request.file;
    check.top = request.top;
    check.format = spec.format;
    check.shadow = spec.shadow;
    check.seed = static_cast<std::uint64_t>(request.seed);
    check.cycles = request.cycles;
    check.stop = &stop_requested();
    const PeVerdict verdict = check_pe(check);
    if (!verdict.difference) {
        write_to_stdout(fmt::format("{}: conforms ({} cycles, seed {})\n", request.file,
                                    grouped(verdict.cycles), request.seed));
        return true;
    }
    const PeDifference& difference = *verdict.difference;
    write_to_stdout(fmt::format(
        "{}: cycle {} of an array of {}×{}, PE ({}, {}): {} is {}, expected {}\n\n{}\n"
        "again: systole pe check {} --format {} --weight-buffers {} --seed {} --cycles {}\n",
        request.file, difference.cycle, difference.rows, difference.cols, difference.r,
        difference.c, difference.signal, difference.got, difference.expected, difference.history,
        request.file, numerics::to_string(spec.format), spec.shadow ? 2 : 1, request.seed,
        request.cycles));
    return false;
}

}  // namespace systole
