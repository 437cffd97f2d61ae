#include "models/base/scalar.hpp"

#include "tests/specimen.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace systole {
namespace {

template <class T>
std::optional<T> value_of(const std::string& text, const ReadContext& context = {}) {
    T value{};
    return Scalar<T>::parse(Node::scalar(text), context, value) ? std::nullopt
                                                                : std::optional{value};
}

/// "what | hint" of a text that is not a T.
template <class T>
std::string complaint(const Node& node, const ReadContext& context = {}) {
    T value{};
    const auto wrong = Scalar<T>::parse(node, context, value);
    return !wrong ? "" : wrong->what + (wrong->hint.empty() ? "" : " | " + wrong->hint);
}
template <class T>
std::string complaint(const std::string& text, const ReadContext& context = {}) {
    return complaint<T>(Node::scalar(text), context);
}

TEST(IntegerScalar, TakesDecimalDigits) {
    EXPECT_EQ(value_of<int>("0"), 0);
    EXPECT_EQ(value_of<int>("-17"), -17);
    EXPECT_EQ(value_of<int>("2147483647"), std::numeric_limits<int>::max());
    EXPECT_EQ(value_of<int>("-2147483648"), std::numeric_limits<int>::min());
    EXPECT_EQ(value_of<std::int64_t>("9223372036854775807"),
              std::numeric_limits<std::int64_t>::max());
}

TEST(IntegerScalar, SaysWhatToWriteInsteadOfOtherSpellings) {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"010", "write 10"},    {"1e3", "write 1000"},   {"0x10", "write 16"},
        {"0o17", "write 15"},   {"0b101", "write 5"},    {"1.0", "write 1"},
        {"+5", "write 5"},      {"1_000", "write 1000"}, {"1,000", "write 1000"},
        {"-1e2", "write -100"}, {"-0x1F", "write -31"},  {"00", "write 0"},
    };
    for (const auto& [text, hint] : cases) {
        EXPECT_EQ(complaint<int>(text), fmt::format("'{}' is not an integer | {}", text, hint));
    }
    EXPECT_EQ(complaint<int>("1.5"),
              "'1.5' is not an integer | an integer has decimal digits only");
    EXPECT_EQ(complaint<int>("1e300"),
              "'1e300' is not an integer | an integer has decimal digits only");
    EXPECT_EQ(complaint<int>("0x"), "'0x' is not an integer | an integer has decimal digits only");
    EXPECT_EQ(complaint<int>("no"), "'no' is not an integer");
    EXPECT_EQ(complaint<int>("seven"), "'seven' is not an integer");
}

TEST(IntegerScalar, RefusesWhatItsTypeCannotHold) {
    EXPECT_EQ(complaint<int>("2147483648"),
              "'2147483648' is too large, it must be at most 2147483647");
    EXPECT_EQ(complaint<int>("-2147483649"),
              "'-2147483649' is too small, it must be at least -2147483648");
    EXPECT_EQ(complaint<std::int64_t>("9223372036854775808"),
              "'9223372036854775808' is too large, it must be at most 9223372036854775807");
}

TEST(IntegerScalar, TakesQuotedDigitsForText) {
    EXPECT_EQ(complaint<int>(Node::quoted("128")),
              "expected integer, found the text '128' | write 128 without quotes");
    EXPECT_EQ(complaint<int>(Node::quoted("")), "expected integer, found the text ''");
}

TEST(IntegerScalar, TakesDeclaredNames) {
    const ReadContext context{.names = {{"m", 512}, {"huge", std::int64_t{1} << 40}}};
    EXPECT_EQ(value_of<int>("m", context), 512);
    EXPECT_EQ(value_of<std::int64_t>("huge", context), std::int64_t{1} << 40);
    EXPECT_EQ(complaint<int>("huge", context),
              "'huge' is too large, it must be at most 2147483647");
    EXPECT_EQ(complaint<int>("hug", context),
              "'hug' is neither an integer nor a declared name | did you mean 'huge'?");
    EXPECT_EQ(complaint<int>("batch", context),
              "'batch' is neither an integer nor a declared name | names: huge, m");
    EXPECT_EQ(complaint<int>(Node::quoted("m"), context), "expected integer, found the text 'm'");
}

