#include "sim/rtl/check_pe.hpp"

#include "models/base/interruption.hpp"
#include "models/matrix_unit/rtl_array.hpp"
#include "models/numerics/convert.hpp"
#include "sim/report/table.hpp"
#include "sim/rtl/build_array.hpp"
#include "sim/rtl/pe_model.hpp"
#include "sim/rtl/temporary_directory.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace systole {
namespace {

namespace fs = std::filesystem;
using numerics::Format;

struct Signal {
    const char* name;
    std::uint32_t SystolePeOutputs::*member;
};
constexpr std::array<Signal, 6> signals{{{"act_out", &SystolePeOutputs::act},
                                         {"valid_out", &SystolePeOutputs::valid},
                                         {"wgt_swap_out", &SystolePeOutputs::swap},
                                         {"wgt_shift_out", &SystolePeOutputs::shift},
                                         {"wgt_out", &SystolePeOutputs::wgt},
                                         {"psum_out", &SystolePeOutputs::psum}}};

/// What the edges do in one cycle.
struct Stimulus {
    bool reset = false;
    bool enable = true;
    bool valid = false;
    bool swap = false;
    bool shift = false;
    bool first = false;
    std::vector<std::uint32_t> activations{};
    std::vector<std::uint32_t> weights{};
};

/// Numbers of a format in which extremes are frequent.
class Numbers {
public:
    Numbers(Format format, std::uint64_t seed) : format_{format}, random_{seed} {}

    bool chance(unsigned percent) { return random_() % 100 < percent; }
    std::uint32_t number() {
        const std::uint32_t bits = 8 * static_cast<std::uint32_t>(numerics::bytes_of(format_));
        const std::uint32_t mask = ~0U >> (32 - bits);
        const auto any = static_cast<std::uint32_t>(random_()) & mask;
        if (numerics::is_integer(format_)) {
            constexpr std::array<std::uint32_t, 6> extremes{0x80, 0x7f, 0xff, 0x81, 1, 0};
            return chance(30) ? extremes[random_() % extremes.size()] : any;
        }
        const numerics::FloatLayout layout = numerics::layout_of(format_);
        if (chance(70)) {  // near 1, so that sums stay numbers
            const double value = static_cast<double>(any) / mask - 0.5;
            return numerics::from_double(format_, 8 * value);
        }
        return chance(30) ? any & (layout.sign_bit() | ((1U << layout.mantissa_bits) - 1)) : any;
    }
    std::vector<std::uint32_t> numbers(std::size_t count) {
        std::vector<std::uint32_t> some(count);
        for (auto& each : some) {
            each = number();
        }
        return some;
    }

private:
    Format format_;
    std::mt19937_64 random_;
};

/// Tiles one behind the other, as the matrix unit sends them.
std::vector<Stimulus> tiles(Numbers& numbers, std::size_t rows, std::size_t cols, bool shadow) {
    std::vector<Stimulus> script;
    const auto push = [&](Stimulus s) {
        s.activations = s.valid ? numbers.numbers(rows) : std::vector<std::uint32_t>(rows, 0);
        s.weights = numbers.numbers(cols);
        script.push_back(std::move(s));
        while (numbers.chance(20)) {
            // While `en` is low the edges may say what they like.
            script.push_back({false, false, true, true, true, true, numbers.numbers(rows),
                              numbers.numbers(cols)});
        }
    };
    const auto idle = [&](std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            push({});
        }
    };
    for (std::size_t tile = 0; tile < 8; ++tile) {
        for (std::size_t row = 0; row < rows; ++row) {
            // With a shadow, behind the rows of the tile before.
            push({.valid = shadow && tile > 0, .shift = true, .first = row == 0});
        }
        idle(shadow ? 0 : rows + cols);
        for (std::size_t row = 0; row < 1 + tile % 3 * rows; ++row) {
            push({.valid = true, .swap = row == 0});
        }
        idle(shadow ? tile % 2 : rows + cols);
    }
    idle(rows + cols);
    return script;
}

/// Anything, at any time; only that what is not valid is zero.
std::vector<Stimulus> random_work(Numbers& numbers, std::size_t rows, std::size_t cols,
                                  std::int64_t cycles) {
    std::vector<Stimulus> script;
    for (std::int64_t i = 0; i < cycles; ++i) {
        Stimulus s;
        s.reset = i % 500 == 499;
        s.enable = numbers.chance(80);
        s.valid = numbers.chance(70);
        s.swap = s.valid && numbers.chance(30);
        s.shift = numbers.chance(50);
        s.first = s.shift && numbers.chance(15);
        s.activations = s.valid ? numbers.numbers(rows) : std::vector<std::uint32_t>(rows, 0);
        s.weights = numbers.numbers(cols);
        script.push_back(std::move(s));
    }
    return script;
}

/// The PEs of the library and those of the contract, side by side.
class Lockstep {
public:
    Lockstep(const models::ArrayLibrary& library, const PeCheck& check, std::size_t rows,
             std::size_t cols)
        : library_{*library},
          format_{check.format},
          rows_{rows},
          cols_{cols},
          array_{
              library_.create(static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(cols)),
              library_.destroy},
          stop_{check.stop},
          model_{check.format, check.shadow, rows, cols},
          past_(rows * cols) {}

