#include "models/base/scalar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <string_view>

namespace systole {
namespace {

/// A unit is 10^decimal · 2^binary of the base unit of its dimension.
struct Unit {
    std::string_view name;
    int decimal = 0;
    int binary = 0;
};

struct Dimension {
    std::string_view name;
    std::span<const Unit> units;
    std::string_view example;
};

constexpr std::array<Unit, 5> size_units{
    {{"B"}, {"KiB", 0, 10}, {"MiB", 0, 20}, {"GiB", 0, 30}, {"TiB", 0, 40}}};
constexpr std::array<Unit, 4> frequency_units{{{"Hz"}, {"kHz", 3}, {"MHz", 6}, {"GHz", 9}}};
constexpr std::array<Unit, 5> time_units{{{"s"}, {"ms", -3}, {"us", -6}, {"ns", -9}, {"ps", -12}}};
constexpr std::array<Unit, 9> rate_units{{{"B/s"},
                                          {"kB/s", 3},
                                          {"MB/s", 6},
                                          {"GB/s", 9},
                                          {"TB/s", 12},
                                          {"KiB/s", 0, 10},
                                          {"MiB/s", 0, 20},
                                          {"GiB/s", 0, 30},
                                          {"TiB/s", 0, 40}}};
constexpr std::array<Unit, 6> energy_units{
    {{"pJ"}, {"fJ", -3}, {"nJ", 3}, {"uJ", 6}, {"mJ", 9}, {"J", 12}}};
constexpr std::array<Unit, 2> cycle_units{{{"cycles"}, {"cycle"}}};

constexpr Dimension size{"size", size_units, "24 MiB"};
constexpr Dimension frequency{"frequency", frequency_units, "940 MHz"};
constexpr Dimension time_span{"time", time_units, "100 ns"};
constexpr Dimension rate{"bandwidth", rate_units, "819 GB/s"};
constexpr Dimension energy{"energy", energy_units, "0.2 pJ"};
constexpr Dimension cycle_count{"cycle count", cycle_units, "8 cycles"};
constexpr std::array<const Dimension*, 6> dimensions{&size, &frequency, &time_span,
                                                     &rate, &energy,    &cycle_count};

const Unit* find_unit(const Dimension& dimension, std::string_view name) {
    const auto found = std::find_if(dimension.units.begin(), dimension.units.end(),
                                    [&](const Unit& unit) { return unit.name == name; });
    return found == dimension.units.end() ? nullptr : &*found;
}

/// "a size", "an energy".
std::string one(const Dimension& dimension) {
    const bool is_vowel =
        std::string_view{"aeio"}.find(dimension.name.front()) != std::string_view::npos;
    return fmt::format("{} {}", is_vowel ? "an" : "a", dimension.name);
}

std::string unit_list(const Dimension& dimension) {
    std::string text;
    for (const auto& unit : dimension.units) {
        if (unit.name != "cycle") {
            text += fmt::format("{}{}", text.empty() ? "" : ", ", unit.name);
        }
    }
    return text;
}

struct Split {
    std::string_view number;
    const Unit* unit = nullptr;
};

/// "1.5 KiB" → "1.5" and the unit; every way in which it can be wrong has its own message.
std::optional<Wrong> split(const std::string& text, const Dimension& dimension, Split& parts) {
    constexpr std::string_view digits = "0123456789";
    const std::string_view all = text;
    const auto whole_end = std::min(all.find_first_not_of(digits), all.size());
    auto number_end = whole_end;
    if (whole_end < all.size() && all[whole_end] == '.') {
        number_end = std::min(all.find_first_not_of(digits, whole_end + 1), all.size());
    }
    const bool has_fraction = number_end > whole_end;
    std::string_view name = all.substr(number_end);
    if (!name.empty() && name.front() == ' ') {
        name.remove_prefix(1);
    }
    const bool is_spelt_well = whole_end > 0 && (whole_end == 1 || all.front() != '0') &&
                               (!has_fraction || number_end > whole_end + 1) &&
                               name.find_first_of(" +-.,_0123456789") == std::string_view::npos;
    if (!is_spelt_well) {
        const bool is_negative = all.size() > 1 && all.front() == '-';
        return Wrong{
            is_negative ? fmt::format("'{}' is negative", text)
                        : fmt::format("'{}' is not {}", text, one(dimension)),
            fmt::format("write it as '{}' (units: {})", dimension.example, unit_list(dimension))};
    }
    if (name.empty()) {
        return Wrong{fmt::format("'{}' needs a unit", text),
                     fmt::format("units of {}: {}", one(dimension), unit_list(dimension))};
    }
    parts.number = all.substr(0, number_end);
    parts.unit = find_unit(dimension, name);
    if (parts.unit != nullptr) {
        return std::nullopt;
    }
    for (const auto* other : dimensions) {
        if (find_unit(*other, name) != nullptr) {
            return Wrong{fmt::format("'{}' is {}, not {}", text, one(*other), one(dimension)),
                         fmt::format("units of {}: {}", one(dimension), unit_list(dimension))};
        }
    }
    return Wrong{fmt::format("'{}' has the unknown unit '{}'", text, name),
                 fmt::format("units of {}: {}", one(dimension), unit_list(dimension))};
}

Wrong too_large(const std::string& text, const std::string& most) {
    return {fmt::format("'{}' is too large, it must be at most {}", text, most), {}};
}

/// number · 2^binary as a whole number, exactly.
std::optional<Wrong> parse_whole(const std::string& text, const Split& parts, const char* base_unit,
                                 std::int64_t& value) {
    const auto most = fmt::format("{} {}", std::numeric_limits<std::int64_t>::max(), base_unit);
    const auto point = parts.number.find('.');
    std::string digits{parts.number.substr(0, point)};
    std::int64_t denominator = 1;
    if (point != std::string_view::npos) {
        std::string_view fraction = parts.number.substr(point + 1);
        fraction = fraction.substr(0, fraction.find_last_not_of('0') + 1);
        digits += fraction;
        if (fraction.size() > 18) {
            return Wrong{fmt::format("'{}' is not a whole number of {}", text, base_unit), {}};
        }
        for (std::size_t i = 0; i < fraction.size(); ++i) {
            denominator *= 10;
        }
    }
    std::int64_t numerator = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), numerator);
    if (error != std::errc{}) {
        return too_large(text, most);
    }
    const std::int64_t common = std::gcd(numerator, denominator);
    const std::int64_t factor = std::int64_t{1} << parts.unit->binary;
    if (factor % (denominator / common) != 0) {
        return Wrong{fmt::format("'{}' is not a whole number of {}", text, base_unit), {}};
    }
    if (__builtin_mul_overflow(numerator / common, factor / (denominator / common), &value)) {
        return too_large(text, most);
    }
    return std::nullopt;
}