TEST(NumberScalar, TakesDecimalsWithAnExponent) {
    EXPECT_EQ(value_of<double>("0.1"), 0.1);
    EXPECT_EQ(value_of<double>("-3"), -3.0);
    EXPECT_EQ(value_of<double>("2.5e-3"), 2.5e-3);
    EXPECT_EQ(value_of<double>("1E+2"), 100.0);
}

TEST(NumberScalar, RefusesWhatIsNotAFiniteDecimal) {
    for (const std::string text : {".inf", "-.inf", ".nan", "inf", "nan", "NaN"}) {
        EXPECT_EQ(complaint<double>(text), "'" + text + "' is not a finite number");
    }
    for (const std::string text : {".5", "1.", "+1", "01.5", "0x10", "1e", "1_0.5"}) {
        EXPECT_EQ(complaint<double>(text),
                  "'" + text + "' is not a number | write it as 0.5, 3 or 2.5e-3");
    }
    for (const std::string text : {"1e999", "-1e999", "1e-999"}) {
        EXPECT_EQ(complaint<double>(text), "'" + text +
                                               "' is not in the range of a double | its size must "
                                               "be 0, or from 2.3e-308 to 1.7e308");
    }
}

TEST(BooleanScalar, TakesTrueAndFalseOnly) {
    EXPECT_EQ(value_of<bool>("true"), true);
    EXPECT_EQ(value_of<bool>("false"), false);
    for (const std::string text : {"yes", "no", "on", "off", "y", "n", "True", "FALSE", "1", "0"}) {
        EXPECT_EQ(complaint<bool>(text), "'" + text +
                                             "' is neither true nor false | write true or false, "
                                             "without quotes");
    }
    EXPECT_NE(complaint<bool>(Node::quoted("true")), "");
}

TEST(TextScalar, RefusesPlainTextThatYamlReadsOtherwise) {
    for (const std::string text : {"no", "Off", "y", "YES", "true", "on"}) {
        EXPECT_EQ(complaint<std::string>(text),
                  fmt::format("'{0}' means a truth value in YAML, where text is needed | write "
                              "\"{0}\" if the text is meant",
                              text));
    }
    for (const std::string text : {"12", "1e3", "010", ".inf", "-1.5", "0x1f"}) {
        EXPECT_EQ(complaint<std::string>(text),
                  fmt::format("'{0}' means a number in YAML, where text is needed | write "
                              "\"{0}\" if the text is meant",
                              text));
    }
    for (const std::string text : {"no", "12", "", "~"}) {
        EXPECT_EQ(complaint<std::string>(Node::quoted(text)), "");
    }
    for (const std::string text : {"fc1", "7nm", "nope", "HBM2e-8Gb", "a b"}) {
        EXPECT_EQ(value_of<std::string>(text), text);
    }
}

TEST(WordScalar, TakesTheWordsOfItsTable) {
    EXPECT_EQ(value_of<test::Flow>("output"), test::Flow::output);
    EXPECT_EQ(to_string(test::Flow::weight), "weight");
    EXPECT_EQ(parse_word<test::Flow>("weight"), test::Flow::weight);
    EXPECT_EQ(parse_word<test::Flow>("Weight"), std::nullopt);
    EXPECT_EQ(complaint<test::Flow>("outptu"), "unknown word 'outptu' | did you mean 'output'?");
    EXPECT_EQ(complaint<test::Flow>("off"), "unknown word 'off' | write one of weight, output");
    EXPECT_EQ(complaint<test::Flow>("row"), "unknown word 'row' | write one of weight, output");
}

