#include "sim/rtl/pe_stimuli.hpp"

#include "models/numerics/convert.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace systole {
namespace {

using numerics::Format;

}  // namespace

PeStimuli::PeStimuli(Format format, const models::PeDesign& design, std::size_t rows,
                     std::size_t cols, std::uint64_t seed)
    : format_{format},
      sum_bits_{design.sum_bits},
      rows_{rows},
      cols_{cols},
      random_{seed} {}

std::uint32_t PeStimuli::operand() {
    if (!numerics::is_integer(format_)) {
        return float_number(format_);
    }
    const auto any = static_cast<std::uint32_t>(random_()) & 0xffU;
    constexpr std::array<std::uint32_t, 6> extremes{0x80, 0x7f, 0xff, 0x81, 1, 0};
    return chance(30) ? extremes[random_() % extremes.size()] : any;
}

std::uint32_t PeStimuli::float_number(Format format) {
    const std::uint32_t mask = ~0U >> (32 - 8 * numerics::bytes_of(format));
    const auto any = static_cast<std::uint32_t>(random_()) & mask;
    const numerics::FloatLayout layout = numerics::layout_of(format);
    if (chance(70)) {  // near 1, so that sums stay numbers
        const double value = static_cast<double>(any) / mask - 0.5;
        return numerics::from_double(format, 8 * value);
    }
    return chance(30) ? any & (layout.sign_bit() | ((1U << layout.mantissa_bits) - 1)) : any;
}

/// Often so near to an end of the range that the next product may not have room.
std::uint32_t PeStimuli::sum() {
    if (!numerics::is_integer(format_)) {
        return float_number(Format::fp32);
    }
    const std::uint32_t mask = ~0U >> (32 - sum_bits_);
    const auto any = static_cast<std::uint32_t>(random_());
    const std::uint32_t lowest = 1U << (sum_bits_ - 1);
    const std::uint32_t little = any % 20'000;
    return (chance(50) ? any : chance(50) ? lowest + little : lowest - 1 - little) & mask;
}

std::vector<std::uint32_t> PeStimuli::operands(std::size_t count) {
    std::vector<std::uint32_t> some(count);
    std::ranges::generate(some, [this] { return operand(); });
    return some;
}

std::vector<std::uint32_t> PeStimuli::sums() {
    std::vector<std::uint32_t> some(cols_);
    std::ranges::generate(some, [this] { return sum(); });
    return some;
}

std::vector<Stimulus> PeStimuli::tiles(bool shadow) {
    std::vector<Stimulus> script;
    const auto push = [&](Stimulus s) {
        s.activations = s.valid ? operands(rows_) : std::vector<std::uint32_t>(rows_, 0);
        s.weights = operands(cols_);
        script.push_back(std::move(s));
        while (chance(20)) {
            // While `en` is low the edges may say what they like.
            script.push_back({.enable = false,
                              .valid = true,
                              .swap = true,
                              .shift = true,
                              .first = true,
                              .activations = operands(rows_),
                              .weights = operands(cols_)});
        }
    };
    const auto idle = [&](std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            push({});
        }
    };
    for (std::size_t tile = 0; tile < 8; ++tile) {
        for (std::size_t row = 0; row < rows_; ++row) {
            // With a shadow, behind the rows of the tile before.
            push({.valid = shadow && tile > 0, .shift = true, .first = row == 0});
        }
        idle(shadow ? 0 : rows_ + cols_);
        for (std::size_t row = 0; row < 1 + tile % 3 * rows_; ++row) {
            push({.valid = true, .swap = row == 0});
        }
        idle(shadow ? tile % 2 : rows_ + cols_);
    }
    idle(rows_ + cols_);
    return script;
}

std::vector<Stimulus> PeStimuli::random_work(std::int64_t cycles) {
    std::vector<Stimulus> script;
    for (std::int64_t i = 0; i < cycles; ++i) {
        Stimulus s;
        s.reset = i % 500 == 499;
        s.enable = chance(80);
        s.valid = chance(70);
        s.swap = s.valid && chance(30);
        s.shift = chance(50);
        s.first = s.shift && chance(15);
        s.activations = s.valid ? operands(rows_) : std::vector<std::uint32_t>(rows_, 0);
        s.weights = operands(cols_);
        s.sums = chance(70) ? sums() : std::vector<std::uint32_t>{};
        script.push_back(std::move(s));
    }
    return script;
}

}  // namespace systole
