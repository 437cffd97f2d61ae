#include "models/matrix_unit/wave.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <sstream>
#include <system_error>
#include <utility>

namespace systole::models {
namespace {

constexpr int operand_bits = 8;
constexpr int sum_bits = 32;
constexpr std::size_t signals_of_a_pe = 4;

/// Identifiers are written in the printable characters from '!' to '~'.
std::string identifier(std::size_t number) {
    constexpr std::size_t digits = '~' - '!' + 1;
    std::string id;
    do {
        id += static_cast<char>('!' + number % digits);
        number /= digits;
    } while (number > 0);
    return id;
}

std::vector<std::string> scopes(const std::string& module) {
    std::vector<std::string> names;
    std::istringstream in{module};
    for (std::string name; std::getline(in, name, '.');) {
        names.push_back(name);
    }
    return names;
}

[[noreturn]] void refuse(SourceLocation where, std::string what, std::string hint) {
    std::vector<Fault> faults(1);
    faults.front() = {std::move(where), std::move(what), std::move(hint)};
    throw InputError{std::move(faults)};
}

}  // namespace

WaveWriter::WaveWriter(const WaveConfig& wave, const std::string& module,
                       const SystolicConfig& config)
    : wave_{wave},
      rows_{config.rows},
      cols_{config.cols},
      integers_{std::ranges::all_of(config.formats,
                                    [](Format format) { return format == Format::int8; })},
      newest_{wave.from} {
    if (rows_ > most_rows || cols_ > most_cols) {
        refuse({},
               fmt::format("a wave shows every PE, and an array of {} rows and {} columns has too "
                           "many",
                           rows_, cols_),
               fmt::format("at most {} rows and {} columns: take a smaller chip, or --set "
                           "core.matrix.rows and core.matrix.cols",
                           most_rows, most_cols));
    }
    declare(module);
    file_.open(wave_.path);
    flush();
}

WaveWriter::~WaveWriter() {
    // So that a viewer shows the last cycle in its full length.
    file_ << '#' << newest_.count() + 1 << '\n';
}

void WaveWriter::declare(const std::string& module) {
    text_ = "$comment one time unit is one cycle $end\n$timescale 1 ns $end\n";
    const auto names = scopes(module);
    for (const auto& name : names) {
        text_ += fmt::format("$scope module {} $end\n", name);
    }
    enable_ = declare_signal("wire", 1, "clock_enable");
    cause_ = declare_signal("string", 1, "cause");
    first_pe_ = signals_.size();
    for (std::int64_t r = 0; r < rows_; ++r) {
        for (std::int64_t c = 0; c < cols_; ++c) {
            declare_pe(r, c);
        }
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        text_ += "$upscope $end\n";
    }
    text_ += fmt::format("$enddefinitions $end\n#{}\n", wave_.from.count());
}

void WaveWriter::declare_pe(std::int64_t r, std::int64_t c) {
    const std::string type = integers_ ? "wire" : "real";
    text_ += fmt::format("$scope module pe_{}_{} $end\n", r, c);
    declare_signal(type, integers_ ? operand_bits : 64, "activation");
    declare_signal(type, integers_ ? operand_bits : 64, "weight");
    declare_signal(type, integers_ ? sum_bits : 64, "psum");
    declare_signal("wire", 1, "swap");
    text_ += "$upscope $end\n";
}

std::size_t WaveWriter::declare_signal(const std::string& type, int bits, const std::string& name) {
    const std::size_t number = signals_.size();
    signals_.push_back({identifier(number), {}});
    text_ += fmt::format("$var {} {} {} {} $end\n", type, bits, signals_.back().id, name);
    return number;
}

void WaveWriter::stands(Cycles from, Cycles to, Cause cause) {
    const Cycles first = std::max(from, wave_.from);
    if (first < to && wave_.covers(first)) {
        begin(first, false, cause);
        flush();
    }
}

void WaveWriter::runs(Cycles cycle, Cause cause, const PeArray* array) {
    if (!wave_.covers(cycle)) {
        return;
    }
    begin(cycle, true, cause);
    if (array != nullptr) {
        std::size_t signal = first_pe_;
        for (std::int64_t r = 0; r < rows_; ++r) {
            for (std::int64_t c = 0; c < cols_; ++c) {
                show_pe(signal, *array, r, c);
                signal += signals_of_a_pe;
            }
        }
    }
    flush();
}

void WaveWriter::begin(Cycles cycle, bool enabled, Cause cause) {
    if (cycle > newest_) {
        text_ += fmt::format("#{}\n", cycle.count());
        newest_ = cycle;
    }
    show(enable_, enabled ? "1" : "0");
    show(cause_, fmt::format("s{} ", to_string(cause)));
}

void WaveWriter::show_pe(std::size_t first_signal, const PeArray& array, std::int64_t r,
                         std::int64_t c) {
    show_number(first_signal, operand_bits, array.activation(r, c));
    show_number(first_signal + 1, operand_bits, array.weight(r, c));
    show_number(first_signal + 2, sum_bits, array.sum(r, c));
    show(first_signal + 3, array.swaps(r, c) ? "1" : "0");
}

void WaveWriter::show_number(std::size_t signal, int bits, double value) {
    if (!integers_) {
        show(signal, fmt::format("r{:.17g} ", value));
        return;
    }
    // Two's complement; the wire of `bits` takes the last of them.
    const auto word =
        std::bitset<sum_bits>(static_cast<std::uint32_t>(static_cast<std::int32_t>(value)));
    show(signal,
         fmt::format("b{} ", word.to_string().substr(static_cast<std::size_t>(sum_bits - bits))));
}

/// Writes what has changed only.
void WaveWriter::show(std::size_t signal, const std::string& value) {
    Signal& shown = signals_[signal];
    if (shown.shown != value) {
        shown.shown = value;
        text_ += value + shown.id + '\n';
    }
}

void WaveWriter::flush() {
    file_ << text_;
    file_.flush();
    text_.clear();
    if (!file_) {
        file_.close();
        std::error_code ignored;
        if (std::filesystem::is_regular_file(wave_.path, ignored)) {
            std::filesystem::remove(wave_.path, ignored);
        }
        refuse({wave_.path.string(), 0, 0}, "the wave cannot be written",
               "--wave names a file in a folder that can be written and has room");
    }
}

}  // namespace systole::models
