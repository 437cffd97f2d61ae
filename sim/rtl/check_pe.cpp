#include "sim/rtl/check_pe.hpp"

#include "models/base/interruption.hpp"
#include "models/matrix_unit/rtl_array.hpp"
#include "models/numerics/convert.hpp"
#include "sim/report/table.hpp"
#include "sim/rtl/pe_model.hpp"
#include "sim/rtl/pe_stimuli.hpp"
#include "sim/rtl/temporary_directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
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

/// Cycles of the waveform before and after a difference.
constexpr std::int64_t cycles_before = 20;
constexpr std::int64_t cycles_after = 4;

struct Size {
    std::size_t rows;
    std::size_t cols;
};

/// The PEs of the library and those of the contract, side by side.
class Lockstep {
public:
    Lockstep(const models::ArrayLibrary& library, const PeCheck& check,
             const models::PeDesign& design, Size size)
        : library_{*library},
          format_{check.pe.format},
          sum_bits_{design.sum_bits},
          rows_{size.rows},
          cols_{size.cols},
          array_{
              library_.create(static_cast<std::uint32_t>(rows_), static_cast<std::uint32_t>(cols_)),
              library_.destroy},
          stop_{check.stop},
          model_{format_, check.pe.shadow, design, rows_, cols_},
          past_(rows_ * cols_) {}

    /// From reset on, to the first difference.
    std::optional<PeDifference> run(const std::vector<Stimulus>& script) {
        for (const Stimulus& s : script) {
            check_stop(stop_, "while the PE was checked");
            step(s, false);
            if (auto difference = compare()) {
                return difference;
            }
            ++cycle_;
        }
        return std::nullopt;
    }

    /// The same again, with a waveform around a cycle; false: it cannot be written.
    bool record(const std::vector<Stimulus>& script, std::int64_t around, const fs::path& wave) {
        if (library_.open_wave(array_.get(), wave.c_str()) == 0) {
            return false;
        }
        for (const Stimulus& s : script) {
            if (cycle_ > around + cycles_after) {
                break;
            }
            step(s, cycle_ + cycles_before >= around);
            ++cycle_;
        }
        return true;
    }
    [[nodiscard]] std::int64_t cycles() const { return cycle_; }

private:
    /// What a PE saw and did in one cycle.
    struct Moment {
        std::int64_t cycle = 0;
        bool reset = false;
        bool enable = false;
        PeInputs in;
        std::uint32_t weight = 0;  ///< that is to be in use
        SystolePeOutputs got{};
        SystolePeOutputs expected{};
    };

    [[nodiscard]] SystoleArrayEdges edges_of(const Stimulus& s, bool shown) const {
        SystoleArrayEdges edges{};
        const auto data = [](const std::vector<std::uint32_t>& numbers) {
            return numbers.empty() ? nullptr : numbers.data();
        };
        const auto bit = [](bool b) { return b ? std::uint8_t{1} : std::uint8_t{0}; };
        edges.activations = data(s.activations);
        edges.weights = data(s.weights);
        edges.sums = data(s.sums);
        edges.cycle = static_cast<std::uint64_t>(cycle_);
        edges.shown = bit(shown);
        edges.reset = bit(s.reset);
        edges.enable = bit(s.enable || s.reset);
        edges.valid = bit(s.valid);
        edges.swap = bit(s.swap);
        edges.shift = bit(s.shift);
        edges.first = bit(s.first);
        return edges;
    }