/// The double nearest to number · 10^decimal, times 2^binary.
std::optional<Wrong> parse_real(const std::string& text, const Split& parts, double& value) {
    const auto scaled = fmt::format("{}e{}", parts.number, parts.unit->decimal);
    const auto [end, error] = std::from_chars(scaled.data(), scaled.data() + scaled.size(), value);
    value = std::ldexp(value, parts.unit->binary);
    if (error != std::errc{} || !std::isfinite(value)) {
        return Wrong{fmt::format("'{}' is not in the range of a double", text), {}};
    }
    return std::nullopt;
}

std::optional<Wrong> parse_real(const Node& node, const Dimension& dimension, double& value) {
    Split parts;
    if (auto wrong = split(node.text, dimension, parts)) {
        return wrong;
    }
    return parse_real(node.text, parts, value);
}

/// The shortest decimal that reads back as `value`, in the largest unit that leaves it at 1 or
/// more. Only the point moves, so no digit changes.
std::string real_text(double value, const Dimension& dimension) {
    std::array<char, 40> buffer{};
    const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                       std::chars_format::scientific);
    const std::string_view text{buffer.data(),
                                static_cast<std::size_t>(written.ptr - buffer.data())};
    const auto mark = text.find('e');
    std::string digits{text.substr(0, 1)};
    if (mark > 2) {
        digits += text.substr(2, mark - 2);
    }
    int exponent = 0;
    const auto from = mark + (text[mark + 1] == '+' ? 2 : 1);
    std::from_chars(text.data() + from, text.data() + text.size(), exponent);

    const Unit* unit = nullptr;
    for (const auto& candidate : dimension.units) {
        const bool leaves_one = candidate.binary == 0 && exponent - candidate.decimal >= 0;
        if (leaves_one && value != 0 && (unit == nullptr || candidate.decimal > unit->decimal)) {
            unit = &candidate;
        }
    }
    if (unit == nullptr) {
        unit = &*std::min_element(
            dimension.units.begin(), dimension.units.end(), [&](const Unit& a, const Unit& b) {
                return value == 0 ? std::abs(a.decimal) < std::abs(b.decimal) && a.binary == 0
                                  : a.decimal < b.decimal;
            });
    }
    const int shift = exponent - unit->decimal;  // digits before the point, less one
    if (shift < 0) {
        digits.insert(0, static_cast<std::size_t>(-shift), '0');
    } else if (digits.size() < static_cast<std::size_t>(shift) + 1) {
        digits.append(static_cast<std::size_t>(shift) + 1 - digits.size(), '0');
    }
    const auto point = static_cast<std::size_t>(std::max(shift, 0)) + 1;
    if (digits.size() > point) {
        digits.insert(point, 1, '.');
    }
    return fmt::format("{} {}", digits, unit->name);
}

/// 0|[1-9][0-9]*, a fraction where the dimension has one, and a unit.
Type quantity_type(const Dimension& dimension, bool is_whole = false) {
    std::string units;
    for (const auto& unit : dimension.units) {
        units += fmt::format("{}{}", units.empty() ? "" : "|", unit.name);
    }
    Type type{.kind = Type::Kind::quantity,
              .name = fmt::format("{} ({})", dimension.name, unit_list(dimension))};
    type.pattern = fmt::format("^(0|[1-9][0-9]*){} ?({})$", is_whole ? "" : "(\\.[0-9]+)?", units);
    return type;
}

