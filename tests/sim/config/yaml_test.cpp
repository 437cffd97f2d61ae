#include "sim/config/yaml.hpp"

#include "tests/yaml_support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace systole {
namespace {

using test::brief;
using test::parse;
using testing::ElementsAre;
using testing::IsEmpty;

/// The faults of a text that cannot be read, or those recorded while it was.
std::vector<std::string> faults_of(const std::string& text) {
    std::vector<Fault> faults;
    try {
        static_cast<void>(parse_yaml(text, "test.yaml", faults));
    } catch (const InputError& e) {
        return brief(e.faults());
    }
    return brief(faults);
}

std::string repeated(const std::string& text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) {
        all += text;
    }
    return all;
}

TEST(Yaml, KeepsOrderPlacesAndQuotes) {
    const Node node = parse("b: 1\na:\n  - x\n  - \"12\"\n  - {c: 'no'}\n");
    ASSERT_EQ(node.entries.size(), 2U);
    EXPECT_EQ(node.entries[0].key, "b");
    EXPECT_EQ(node.entries[1].key_at.line, 2);
    const auto& items = node.entries[1].value.items;
    ASSERT_EQ(items.size(), 3U);
    EXPECT_TRUE(items[0].plain);
    EXPECT_EQ(items[1].text, "12");
    EXPECT_FALSE(items[1].plain);
    EXPECT_EQ(items[2].entries[0].value.where.line, 5);
    EXPECT_EQ(items[2].entries[0].value.where.column, 9);
}

TEST(Yaml, KeepsTheTextOfNumbers) {
    const Node node = parse("[010, 1e3, 0x10, 1_000, -0, .5]");
    const std::vector<std::string> texts{"010", "1e3", "0x10", "1_000", "-0", ".5"};
    for (std::size_t i = 0; i < texts.size(); ++i) {
        EXPECT_EQ(node.items.at(i).text, texts[i]);
    }
}

TEST(Yaml, TellsNothingFromTheWordsForIt) {
    const Node node = parse("a:\nnull_a: ~\nb: null\nnullable: 3\nc: NULL\n");
    EXPECT_EQ(node.find("a")->text, "");
    EXPECT_EQ(node.find("null_a")->text, "~");
    EXPECT_EQ(node.find("b")->text, "null");
    EXPECT_EQ(node.find("nullable")->text, "3");
    EXPECT_EQ(node.find("c")->text, "NULL");
    EXPECT_EQ(node.find("a")->kind, Node::Kind::null);
    EXPECT_EQ(node.find("a")->where.line, 1);
}

TEST(Yaml, CountsColumnsInCharacters) {
    EXPECT_THAT(faults_of("{\"äöü€\": 1, \"äöü€\": 2}"), ElementsAre("1:13 duplicate key 'äöü€'"));
}

TEST(Yaml, TakesByteOrderMarksAndLineEndsOfOtherSystems) {
    const Node node = parse(
        "\xef\xbb\xbf"
        "a: 1\r\nb:\r\n  - 2\r\n");
    EXPECT_EQ(node.find("a")->text, "1");
    EXPECT_EQ(node.find("b")->items.at(0).text, "2");
    EXPECT_EQ(node.find("b")->items.at(0).where.line, 3);
}

TEST(Yaml, TakesTabsBehindTheIndentation) {
    EXPECT_EQ(parse("a:\t1\t# one\nb: \"x\ty\"\n").find("b")->text, "x\ty");
}

TEST(Yaml, CopiesWhatAnAliasStandsFor) {
    const Node node = parse("a: &x {k: [1, 2]}\nb: *x\nc: &y 3\nd: *y\n");
    EXPECT_EQ(node.find("b")->find("k")->items.at(1).text, "2");
    EXPECT_EQ(node.find("d")->text, "3");
}

TEST(Yaml, RefusesBytesThatAreNotUtf8) {
    // Overlong, surrogate, beyond U+10FFFF, truncated, continuation alone, UTF-16.
    for (const std::string bytes :
         {"\xc0\xaf", "\xe0\x80\xaf", "\xf0\x80\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
          "\xf5\x80\x80\x80", "\xe2\x82", "\xc3", "\x80", "\xff\xfe"}) {
        const auto faults = faults_of("a: x\nb: " + bytes);
        ASSERT_EQ(faults.size(), 1U);
        EXPECT_EQ(faults[0], fmt::format("2:4 byte 0x{:02x} at offset 8 is not UTF-8 | save the "
                                         "file as UTF-8",
                                         static_cast<unsigned char>(bytes[0])));
    }
    EXPECT_THAT(faults_of("a: \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf"), IsEmpty());
}

TEST(Yaml, RefusesControlCharacters) {
    EXPECT_THAT(
        faults_of(std::string{"a: x\0y", 6}),
        ElementsAre("1:5 control character 0x00 at offset 4 | save the file as UTF-8 text"));
    EXPECT_THAT(
        faults_of("a: x\x04y"),
        ElementsAre("1:5 control character 0x04 at offset 4 | save the file as UTF-8 text"));
    EXPECT_THAT(
        faults_of("a: 1\rb: 2"),
        ElementsAre("1:5 control character 0x0d at offset 4 | save the file as UTF-8 text"));
}

