#include "sim/report/json.hpp"

#include "tests/sim/report/json_schema_check.hpp"
#include "tests/sim/report/sample.hpp"
#include "tests/support/golden.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace systole {
namespace {

using Json = nlohmann::json;

/// Every leaf of `document` that is missing or of another type must be told by the schema.
Json without(Json document, const Json::json_pointer& leaf) {
    auto parent = leaf;
    const auto key = parent.back();
    parent.pop_back();
    document[parent].erase(key);
    return document;
}

TEST(ResultJson, KeepsTheFormOfItsGoldenFile) {
    test::expect_golden("result.json", to_json(test::sample_result()));
}

TEST(ResultJson, KeepsToItsSchema) {
    const auto schema = Json::parse(result_json_schema());
    const auto document = Json::parse(to_json(test::sample_result()));
    EXPECT_EQ(test::JsonSchemaCheck::faults(schema, document), std::vector<std::string>{});
}

TEST(ResultJson, HasASchemaThatMissesEachKey) {
    const auto schema = Json::parse(result_json_schema());
    const auto document = Json::parse(to_json(test::sample_result()));
    for (const char* key :
         {"/schema", "/manifest/seed", "/manifest/inputs/0/sha256", "/chip/ridge_flops_per_byte",
          "/totals/macs", "/layers/0/bound", "/layers/1/cycles_by/weight_shift",
          "/layers/0/counters/macs", "/layers/0/mapping/tiles", "/energy_j/dram",
          "/cycles_by/active", "/units/0/core", "/tensors/0/values"}) {
        const auto cut = without(document, Json::json_pointer{key});
        EXPECT_EQ(test::JsonSchemaCheck::faults(schema, cut).size(), 1U) << key;
    }
}

TEST(ResultJson, HasASchemaThatTellsAnotherType) {
    const auto schema = Json::parse(result_json_schema());
    auto document = Json::parse(to_json(test::sample_result()));
    document["layers"][0]["bound"] = "neither";
    document["layers"][0]["macs"] = 1.5;
    document["schema"] = "systole.result/0";
    auto faults = test::JsonSchemaCheck::faults(schema, document);
    std::sort(faults.begin(), faults.end());
    EXPECT_EQ(faults,
              (std::vector<std::string>{"$.layers[0].bound is none of [\"memory\",\"compute\"]",
                                        "$.layers[0].macs is no \"integer\"",
                                        "$.schema is not \"systole.result/1\""}));
}

TEST(ResultJson, HasTheSchemaThatIsShipped) {
    test::expect_golden("../../configs/schema/result.schema.json", result_json_schema());
}

TEST(ResultJson, SaysNullForWhatIsNotDefined) {
    auto chip = test::sample_chip();
    chip.memory.model = models::MemoryModel::ideal;
    auto record = test::sample_record();
    record.layers[1].counters.dram_write_bytes = 0;
    const auto document = Json::parse(to_json(make_result(
        test::sample_graph(), chip, test::sample_technology(), test::sample_mapping(), record)));
    EXPECT_TRUE(document["chip"]["dram_peak_bytes_per_s"].is_null());
    EXPECT_EQ(document["chip"]["ridge_flops_per_byte"], 0.0);
    EXPECT_TRUE(document["layers"][1]["operational_intensity"].is_null());
}

TEST(ResultJson, BearsBytesThatAreNoUtf8AndNumbersThatAreNotFinite) {
    auto result = test::sample_result();
    result.manifest.command = "systole run \xff";
    result.tensors[0].values = {std::numeric_limits<double>::infinity(), 1.0};
    const auto document = Json::parse(to_json(result));
    EXPECT_EQ(document["manifest"]["command"], "systole run \xef\xbf\xbd");
    EXPECT_TRUE(document["tensors"][0]["values"][0].is_null());
}

TEST(NodeJson, KeepsNumbersAndTextApart) {
    Node node = Node::map();
    node.add("integer", Node::scalar("-12"));
    node.add("decimal", Node::scalar("0.5"));
    node.add("quantity", Node::scalar("24 MiB"));
    node.add("quoted", Node::quoted("12"));
    node.add("word", Node::scalar("bf16"));
    node.add("infinite", Node::scalar("inf"));
    node.add("truth", Node::scalar("true"));
    node.add("nothing", Node{});
    node.add("list", Node::list({Node::scalar("1"), Node::scalar("two")}));
    const auto json = Json::parse(to_json(node));
    EXPECT_EQ(json, Json::parse(R"({"integer": -12, "decimal": 0.5, "quantity": "24 MiB",
        "quoted": "12", "word": "bf16", "infinite": "inf", "truth": true, "nothing": null,
        "list": [1, "two"]})"));
}

}  // namespace
}  // namespace systole