std::optional<Wrong> parse_cycles(const Node& node, std::int64_t& value) {
    Split parts;
    if (auto wrong = split(node.text, cycle_count, parts)) {
        return wrong;
    }
    return parse_whole(node.text, parts, "cycles", value);
}

std::string cycles_text(Cycles value) {
    return fmt::format("{} {}", value.count(), value.count() == 1 ? "cycle" : "cycles");
}

template <class Q>
std::optional<Wrong> parse_real_quantity(const Node& node, const Dimension& dimension, Q& value) {
    double number = 0;
    auto wrong = parse_real(node, dimension, number);
    value = Q{number};
    return wrong;
}

}  // namespace

template <>
std::optional<Wrong> PlainScalar<Bytes>::parse(const Node& node, const ReadContext&, Bytes& value) {
    Split parts;
    std::int64_t number = 0;
    auto wrong = split(node.text, size, parts);
    if (!wrong) {
        wrong = parse_whole(node.text, parts, "bytes", number);
    }
    value = Bytes{number};
    return wrong;
}
template <>
Node PlainScalar<Bytes>::write(const Bytes& value) {
    const Unit* unit = &size_units.front();
    for (const auto& candidate : size_units) {
        if (value.count() != 0 && value.count() % (std::int64_t{1} << candidate.binary) == 0) {
            unit = &candidate;
        }
    }
    return Node::scalar(fmt::format("{} {}", value.count() >> unit->binary, unit->name));
}
template <>
Type PlainScalar<Bytes>::type() {
    return quantity_type(size);
}

template <>
std::optional<Wrong> PlainScalar<Cycles>::parse(const Node& node, const ReadContext&,
                                                Cycles& value) {
    std::int64_t number = 0;
    auto wrong = parse_cycles(node, number);
    value = Cycles{number};
    return wrong;
}
template <>
Node PlainScalar<Cycles>::write(const Cycles& value) {
    return Node::scalar(cycles_text(value));
}
template <>
Type PlainScalar<Cycles>::type() {
    return quantity_type(cycle_count, true);
}

template <>
std::optional<Wrong> PlainScalar<Hertz>::parse(const Node& node, const ReadContext&, Hertz& value) {
    return parse_real_quantity(node, frequency, value);
}
template <>
Node PlainScalar<Hertz>::write(const Hertz& value) {
    return Node::scalar(real_text(value.count(), frequency));
}
template <>
Type PlainScalar<Hertz>::type() {
    return quantity_type(frequency);
}

template <>
std::optional<Wrong> PlainScalar<Seconds>::parse(const Node& node, const ReadContext&,
                                                 Seconds& value) {
    return parse_real_quantity(node, time_span, value);
}
template <>
Node PlainScalar<Seconds>::write(const Seconds& value) {
    return Node::scalar(real_text(value.count(), time_span));
}
template <>
Type PlainScalar<Seconds>::type() {
    return quantity_type(time_span);
}

template <>
std::optional<Wrong> PlainScalar<Duration>::parse(const Node& node, const ReadContext&,
                                                  Duration& value) {
    if (node.text.ends_with("cycles") || node.text.ends_with("cycle")) {
        std::int64_t number = 0;
        auto wrong = parse_cycles(node, number);
        value = Cycles{number};
        return wrong;
    }
    Seconds seconds;
    auto wrong = parse_real_quantity(node, time_span, seconds);
    if (wrong) {
        wrong->hint += ", cycles";
    }
    value = seconds;
    return wrong;
}
template <>
Node PlainScalar<Duration>::write(const Duration& value) {
    const auto* cycles = std::get_if<Cycles>(&value);
    return Node::scalar(cycles != nullptr ? cycles_text(*cycles)
                                          : real_text(std::get<Seconds>(value).count(), time_span));
}
template <>
Type PlainScalar<Duration>::type() {
    Type type = quantity_type(time_span);
    type.name = "time (s, ms, us, ns, ps, cycles)";
    type.pattern = "^(0|[1-9][0-9]*)((\\.[0-9]+)? ?(s|ms|us|ns|ps)| ?(cycles|cycle))$";
    return type;
}

template <>
std::optional<Wrong> PlainScalar<BytesPerSecond>::parse(const Node& node, const ReadContext&,
                                                        BytesPerSecond& value) {
    return parse_real_quantity(node, rate, value);
}
template <>
Node PlainScalar<BytesPerSecond>::write(const BytesPerSecond& value) {
    return Node::scalar(real_text(value.count(), rate));
}
template <>
Type PlainScalar<BytesPerSecond>::type() {
    return quantity_type(rate);
}

template <>
std::optional<Wrong> PlainScalar<Picojoules>::parse(const Node& node, const ReadContext&,
                                                    Picojoules& value) {
    return parse_real_quantity(node, energy, value);
}
template <>
Node PlainScalar<Picojoules>::write(const Picojoules& value) {
    return Node::scalar(real_text(value.count(), energy));
}
template <>
Type PlainScalar<Picojoules>::type() {
    return quantity_type(energy);
}

}  // namespace systole