    void step(const Stimulus& s, bool shown) {
        const SystoleArrayEdges edges = edges_of(s, shown);
        library_.clock(array_.get(), &edges);
        if (s.reset) {
            model_.reset();
        } else {
            model_.clock(edges);
        }
        for (std::size_t i = 0; i < past_.size(); ++i) {
            const std::size_t r = i / cols_;
            const std::size_t c = i % cols_;
            Moment now{cycle_,
                       s.reset,
                       s.enable,
                       model_.inputs(r, c),
                       model_.weight(r, c),
                       {},
                       model_.outputs(r, c)};
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
        return fmt::format("{} (0x{:x})",
                           number(sum ? sum_value(bits) : numerics::to_double(format_, bits)),
                           bits);
    }

    [[nodiscard]] std::string number(double value) const {
        return numerics::is_integer(format_) ? fmt::format("{:.0f}", value)
                                             : fmt::format("{:.9g}", value);
    }

    [[nodiscard]] double sum_value(std::uint32_t bits) const {
        const models::SumRange range{static_cast<int>(sum_bits_), models::Overflow::wrap};
        return numerics::to_double(numerics::accumulator_of(format_), range.held(bits));
    }

    [[nodiscard]] std::string history(const std::deque<Moment>& past) const {
        Table table{{{"cycle"},
                     {"en"},
                     {"act_in"},
                     {"valid_in"},
                     {"wgt_swap_in"},
                     {"wgt_shift_in"},
                     {"wgt_in"},
                     {"weight"},
                     {"psum_in"},
                     {"psum_out"},
                     {"expected"}}};
        const auto value = [&](std::uint32_t bits) {
            return number(numerics::to_double(format_, bits));
        };
        const auto sum = [&](std::uint32_t bits) { return number(sum_value(bits)); };
        for (const Moment& m : past) {
            table.add_row({fmt::format("{}", m.cycle),
                           m.reset    ? "reset"
                           : m.enable ? "1"
                                      : "0",
                           value(m.in.act), fmt::format("{:d}", m.in.valid),
                           fmt::format("{:d}", m.in.swap), fmt::format("{:d}", m.in.shift),
                           value(m.in.wgt), value(m.weight), sum(m.in.psum), sum(m.got.psum),
                           sum(m.expected.psum)});
        }
        return table.text();
    }

    const SystoleArrayLibrary& library_;
    Format format_;
    std::int64_t sum_bits_;
    std::size_t rows_;
    std::size_t cols_;
    std::unique_ptr<void, void (*)(void*)> array_;
    const std::atomic<bool>* stop_;
    PeGridModel model_;
    std::vector<std::deque<Moment>> past_;
    std::int64_t cycle_ = 0;
};

/// All work for a PE, alone and in an array.
class Checker {
public:
    Checker(const models::ArrayLibrary& library, const PeCheck& check)
        : library_{library},
          check_{check} {}

    [[nodiscard]] PeVerdict run(const models::PeDesign& design,
                                const std::optional<fs::path>& wave = {}) const {
        PeVerdict verdict;
        for (const Size size : {Size{1, 1}, Size{4, 3}}) {
            PeStimuli stimuli{check_.pe.format, design, size.rows, size.cols, check_.seed};
            for (const auto& script :
                 {stimuli.tiles(check_.pe.shadow), stimuli.random_work(check_.cycles)}) {
                Lockstep lockstep{library_, check_, design, size};
                verdict.difference = lockstep.run(script);
                verdict.cycles += lockstep.cycles();
                if (!verdict.difference) {
                    continue;
                }
                if (wave) {
                    record(design, size, script, verdict.difference->cycle, *wave);
                }
                return verdict;
            }
        }
        return verdict;
    }

    /// Whether another choice than the declared one explains what its sums are.
    [[nodiscard]] std::optional<models::PeDesign> other_design() const {
        using models::Overflow;
        for (const std::int64_t latency : {1, 2, 3, 4}) {
            for (const Overflow overflow : {Overflow::wrap, Overflow::saturate}) {
                const models::PeDesign design = models::design_for(
                    {latency, check_.pe.design.sum_bits, overflow}, check_.pe.format);
                if (design != check_.pe.design && !run(design).difference) {
                    return design;
                }
            }
        }
        return std::nullopt;
    }

private:
    void record(const models::PeDesign& design, Size size, const std::vector<Stimulus>& script,
                std::int64_t around, const fs::path& wave) const {
        Lockstep lockstep{library_, check_, design, size};
        if (!lockstep.record(script, around, wave)) {
            throw InputError{{{{wave.string()},
                               "the wave cannot be written",
                               "--wave names a file in a folder that can be written"}}};
        }
    }

    const models::ArrayLibrary& library_;
    const PeCheck& check_;
};

}  // namespace

PeVerdict check_pe(const PeCheck& check) {
    ArraySpec spec = check.pe;
    spec.whole = false;
    spec.wave = check.wave.has_value();
    const TemporaryDirectory temporary{fs::temp_directory_path()};
    const fs::path file = temporary.path() / "pe.so";
    build_array(spec, file, check.stop);
    const models::ArrayLibrary library{file};
    const Checker checker{library, check};
    PeVerdict verdict = checker.run(check.pe.design, check.wave);
    if (verdict.difference && verdict.difference->signal == "psum_out") {
        verdict.conforms_as = checker.other_design();
    }
    return verdict;
}

}  // namespace systole
