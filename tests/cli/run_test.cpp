#include "sim/report/digest.hpp"
#include "sim/workload/value_file.hpp"
#include "tests/cli/shell.hpp"
#include "tests/sim/report/json_schema_check.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace systole {
namespace {

using Json = nlohmann::json;

class Run : public test::Shell {
protected:
    [[nodiscard]] Json json(const std::string& arguments) const {
        const auto outcome = systole("run " + arguments + " --format json");
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(outcome.err, "");
        return Json::parse(outcome.out);
    }
};

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST_F(Run, PutsTheResultAloneOnStandardOutput) {
    const auto outcome = systole("run tpu_v1 mlp_1024x2048");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.err, "");
    EXPECT_TRUE(contains(outcome.out, "2,097,152 MACs in ")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "memory-bound: ")) << outcome.out;
    const auto verbose = systole("run tpu_v1 mlp_1024x2048 -v");
    EXPECT_EQ(verbose.out, outcome.out);
    EXPECT_TRUE(contains(verbose.err, "cycles simulated in ")) << verbose.err;
}

TEST_F(Run, TellsATerminalHowFarItIs) {
    // script(1) gives the program a terminal, and writes down what is seen on it.
    const auto on_terminal = [&](const std::string& options) {
        return sh("script -qec \"'" SYSTOLE_PROGRAM "' run tiny_4x4 lenet5 " + options +
                  " > /dev/null\" /dev/null < /dev/null")
            .out;
    };
    EXPECT_TRUE(contains(on_terminal(""), "layer 7 of 7 done at cycle ")) << on_terminal("");
    EXPECT_TRUE(contains(on_terminal(""), "100 % of the MACs"));
    EXPECT_EQ(on_terminal("-q"), "");
}

/// z = 0.8·x1 − 1.5·x2 + 0.5 in fp32, at both fidelities.
TEST_F(Run, ComputesThePerceptron) {
    const std::vector<std::pair<std::string, float>> decisions{{"[0, 0]", 0.5F},
                                                               {"[1, 0]", 0.8F + 0.5F},
                                                               {"[0, 1]", -1.5F + 0.5F},
                                                               {"[1, 1]", (0.8F + -1.5F) + 0.5F}};
    for (const auto* fidelity : {"fast", "cycle"}) {
        for (const auto& [x, z] : decisions) {
            const auto result =
                json("tiny_4x4 course/2_1_perceptron --set 'workload.input.values=" + x +
                     "' --fidelity " + fidelity);
            EXPECT_EQ(result.at("totals").at("macs"), 2);
            const auto& output = result.at("tensors").back();
            EXPECT_EQ(output.at("role"), "output");
            EXPECT_EQ(output.at("values"), Json::array({static_cast<double>(z)}))
                << x << " " << fidelity;
        }
    }
}

TEST_F(Run, KeepsToTheShippedSchema) {
    const auto schema =
        Json::parse(std::ifstream{SYSTOLE_SOURCE "/configs/schema/result.schema.json"});
    for (const auto* run : {"tiny_4x4 course/2_1_perceptron", "tpu_v1 lenet5", "scalesim_8 gemm",
                            "tpu_v4i mlp_784_128_10", "von_neumann course/2_2_activations"}) {
        EXPECT_EQ(test::JsonSchemaCheck::faults(schema, json(run)), std::vector<std::string>{})
            << run;
    }
}

TEST_F(Run, GivesOneAnswerAtBothFidelities) {
    auto fast = json("tiny_4x4 lenet5 --fidelity fast");
    auto cycle = json("tiny_4x4 lenet5 --fidelity cycle");
    EXPECT_NE(fast.at("manifest"), cycle.at("manifest"));
    fast.erase("manifest");
    cycle.erase("manifest");
    EXPECT_EQ(fast, cycle);
}

TEST_F(Run, DrawsNumbersFromTheSeed) {
    const auto first = json("tiny_4x4 lenet5").at("tensors");
    EXPECT_EQ(first, json("tiny_4x4 lenet5 --seed 1").at("tensors"));
    EXPECT_NE(first, json("tiny_4x4 lenet5 --seed 2").at("tensors"));
}

TEST_F(Run, RecordsWhatItTakesToRepeatIt) {
    std::ofstream{place_ / "x.csv"} << "1,0\n";
    std::ofstream{place_ / "mine.yaml"} << "extends: tiny_4x4\nname: mine\n";
    const auto manifest = json(
                              "mine.yaml course/2_1_perceptron --seed 7 --set chip.clock='50 MHz' "
                              "--set workload.input.values=x.csv")
                              .at("manifest");
    EXPECT_EQ(manifest.at("version"), SYSTOLE_VERSION);
    EXPECT_EQ(manifest.at("seed"), 7);
    EXPECT_EQ(manifest.at("command"),
              "systole run mine.yaml course/2_1_perceptron --seed 7 --set 'chip.clock=50 MHz' "
              "--set workload.input.values=x.csv --format json");
    EXPECT_EQ(manifest.at("configuration").at("chip").at("clock"), "50 MHz");
    EXPECT_EQ(manifest.at("configuration").at("chip").at("core").at("matrix").at("rows"), 4);
    EXPECT_EQ(manifest.at("configuration").at("workload").at("format"), "fp32");
    std::map<std::string, std::string> digests;
    for (const auto& input : manifest.at("inputs")) {
        const std::filesystem::path path{input.at("path").get<std::string>()};
        digests[path.filename()] = input.at("sha256");
        EXPECT_EQ(input.at("sha256"), sha256_of_file(path.is_absolute() ? path : place_ / path));
    }
    EXPECT_EQ(digests.size(), 5U);
    for (const auto* file :
         {"mine.yaml", "tiny_4x4.yaml", "45nm.yaml", "2_1_perceptron.yaml", "x.csv"}) {
        EXPECT_TRUE(digests.count(file)) << file;
    }
}

