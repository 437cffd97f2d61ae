#include "models/base/words.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/interrupt.hpp"
#include "sim/report/numbers.hpp"
#include "sim/report/output.hpp"
#include "sim/rtl/build_array.hpp"
#include "sim/rtl/check_pe.hpp"
#include "sim/rtl/fst_file.hpp"
#include "sim/run/load.hpp"

#include <fmt/format.h>

#include <memory>
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

void set_design(const PeRequest& request, models::PeDesign& design) {
    design.latency = request.latency.value_or(design.latency);
    design.sum_bits = request.sum_bits.value_or(design.sum_bits);
    if (!request.overflow.empty()) {
        design.overflow =
            request.overflow == "saturate" ? models::Overflow::saturate : models::Overflow::wrap;
    }
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
        spec.design = array->pe;
        buffers = buffers.value_or(array->weight_buffers);
        format = format.empty() ? numerics::to_string(native_format(loaded.chip)) : format;
    }
    set_design(request, spec.design);
    spec.format = format_of(format.empty() ? "int8" : format);
    if (!numerics::is_integer(spec.format) && (request.sum_bits || !request.overflow.empty())) {
        refuse("--sum-bits and --overflow are of integer sums", "those of " + format + " are fp32");
    }
    spec.design = models::design_for(spec.design, spec.format);
    spec.shadow = buffers.value_or(2) == 2;
    spec.rows = request.rows.value_or(spec.rows);
    spec.cols = request.cols.value_or(spec.cols);
    if ((spec.rows == 0) != (spec.cols == 0)) {
        refuse("an array has rows and columns", "give --rows and --cols together, or --chip");
    }
    spec.whole = spec.rows != 0 && better_whole(spec.rows, spec.cols);
    return spec;
}

/// The options that declare a design, where it is not as another is.
std::string options_of(const models::PeDesign& design, const models::PeDesign& other) {
    std::string text;
    if (design.latency != other.latency) {
        text += fmt::format(" --latency {}", design.latency);
    }
    if (design.sum_bits != other.sum_bits) {
        text += fmt::format(" --sum-bits {}", design.sum_bits);
    }
    if (design.overflow != other.overflow) {
        text += fmt::format(" --overflow {}", to_string(design.overflow));
    }
    return text;
}

/// A design in words; empty for a PE like ours.
std::string described(const models::PeDesign& design) {
    std::string text;
    const auto add = [&text](const std::string& words) {
        text += (text.empty() ? ", with " : " and ") + words;
    };
    if (design.latency > 1) {
        add(fmt::format("a latency of {} cycles", design.latency));
    }
    if (design.sum_bits < 32) {
        add(fmt::format("sums of {} bits", design.sum_bits));
    }
    if (design.overflow == models::Overflow::saturate) {
        add("sums that saturate");
    }
    return text;
}

std::string told(const PeDifference& difference) {
    return fmt::format("cycle {} of an array of {}×{}, PE ({}, {}): {} is {}, expected {}\n\n{}\n",
                       difference.cycle, difference.rows, difference.cols, difference.r,
                       difference.c, difference.signal, difference.got, difference.expected,
                       difference.history);
}

/// How to get the same again, and what may be meant.
std::string advice(const PeRequest& request, const ArraySpec& spec, const PeVerdict& verdict) {
    std::string text;
    if (verdict.conforms_as) {
        text += fmt::format("it conforms when that is declared:{}\n",
                            options_of(*verdict.conforms_as, spec.design));
    }
    if (request.wave_file) {
        return text + fmt::format("waveform: {}\n", *request.wave_file);
    }
    return text + fmt::format(
                      "again: systole pe check {}{} --format {} --weight-buffers {}{} --seed {} "
                      "--cycles {} --wave difference.fst\n",
                      request.file, request.top.empty() ? "" : " --top " + request.top,
                      numerics::to_string(spec.format), spec.shadow ? 2 : 1,
                      options_of(spec.design, {}), request.seed, request.cycles);
}

}  // namespace

void build_pe(const PeRequest& request) {
    ArraySpec spec = spec_of(request);
    spec.wave = request.wave;
    build_array(spec, request.out, &stop_requested());
    write_to_stdout(
        fmt::format("{}: a PE of {}{}{}\n", request.out, numerics::to_string(spec.format),
                    spec.whole ? fmt::format(" in an array of {}×{}", spec.rows, spec.cols)
                               : std::string{", for arrays of any size"},
                    described(spec.design)));
}

bool check_pe(const PeRequest& request) {
    std::unique_ptr<PendingFile> wave;
    if (request.wave_file) {
        wave = std::make_unique<PendingFile>(*request.wave_file);
        check_fst_target(*wave);
    }
    PeCheck check;
    check.pe = spec_of(request);
    check.seed = static_cast<std::uint64_t>(request.seed);
    check.cycles = request.cycles;
    if (wave) {
        check.wave = wave->path();
    }
    check.stop = &stop_requested();
    const PeVerdict verdict = check_pe(check);
    if (!verdict.difference) {
        write_to_stdout(
            fmt::format("{}: conforms ({} cycles, seed {}) as a PE of {} and {} weight buffer{}{}, "
                        "alone and in "
                        "an array\n",
                        request.file, grouped(verdict.cycles), request.seed,
                        numerics::to_string(check.pe.format), check.pe.shadow ? 2 : 1,
                        check.pe.shadow ? "s" : "", described(check.pe.design)));
        return true;
    }
    if (wave) {
        commit_fst(*wave);
    }
    write_to_stdout(fmt::format("{}: {}{}", request.file, told(*verdict.difference),
                                advice(request, check.pe, verdict)));
    return false;
}

}  // namespace systole