TEST(SizeScalar, CountsWholeBytes) {
    EXPECT_EQ(value_of<Bytes>("16 B"), Bytes{16});
    EXPECT_EQ(value_of<Bytes>("24 MiB"), Bytes{25'165'824});
    EXPECT_EQ(value_of<Bytes>("24MiB"), Bytes{25'165'824});
    EXPECT_EQ(value_of<Bytes>("1.5 KiB"), Bytes{1536});
    EXPECT_EQ(value_of<Bytes>("0.5 B"), std::nullopt);
    EXPECT_EQ(value_of<Bytes>("2.0 B"), Bytes{2});
    EXPECT_EQ(value_of<Bytes>("0.00000000000090949470177292823791503906250 TiB"), std::nullopt);
    EXPECT_EQ(value_of<Bytes>("0.0009765625 KiB"), Bytes{1});
    EXPECT_EQ(value_of<Bytes>("8388607 TiB"), Bytes{8388607LL << 40});
    EXPECT_EQ(complaint<Bytes>("0.3 B"), "'0.3 B' is not a whole number of bytes");
    EXPECT_EQ(complaint<Bytes>("8388608 TiB"),
              "'8388608 TiB' is too large, it must be at most 9223372036854775807 bytes");
    EXPECT_EQ(
        complaint<Bytes>("99999999999999999999 B"),
        "'99999999999999999999 B' is too large, it must be at most 9223372036854775807 bytes");
}

TEST(SizeScalar, SaysWhichUnitsThereAre) {
    const std::string units = "units of a size: B, KiB, MiB, GiB, TiB";
    EXPECT_EQ(complaint<Bytes>("16"), "'16' needs a unit | " + units);
    EXPECT_EQ(complaint<Bytes>("16 "), "'16 ' needs a unit | " + units);
    EXPECT_EQ(complaint<Bytes>("16 MB"), "'16 MB' has the unknown unit 'MB' | " + units);
    EXPECT_EQ(complaint<Bytes>("16 mib"), "'16 mib' has the unknown unit 'mib' | " + units);
    EXPECT_EQ(complaint<Bytes>("940 MHz"), "'940 MHz' is a frequency, not a size | " + units);
    EXPECT_EQ(complaint<Bytes>("2 pJ"), "'2 pJ' is an energy, not a size | " + units);
    for (const std::string text : {"KiB", "x KiB", "+1 KiB", "01 KiB", ".5 KiB", "1. KiB", "",
                                   "1e3 KiB", "1_0 KiB", "16  KiB"}) {
        EXPECT_EQ(
            complaint<Bytes>(text),
            "'" + text + "' is not a size | write it as '24 MiB' (units: B, KiB, MiB, GiB, TiB)");
    }
    EXPECT_EQ(complaint<Bytes>("-1 KiB").substr(0, 20), "'-1 KiB' is negative");
    EXPECT_EQ(complaint<Hertz>("1"), "'1' needs a unit | units of a frequency: Hz, kHz, MHz, GHz");
    EXPECT_EQ(complaint<Picojoules>("3 s"),
              "'3 s' is a time, not an energy | units of an energy: pJ, fJ, nJ, uJ, mJ, J");
}

TEST(QuantityScalar, IsTheNearestDoubleToTheDecimalText) {
    EXPECT_EQ(value_of<Hertz>("940 MHz"), Hertz{940e6});
    EXPECT_EQ(value_of<Hertz>("1.05 GHz"), Hertz{1.05e9});
    EXPECT_EQ(value_of<Seconds>("0.7 ns"), Seconds{0.7e-9});
    EXPECT_EQ(value_of<Seconds>("333 ps"), Seconds{333e-12});
    EXPECT_EQ(value_of<BytesPerSecond>("819 GB/s"), BytesPerSecond{819e9});
    EXPECT_EQ(value_of<BytesPerSecond>("1.5 KiB/s"), BytesPerSecond{1536.0});
    EXPECT_EQ(value_of<Picojoules>("0.2 pJ"), Picojoules{0.2});
    EXPECT_EQ(value_of<Picojoules>("1.3 nJ"), Picojoules{1300.0});
    EXPECT_EQ(value_of<Picojoules>("2 J"), Picojoules{2e12});
    const std::string long_number(400, '9');
    EXPECT_EQ(value_of<Hertz>(long_number + " GHz"), std::nullopt);
}