TEST_F(Run, TakesTheFormatFromTheNameOfTheFile) {
    EXPECT_EQ(systole("run tiny_4x4 lenet5 --out r.json").out, "");
    EXPECT_EQ(Json::parse(content(place_ / "r.json")).at("totals").at("macs"), 416520);
    EXPECT_EQ(systole("run tiny_4x4 lenet5 --out r.csv").status, 0);
    EXPECT_EQ(content(place_ / "r.csv").rfind("name,op,macs,", 0), 0U);
    EXPECT_EQ(systole("run tiny_4x4 lenet5 --out r.txt --roofline").status, 0);
    EXPECT_TRUE(contains(content(place_ / "r.txt"), "FLOP/s |"));
    EXPECT_EQ(systole("run tiny_4x4 lenet5 --out t.json --format table").status, 0);
    EXPECT_TRUE(contains(content(place_ / "t.json"), "416,520 MACs in "));
}

TEST_F(Run, WritesATimelineOfSpansThatDoNotOverlap) {
    const auto result = json("tiny_4x4 lenet5 --trace t.json");
    const auto cycles = result.at("totals").at("cycles").get<std::int64_t>();
    std::map<int, std::int64_t> end_of_lane;
    int spans = 0;
    std::set<std::string> lanes;
    const auto trace = Json::parse(content(place_ / "t.json"));
    for (const auto& event : trace.at("traceEvents")) {
        if (event.at("ph") == "X") {
            auto& end = end_of_lane[event.at("tid")];
            const auto from = event.at("ts").get<std::int64_t>();
            EXPECT_GE(from, end) << event;
            end = from + event.at("dur").get<std::int64_t>();
            EXPECT_LE(end, cycles) << event;
            ++spans;
        } else if (event.at("name") == "thread_name") {
            lanes.insert(event.at("args").at("name").get<std::string>());
        }
    }
    EXPECT_GT(spans, 100);
    EXPECT_EQ(lanes,
              (std::set<std::string>{"array", "load", "memory", "store", "vector", "weights"}));
    EXPECT_EQ(end_of_lane.size(), lanes.size());
}

TEST_F(Run, WritesAWaveform) {
    const auto outcome = systole(
        "run tiny_4x4 course/2_1_perceptron --fidelity cycle --wave w.vcd --wave-from 5 "
        "--wave-cycles 10");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_TRUE(contains(content(place_ / "w.vcd"), "$enddefinitions"));
    EXPECT_EQ(files(), "w.vcd ");
}

TEST_F(Run, WritesOutputsAsArrays) {
    std::ofstream{place_ / "net.yaml"}
        << "format: int8\ninput: {shape: [2], values: [1, 2]}\nquantization: "
           "{activation_step: 1, weight_step: 1}\nlayers:\n  - dense: {name: sums, units: 2, "
           "weights: [3, 4, 5, 6], bias: false, output: sums}\n";
    ASSERT_EQ(systole("run tiny_4x4 net.yaml --values-out .").status, 0);
    const auto array = read_values(place_ / "sums.npy");
    EXPECT_EQ(array.shape, (std::vector<std::int64_t>{1, 2}));
    EXPECT_EQ(array.values, (std::vector<double>{1 * 3 + 2 * 5, 1 * 4 + 2 * 6}));
}

/// The course's claim: without reuse, memory access takes more than 95 % of the energy; a systolic
/// array of the same process, format and batch needs several times less for the same network.
TEST_F(Run, SpendsTheEnergyOfAVonNeumannMachineOnMemory) {
    const auto memory_share = [](const Json& energy) {
        double all = 0;
        for (const auto& [component, joules] : energy.items()) {
            all += joules.get<double>();
        }
        return 1 - (energy.at("mac").get<double>() + energy.at("vector").get<double>()) / all;
    };
    const std::string network =
        " mlp_784_128_10 --set workload.batch=128 --set workload.format=fp32";
    const auto baseline = json("von_neumann" + network);
    EXPECT_GT(memory_share(baseline.at("energy_j")), 0.95);
    const auto systolic = json("edge_32x32 --set chip.core.matrix.formats=[fp32]" + network);
    EXPECT_EQ(baseline.at("chip").at("technology"), systolic.at("chip").at("technology"));
    EXPECT_EQ(baseline.at("totals").at("macs"), systolic.at("totals").at("macs"));
    EXPECT_GT(baseline.at("totals").at("energy_j").get<double>(),
              5 * systolic.at("totals").at("energy_j").get<double>());
}

TEST_F(Run, TellsOfEnergyThatIsNotPublished) {
    const auto table = systole("run tiny_4x4 gemm --set workload.format=bf16").out;
    EXPECT_TRUE(contains(table, "unknown: mac, of which the technology has no published figure"))
        << table;
    const auto result = json("tiny_4x4 gemm --set workload.format=bf16");
    EXPECT_TRUE(result.at("totals").at("energy_j").is_null());
    EXPECT_TRUE(result.at("energy_j").at("mac").is_null());
    EXPECT_GT(result.at("energy_j").at("dram").get<double>(), 0);
    EXPECT_FALSE(
        contains(systole("run tiny_4x4 gemm --set workload.format=bf16 --format csv").out, "nan"));
}

}  // namespace
}  // namespace systole