    /// From reset on.
    std::optional<PeDifference> run(const std::vector<Stimulus>& script) {
        for (const Stimulus& s : script) {
            check_stop(stop_, "while the PE was checked");
            step(s);
            if (auto difference = compare()) {
                return difference;
            }
            ++cycle_;
        }
        return std::nullopt;
    }
    [[nodiscard]] std::int64_t cycles() const { return cycle_; }

private:
    /// What a PE saw and did in one cycle.
    struct Moment {
        std::int64_t cycle = 0;
        bool reset = false;
        bool enable = false;
        PeInputs in;
        SystolePeOutputs got{};
        SystolePeOutputs expected{};
    };

    void step(const Stimulus& s) {
        if (s.reset) {
            library_.reset(array_.get());
            model_.reset();
        } else {
            const SystoleArrayEdges edges{s.activations.data(),
                                          s.weights.data(),
                                          s.enable ? std::uint8_t{1} : std::uint8_t{0},
                                          s.valid ? std::uint8_t{1} : std::uint8_t{0},
                                          s.swap ? std::uint8_t{1} : std::uint8_t{0},
                                          s.shift ? std::uint8_t{1} : std::uint8_t{0},
                                          s.first ? std::uint8_t{1} : std::uint8_t{0}};
            library_.clock(array_.get(), &edges);
            model_.clock(edges);
        }
        for (std::size_t i = 0; i < past_.size(); ++i) {
            const std::size_t r = i / cols_;
            const std::size_t c = i % cols_;
            Moment now{cycle_, s.reset, s.enable, model_.inputs(r, c), {}, model_.outputs(r, c)};
            library_.outputs(array_.get(), static_cast<std::uint32_t>(r),
                             static_cast<std::uint32_t>(c), &now.got);
            past_[i].push_back(now);
            if (past_[i].size() > 6) {
                past_[i].pop_front();
            }
        }
    }

    [[nodiscard]] std::optional<PeDifference> compare() const {
        for (std::size_t i = 0; i < past_.size(); ++i) {
            const Moment& now = past_[i].back();
            for (const Signal& signal : signals) {
                if (now.got.*signal.member != now.expected.*signal.member) {
                    PeDifference difference;
                    difference.rows = static_cast<std::int64_t>(rows_);
                    difference.cols = static_cast<std::int64_t>(cols_);
                    difference.cycle = cycle_;
                    difference.r = static_cast<std::int64_t>(i / cols_);
                    difference.c = static_cast<std::int64_t>(i % cols_);
                    difference.signal = signal.name;
                    difference.expected = shown(signal, now.expected.*signal.member);
                    difference.got = shown(signal, now.got.*signal.member);
                    difference.history = history(past_[i]);
                    return difference;
                }
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] std::string shown(const Signal& signal, std::uint32_t bits) const {
        const bool sum = signal.member == &SystolePeOutputs::psum;
        if (!sum && signal.member != &SystolePeOutputs::act &&
            signal.member != &SystolePeOutputs::wgt) {
            return fmt::format("{}", bits);
        }
        const Format format = sum ? numerics::accumulator_of(format_) : format_;
        return fmt::format("{:.9g} (0x{:x})", numerics::to_double(format, bits), bits);
    }

    [[nodiscard]] std::string history(const std::deque<Moment>& past) const {
        Table table{{{"cycle"},
                     {"en"},
                     {"act_in"},
                     {"valid_in"},
                     {"swap_in"},
                     {"shift_in"},
                     {"wgt_in"},
                     {"psum_in"},
                     {"psum_out"},
                     {"expected"}}};
        const auto value = [](Format format, std::uint32_t bits) {
            return fmt::format("{:.7g}", numerics::to_double(format, bits));
        };
        const Format sums = numerics::accumulator_of(format_);
        for (const Moment& m : past) {
            table.add_row({fmt::format("{}", m.cycle),
                           m.reset    ? "reset"
                           : m.enable ? "1"
                                      : "0",
                           value(format_, m.in.act), fmt::format("{:d}", m.in.valid),
                           fmt::format("{:d}", m.in.swap), fmt::format("{:d}", m.in.shift),
                           value(format_, m.in.wgt), value(sums, m.in.psum),
                           value(sums, m.got.psum), value(sums, m.expected.psum)});
        }
        return table.text();
    }

    const SystoleArrayLibrary& library_;
    Format format_;
    std::size_t rows_;
    std::size_t cols_;
    std::unique_ptr<void, void (*)(void*)> array_;
    const std::atomic<bool>* stop_;
    PeGridModel model_;
    std::vector<std::deque<Moment>> past_;
    std::int64_t cycle_ = 0;
};

}  // namespace

PeVerdict check_pe(const PeCheck& check) {
    ArraySpec spec;
    spec.format = check.format;
    spec.shadow = check.shadow;
    spec.whole = false;
    spec.pe = check.file;
    spec.top = check.top;
    const TemporaryDirectory temporary{fs::temp_directory_path()};
    const fs::path file = temporary.path() / "pe.so";
    build_array(spec, file, check.stop);
    const models::ArrayLibrary library{file};
    PeVerdict verdict;
    for (const auto& [rows, cols] : {std::pair<std::size_t, std::size_t>{1, 1}, {4, 3}}) {
        Numbers numbers{check.format, check.seed};
        for (const auto& script : {tiles(numbers, rows, cols, check.shadow),
                                   random_work(numbers, rows, cols, check.cycles)}) {
            Lockstep lockstep{library, check, rows, cols};
            verdict.difference = lockstep.run(script);
            verdict.cycles += lockstep.cycles();
            if (verdict.difference) {
                return verdict;
            }
        }
    }
    return verdict;
}

}  // namespace systole
