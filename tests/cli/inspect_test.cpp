#include "sim/mapping/program_text.hpp"
#include "tests/cli/shell.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <fstream>
#include <variant>

namespace systole {
namespace {

using Json = nlohmann::json;

class Inspect : public test::Shell {};

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST_F(Inspect, ChecksEveryFileAndTellsEveryFault) {
    std::ofstream{place_ / "good.yaml"} << "input: {shape: [4]}\nlayers:\n  - relu\n";
    std::ofstream{place_ / "one.yaml"} << "input: {shape: [4]}\nlayer:\n  - relu\n";
    std::ofstream{place_ / "two.yaml"} << "extends: tiny_4x4\nclock: 1\ncores: 0\n";
    const auto outcome = systole("check one.yaml good.yaml two.yaml");
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "good.yaml: a workload without faults\n");
    EXPECT_TRUE(contains(outcome.err,
                         "one.yaml:2:1: error: unknown key 'layer'\n"
                         "  hint: did you mean 'layers'?\n"))
        << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "two.yaml:2:8: error: 'clock'")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "two.yaml:3:8: error: 'cores'")) << outcome.err;
}

TEST_F(Inspect, ChecksAllThatIsShipped) {
    for (const auto* topic : {"chips", "workloads"}) {
        const auto outcome = sh(std::string{"systole check $(systole list "} + topic +
                                " | awk 'NR > 2 {print $1}')");
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_TRUE(contains(outcome.out, "without faults")) << topic;
    }
    EXPECT_EQ(systole("check 45nm 7nm").out,
              "45nm: a technology without faults\n7nm: a technology without faults\n");
}

TEST_F(Inspect, RefusesADocumentOfNoKind) {
    std::ofstream{place_ / "other.yaml"} << "name: something\n";
    EXPECT_EQ(systole("check other.yaml").err,
              "other.yaml:1:1: error: this is no chip, no workload and no technology\n"
              "  hint: a chip has 'clock' and 'core', a workload 'layers', a technology "
              "'operations'\n");
}

TEST_F(Inspect, ChecksAFileThatOnlyExtendsAnother) {
    std::ofstream{place_ / "mine.yaml"} << "extends: tpu_v1\nname: mine\n";
    EXPECT_EQ(systole("check mine.yaml").out, "mine.yaml: a chip without faults\n");
    std::ofstream{place_ / "round.yaml"} << "extends: round.yaml\n";
    EXPECT_EQ(systole("check round.yaml").status, 2);
}

TEST_F(Inspect, ListsEachTopic) {
    EXPECT_TRUE(contains(systole("list chips").out, "tpu_v1 "));
    EXPECT_TRUE(contains(systole("list workloads").out, "course/2_1_perceptron "));
    EXPECT_TRUE(contains(systole("list operators").out, "conv2d "));
    EXPECT_TRUE(contains(systole("list formats").out, "bf16        2  fp32\n"));
    EXPECT_TRUE(contains(systole("list units").out, "core.matrix.kind  systolic "));
    const auto all = systole("list").out;
    for (const auto* topic : {"chips", "workloads", "operators", "formats", "units"}) {
        EXPECT_TRUE(contains(all, systole(std::string{"list "} + topic).out)) << topic;
    }
}

TEST_F(Inspect, ShowsAChipAfterOverrides) {
    const auto json =
        Json::parse(systole("show tpu_v1 --set chip.clock='1 GHz' --set chip.core.matrix.rows=128 "
                            "--format json")
                        .out);
    EXPECT_EQ(json.at("schema"), "systole.chip/1");
    EXPECT_EQ(json.at("chip").at("peak_macs_per_cycle"), 128 * 256);
    EXPECT_EQ(json.at("chip").at("peak_flops_per_s"), 2.0 * 128 * 256 * 1e9);
    EXPECT_EQ(json.at("chip").at("ridge_flops_per_byte"), 2.0 * 128 * 256 * 1e9 / 34e9);
    EXPECT_EQ(json.at("configuration").at("core").at("matrix").at("rows"), 128);
    EXPECT_EQ(json.at("configuration").at("clock"), "1 GHz");
}

TEST_F(Inspect, ShowsAChipThatReadsBackAsItself) {
    // Everything after the head is YAML.
    const auto outcome =
        sh("systole show tpu_v4i | sed '1,/^$/d' > copy.yaml && systole check copy.yaml &&"
           "systole show copy.yaml > second && systole show tpu_v4i > first && cmp first second");
    EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
}

TEST_F(Inspect, ShowsTheCountsOfAWorkload) {
    // LeNet-5 as published: 61,706 parameters, 416,520 MACs.
    const auto json = Json::parse(systole("show lenet5 --format json").out);
    EXPECT_EQ(json.at("totals").at("parameters"), 61706);
    EXPECT_EQ(json.at("totals").at("macs"), 416520);
    EXPECT_TRUE(contains(systole("show lenet5").out, "61,706"));
}

TEST_F(Inspect, ShowsHowALayerIsLaidOut) {
    const auto json = Json::parse(systole("show tpu_v1 mlp_1024x2048 --format json").out);
    const auto& mapping = json.at("layers").at(0).at("mapping");
    EXPECT_EQ(mapping.at("m"), 1);
    EXPECT_EQ(mapping.at("n"), 2048);
    EXPECT_EQ(mapping.at("k"), 1024);
    EXPECT_EQ(mapping.at("tiles"), 1024 / 256 * 2048 / 256);
    EXPECT_TRUE(contains(systole("show tpu_v1 mlp_1024x2048 --mapping").out, "1×2048×1024"));
}

TEST_F(Inspect, ShowsAProgramThatReadsBackAsItself) {
    const auto text = systole("show tiny_4x4 course/2_1_perceptron --program").out;
    const auto programs = read_programs(text, "program");
    ASSERT_EQ(programs.size(), 1U);
    std::int64_t macs = 0;
    for (const auto& instruction : programs[0].queue(models::Queue::matrix)) {
        if (const auto* stream = std::get_if<models::Stream>(&instruction.work)) {
            macs += stream->macs;
        }
    }
    EXPECT_EQ(macs, 2);
    EXPECT_EQ(write_programs(programs), text);
}

}  // namespace
}  // namespace systole