TEST(DurationScalar, IsATimeOrCycles) {
    EXPECT_EQ(value_of<Duration>("100 ns"), Duration{Seconds{100e-9}});
    EXPECT_EQ(value_of<Duration>("8 cycles"), Duration{Cycles{8}});
    EXPECT_EQ(value_of<Duration>("1 cycle"), Duration{Cycles{1}});
    EXPECT_EQ(value_of<Cycles>("3 cycles"), Cycles{3});
    EXPECT_EQ(complaint<Duration>("1.5 cycles"), "'1.5 cycles' is not a whole number of cycles");
    EXPECT_EQ(complaint<Duration>("8"),
              "'8' needs a unit | units of a time: s, ms, us, ns, ps, "
              "cycles");
    EXPECT_EQ(complaint<Cycles>("8 ns"),
              "'8 ns' is a time, not a cycle count | units of a cycle count: cycles");
    // 100 ns at 940 MHz are 94 cycles; 1 ns is a part of one, which counts whole.
    EXPECT_EQ(cycles_in(Duration{Seconds{100e-9}}, Hertz{940e6}), Cycles{94});
    EXPECT_EQ(cycles_in(Duration{Seconds{1e-9}}, Hertz{940e6}), Cycles{1});
    EXPECT_EQ(cycles_in(Duration{Cycles{7}}, Hertz{940e6}), Cycles{7});
}

TEST(QuantityScalar, IsWrittenInTheUnitThatAPersonWouldTake) {
    EXPECT_EQ(Scalar<Hertz>::write(Hertz{940e6}).text, "940 MHz");
    EXPECT_EQ(Scalar<Hertz>::write(Hertz{1.05e9}).text, "1.05 GHz");
    EXPECT_EQ(Scalar<Hertz>::write(Hertz{0}).text, "0 Hz");
    EXPECT_EQ(Scalar<Hertz>::write(Hertz{0.25}).text, "0.25 Hz");
    EXPECT_EQ(Scalar<Seconds>::write(Seconds{1e-7}).text, "100 ns");
    EXPECT_EQ(Scalar<Seconds>::write(Seconds{2.5e-13}).text, "0.25 ps");
    EXPECT_EQ(Scalar<BytesPerSecond>::write(BytesPerSecond{819e9}).text, "819 GB/s");
    EXPECT_EQ(Scalar<Picojoules>::write(Picojoules{1300}).text, "1.3 nJ");
    EXPECT_EQ(Scalar<Picojoules>::write(Picojoules{0.2}).text, "200 fJ");
    EXPECT_EQ(Scalar<Bytes>::write(Bytes{0}).text, "0 B");
    EXPECT_EQ(Scalar<Bytes>::write(Bytes{1536}).text, "1536 B");
    EXPECT_EQ(Scalar<Bytes>::write(Bytes{24 << 20}).text, "24 MiB");
    EXPECT_EQ(Scalar<Cycles>::write(Cycles{1}).text, "1 cycle");
}

template <class Q>
void expect_round_trip(double number) {
    const auto text = Scalar<Q>::write(Q{number}).text;
    const auto again = value_of<Q>(text);
    EXPECT_EQ(again, Q{number}) << text;
}

TEST(QuantityScalar, ReadsBackEveryDoubleThatItWrites) {
    constexpr unsigned seed = 20'240'607;
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    for (int i = 0; i < 20'000; ++i) {
        const std::uint64_t bits = random() >> 1;
        double number = 0;
        std::memcpy(&number, &bits, sizeof number);
        if (!std::isnormal(number)) {
            continue;
        }
        expect_round_trip<Hertz>(number);
        expect_round_trip<Seconds>(number);
        expect_round_trip<BytesPerSecond>(number);
        expect_round_trip<Picojoules>(number);
        EXPECT_EQ(value_of<double>(Scalar<double>::write(number).text), number);
        const Bytes size{static_cast<std::int64_t>(bits >> (random() % 63))};
        EXPECT_EQ(value_of<Bytes>(Scalar<Bytes>::write(size).text), size);
    }
}

}  // namespace
}  // namespace systole