TEST(Yaml, BoundsNesting) {
    const auto nested = [](std::size_t depth) {
        return repeated("[", depth) + "1" + repeated("]", depth);
    };
    EXPECT_THAT(faults_of(nested(64)), IsEmpty());
    EXPECT_THAT(faults_of(nested(65)), ElementsAre("1:65 values nested deeper than 64"));
    EXPECT_THAT(faults_of("a: " + nested(100'000)),
                ElementsAre("1:67 values nested deeper than 64"));
    EXPECT_THAT(faults_of(repeated("- ", 100'000) + "1"),
                ElementsAre("1:129 values nested deeper than 64"));
    EXPECT_THAT(faults_of(repeated("? ", 100'000) + "1"),
                ElementsAre("1:3 a map as a key | a key is a word; if none is meant, a '}' is "
                            "missing"));
    EXPECT_THAT(faults_of(repeated("[", 1'000'000)),
                ElementsAre("1:1 a list as a key | a key is a word; if none is meant, a ']' is "
                            "missing"));
    std::string blocks;
    for (std::size_t i = 0; i < 70; ++i) {
        blocks += std::string(i, ' ') + "a:\n";
    }
    EXPECT_THAT(faults_of(blocks), ElementsAre("65:65 values nested deeper than 64"));
    // Each alias hangs 40 levels below the 40 before it.
    EXPECT_THAT(
        faults_of("a: &a " + nested(40) + "\nb: " + repeated("[", 40) + "*a" + repeated("]", 40)),
        ElementsAre("2:44 values nested deeper than 64"));
}

TEST(Yaml, BoundsWhatAliasesExpandTo) {
    std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 10; ++i) {
        bomb += fmt::format("a{}: &a{} [{}]\n", i, i,
                            repeated(fmt::format("*a{}, ", i - 1), 9) + fmt::format("*a{}", i - 1));
    }
    // a0 to a3 are 11 + 111 + 1,111 + 11,111 values; the eighth copy of a3 passes 100,000.
    EXPECT_THAT(faults_of(bomb),
                ElementsAre(testing::StartsWith(
                    "5:45 the document holds more than 100000 values or 16 MiB of text")));
    // The text and its copies of 1 MiB each, and two keys.
    const std::string text = "a: &a " + std::string(1 << 20, 'x') + "\n";
    EXPECT_THAT(faults_of(text + "b: [" + repeated("*a, ", 13) + "*a]\n"), IsEmpty());
    EXPECT_THAT(faults_of(text + "b: [" + repeated("*a, ", 14) + "*a]\n"),
                ElementsAre(testing::StartsWith("2:61 the document holds more than")));
}

TEST(Yaml, BoundsValuesAndBytes) {
    // The list and its items are values.
    EXPECT_THAT(faults_of("[" + repeated("1,", 99'998) + "1]"), IsEmpty());
    EXPECT_THAT(faults_of("[" + repeated("1,", 99'999) + "1]"),
                ElementsAre(testing::StartsWith("1:200000 the document holds more than 100000")));
    std::string large = "a: 1\n# ";
    large.resize((std::size_t{16} << 20) + 1, 'x');
    EXPECT_THAT(faults_of(large), ElementsAre("0:0 the file has 16777217 bytes, more than 16 MiB | "
                                              "large values belong in .npy or .csv files"));
}

TEST(Yaml, TakesTimeInProportionToTheText) {
    // Forms that make a careless reader quadratic; each would take minutes.
    std::string keys;
    std::string lines;
    for (int i = 0; i < 49'000; ++i) {
        keys += fmt::format("k{}: 1\n", i);
        lines += fmt::format("k{}: 1, ", i);
    }
    EXPECT_THAT(faults_of(keys), IsEmpty());
    EXPECT_THAT(faults_of("{" + lines + "}"), IsEmpty());
    EXPECT_THAT(faults_of("a: " + repeated("\n", 1'000'000) + " 1"), IsEmpty());
}

TEST(Yaml, SurvivesWhatItsParserIsKnownToHangOrAbortOn) {
    for (const std::string text : {"[:",
                                   "{:",
                                   "[[:",
                                   "[:]",
                                   "{:]",
                                   ",",
                                   "- !+(.,.)",
                                   "{# ke\ny{:",
                                   "> !2",
                                   "{!x:",
                                   "&",
                                   "*",
                                   "!",
                                   "? ?",
                                   "- - -",
                                   "--- --- ---",
                                   "%YAML 9.9\n---\na: 1",
                                   "%TAG ! x",
                                   "|9999999999",
                                   "a: |+-\n x",
                                   "\"\\U99999999\"",
                                   "\"\\x\"",
                                   "'",
                                   "\"",
                                   "\"\\",
                                   "!<",
                                   "!<x",
                                   "&a &b c",
                                   "*a *b",
                                   "{a: 1",
                                   "[a",
                                   "a:\n- b\n c",
                                   "...\n...",
                                   "--- |\n",
                                   "- ?",
                                   "{?",
                                   "[?]"}) {
        try {
            std::vector<Fault> faults;
            static_cast<void>(parse_yaml(text, "test.yaml", faults));
        } catch (const InputError& e) {
            EXPECT_FALSE(e.faults().empty()) << text;
        }
    }
}

}  // namespace
}  // namespace systole
