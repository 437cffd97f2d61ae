#include "sim/config/json_schema.hpp"

#include "models/base/schema.hpp"
#include "sim/config/parameter_table.hpp"
#include "tests/specimen.hpp"
#include "tests/support/golden.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <regex>
#include <string>

namespace systole {
namespace {

using Json = nlohmann::json;

Json specimen() {
    return Json::parse(json_schema(declaration<test::Machine>(), {.title = "specimen"}));
}

TEST(JsonSchema, IsEqualToTheOneReviewed) {
    test::expect_golden("specimen.schema.json",
                        json_schema(declaration<test::Machine>(), {.title = "specimen"}));
}

TEST(JsonSchema, RequiresWhatTheReaderRequires) {
    const Json schema = specimen();
    const Json& document = schema["$defs"]["document"];
    EXPECT_EQ(document["required"], Json::array({"core"}));
    EXPECT_EQ(schema["$defs"]["core"]["required"], Json::array({"matrix", "scratchpad"}));
    EXPECT_EQ(document["additionalProperties"], false);
    EXPECT_EQ(document["properties"]["schema_version"]["const"], 1);
    EXPECT_FALSE(document["properties"].contains("extends"));
}

TEST(JsonSchema, RequiresNothingOfAFileThatExtendsAnother) {
    const Json schema = specimen();
    EXPECT_EQ(schema["if"]["required"], Json::array({"extends"}));
    EXPECT_EQ(schema["then"]["$ref"], "#/$defs/document_part");
    const Json& part = schema["$defs"]["document_part"];
    EXPECT_FALSE(part.contains("required"));
    EXPECT_EQ(part["properties"]["core"]["$ref"], "#/$defs/core_part");
    EXPECT_FALSE(schema["$defs"]["core_part"].contains("required"));
    // A list is replaced as a whole, so its items are complete.
    EXPECT_EQ(part["properties"]["buffers"]["items"]["$ref"], "#/$defs/buffers");
}

TEST(JsonSchema, DefinesEachReferenceOnce) {
    const auto text = json_schema(declaration<test::Machine>(), {.title = "specimen"});
    const Json schema = Json::parse(text);
    const std::regex reference{"#/\\$defs/([a-z0-9_]+)"};
    std::size_t references = 0;
    for (auto found = std::sregex_iterator{text.begin(), text.end(), reference};
         found != std::sregex_iterator{}; ++found) {
        ++references;
        EXPECT_TRUE(schema["$defs"][(*found)[1].str()].is_object()) << (*found)[1];
    }
    EXPECT_GT(references, 10U);
}

TEST(JsonSchema, TakesNamesForIntegersOnlyWhereTheyApply) {
    const Json schema = Json::parse(
        json_schema(declaration<test::Machine>(), {.title = "specimen", .names = true}));
    const Json& properties = schema["$defs"]["document"]["properties"];
    EXPECT_EQ(properties["cores"]["anyOf"][0]["maximum"], 1024);
    EXPECT_EQ(properties["cores"]["anyOf"][1]["type"], "string");
    EXPECT_EQ(properties["parameters"]["additionalProperties"]["type"], "integer");
}

/// The pattern of a quantity and its reader agree on what is one.
template <class Q>
void expect_same_language(const std::vector<std::string>& numbers,
                          const std::vector<std::string>& units) {
    const std::regex pattern{Scalar<Q>::type().pattern};
    for (const auto& number : numbers) {
        for (const auto& unit : units) {
            const std::string text = number + unit;
            Q value{};
            const bool is_read = !Scalar<Q>::parse(Node::scalar(text), {}, value);
            EXPECT_EQ(is_read, std::regex_match(text, pattern)) << text;
        }
    }
}

TEST(JsonSchema, HasPatternsThatMatchWhatIsRead) {
    const std::vector<std::string> numbers{"0",  "1",  "10", "1.5", "01",  "1.", ".5",
                                           "-1", "+1", "",   "x",   "1e3", "1_0"};
    const std::vector<std::string> units{
        "",   " ",   "B",   " B", " KiB", "  KiB",  " MB",     " GB/s",  " Hz",    " MHz",
        " s", " ns", " pJ", " J", " TiB", " KiB/s", " cycles", " cycle", "cycles", " B "};
    // 1.5 B alone is no whole number, which a pattern cannot say.
    std::vector<std::string> whole = numbers;
    whole.erase(std::find(whole.begin(), whole.end(), "1.5"));
    expect_same_language<Bytes>(whole, units);
    expect_same_language<Hertz>(numbers, units);
    expect_same_language<Seconds>(numbers, units);
    expect_same_language<BytesPerSecond>(numbers, units);
    expect_same_language<Picojoules>(numbers, units);
    expect_same_language<Cycles>(numbers, units);
    expect_same_language<Duration>(numbers, units);
}

TEST(ParameterTable, ListsEachKeyWithTypeDefaultAndRules) {
    const auto table = parameter_table(declaration<test::Machine>());
    const auto row = [&](const std::string& path) {
        const auto found = std::find_if(table.begin(), table.end(),
                                        [&](const Parameter& p) { return p.path == path; });
        return found == table.end() ? "no such key"
                                    : to_markdown({*found}).substr(to_markdown({}).size());
    };
    EXPECT_EQ(row("cores"), "| `cores` | integer | 1 | equal cores; must be from 1 to 1024 |\n");
    EXPECT_EQ(row("core.matrix.rows"),
              "| `core.matrix.rows` | integer | required | the reduction; "
              "must be from 1 to 65536 |\n");
    EXPECT_EQ(row("buffers[].size"),
              "| `buffers[].size` | size (B, KiB, MiB, GiB, TiB) | required "
              "| capacity of all banks; must be at least 1 B |\n");
    EXPECT_EQ(row("memories.<name>.latency"),
              "| `memories.<name>.latency` | time (s, ms, us, ns, "
              "ps, cycles) | 100 ns | of the first byte |\n");
    EXPECT_EQ(row("layers[].conv.kernel"),
              "| `layers[].conv.kernel` | list of integer | [1] | "
              "height and width; must be at least 1; must have one or "
              "two items |\n");
    // The layers of a repeat are layers: listed once.
    EXPECT_EQ(row("layers[].repeat.layers[].dense"), "no such key");
}

}  // namespace
}  // namespace systole
