#include "models/base/schema.hpp"

#include "tests/specimen.hpp"
#include "tests/yaml_support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

namespace systole {
namespace {

using test::faults_in;
using test::Machine;
using test::parse;
using testing::ElementsAre;
using testing::IsEmpty;

// The least that the specimen needs, for tests of something else.
const std::string least = "core: {matrix: {kind: simt}, scratchpad: {size: 64 KiB}}\n";

TEST(Schema, KeepsDefaultsOfAbsentKeys) {
    const auto machine = read<Machine>(parse(least));
    EXPECT_EQ(machine.name, "specimen");
    EXPECT_EQ(machine.clock, Hertz{1e9});
    EXPECT_EQ(machine.cores, 1);
    EXPECT_EQ(machine.core.scratchpad.banks, 8);
    EXPECT_FALSE(machine.core.scratchpad.latency.has_value());
    EXPECT_FALSE(machine.part.has_value());
    EXPECT_FALSE(machine.memory.has_value());
    EXPECT_TRUE(machine.layers.empty());
}

TEST(Schema, ReadsEveryKindOfField) {
    const auto machine = read<Machine>(parse(R"(
name: big
clock: 940 MHz
cores: 4
load: 0.25
part: HBM2e
core:
  matrix: {kind: systolic, rows: 8, cols: 4, dataflow: output}
  scratchpad: {size: 1.5 KiB, banks: 2, latency: 3 cycles}
memory: {bandwidth: 819 GB/s, latency: 90 ns, energy: 3.9 pJ}
buffers: [{size: 8 B}, {size: 4 B, banks: 4}]
parameters: {m: 7}
memories:
  near: {bandwidth: 1 TB/s}
)"));
    EXPECT_EQ(machine.name, "big");
    EXPECT_EQ(machine.clock, Hertz{940e6});
    EXPECT_EQ(machine.cores, 4);
    EXPECT_EQ(machine.load, 0.25);
    EXPECT_EQ(machine.part, "HBM2e");
    const auto& systolic = std::get<test::Systolic>(machine.core.matrix);
    EXPECT_EQ(systolic.rows, 8);
    EXPECT_EQ(systolic.cols, 4);
    EXPECT_EQ(systolic.dataflow, test::Flow::output);
    EXPECT_EQ(machine.core.scratchpad.size, Bytes{1536});
    EXPECT_EQ(machine.core.scratchpad.latency, Duration{Cycles{3}});
    ASSERT_TRUE(machine.memory.has_value());
    const auto memory = machine.memory.value_or(test::Memory{});
    EXPECT_EQ(memory.bandwidth, BytesPerSecond{819e9});
    EXPECT_EQ(memory.latency, Duration{Seconds{90e-9}});
    EXPECT_EQ(memory.energy, Picojoules{3.9});
    ASSERT_EQ(machine.buffers.size(), 2U);
    EXPECT_EQ(machine.buffers[1].banks, 4);
    EXPECT_EQ(machine.parameters.at("m"), 7);
    EXPECT_EQ(machine.memories.at("near").bandwidth, BytesPerSecond{1e12});
}

TEST(Schema, ReadsTaggedItemsInsideEachOther) {
    const auto machine = read<Machine>(parse(least + R"(
layers:
  - dense: {units: 3, name: fc, weights: [[0.5, -1.5], [2, 1e-3]]}
  - relu
  - gelu:
  - repeat:
      times: 2
      layers:
        - conv: {kernel: 3}
        - repeat: {times: 1, layers: [{conv: {kernel: [1, 5]}}]}
)"));
    ASSERT_EQ(machine.layers.size(), 4U);
    const auto& dense = std::get<test::Dense>(machine.layers[0].op);
    EXPECT_EQ(dense.units, 3);
    EXPECT_EQ(dense.name, "fc");
    EXPECT_EQ(dense.weights, (std::vector<std::vector<double>>{{0.5, -1.5}, {2, 1e-3}}));
    EXPECT_EQ(std::get<test::Activation>(machine.layers[1].op).function, test::Function::relu);
    EXPECT_EQ(std::get<test::Activation>(machine.layers[2].op).function, test::Function::gelu);
    const auto& repeat = std::get<test::Repeat>(machine.layers[3].op);
    ASSERT_EQ(repeat.layers.size(), 2U);
    EXPECT_EQ(std::get<test::Conv>(repeat.layers[0].op).kernel, std::vector<int>{3});
    const auto& inner = std::get<test::Repeat>(repeat.layers[1].op);
    EXPECT_EQ(std::get<test::Conv>(inner.layers[0].op).kernel, (std::vector<int>{1, 5}));
}

TEST(Schema, KeepsPlacesOfSectionsItemsAndFields) {
    const auto machine =
        read<Machine>(parse("core:\n"
                            "  matrix: {kind: simt}\n"
                            "  scratchpad:\n"
                            "    size: 8 B\n"
                            "    banks: 4\n"
                            "layers:\n"
                            "  - relu\n"
                            "  - dense: {units: 3}\n"));
    const auto& scratchpad = machine.core.scratchpad;
    EXPECT_EQ(scratchpad.where.file, "test.yaml");
    EXPECT_EQ(scratchpad.where.line, 3);
    EXPECT_EQ(scratchpad.where.column, 3);
    EXPECT_EQ(scratchpad.banks_at.line, 5);
    EXPECT_EQ(scratchpad.banks_at.column, 12);
    EXPECT_EQ(machine.layers[0].where.line, 7);
    EXPECT_EQ(machine.layers[1].where.line, 8);
    EXPECT_EQ(machine.layers[1].where.column, 5);
    EXPECT_EQ(std::get<test::Dense>(machine.layers[1].op).where.column, 5);
}

TEST(Schema, TellsAllFaultsOfADocumentInItsOrder) {
    EXPECT_THAT(faults_in<Machine>("clock: 940\n"
                                   "coers: 2\n"
                                   "load: 2\n"
                                   "core:\n"
                                   "  matrix: {kind: systolic}\n"
                                   "  scratchpad: {bank: 3}\n"),
                ElementsAre("1:8 'clock': '940' needs a unit | units of a frequency: Hz, kHz, "
                            "MHz, GHz",
                            "2:1 unknown key 'coers' | did you mean 'cores'?",
                            "3:7 'load' must be from 0 to 1, not 2",
                            "5:3 missing key 'rows' | rows: the reduction; integer",
                            "6:3 missing key 'size' | size: capacity of all banks; size (B, KiB, "
                            "MiB, GiB, TiB)",
                            "6:16 unknown key 'bank' | did you mean 'banks'?"));
}

TEST(Schema, ListsTheKeysWhereNoneIsNear) {
    EXPECT_THAT(faults_in<test::Memory>("bandwidth: 1 B/s\nxyzzy: 1\n"),
                ElementsAre("2:1 unknown key 'xyzzy' | keys: bandwidth, latency, energy"));
}

TEST(Schema, MissesRequiredKeysOfAbsentSections) {
    EXPECT_THAT(faults_in<Machine>("name: a\n"),
                ElementsAre("1:1 missing key 'core.matrix' | matrix: the matrix unit; section",
                            "1:1 missing key 'core.scratchpad.size' | size: capacity of all "
                            "banks; size (B, KiB, MiB, GiB, TiB)"));
}

TEST(Schema, WantsSectionsListsAndScalarsWhereTheyBelong) {
    EXPECT_THAT(faults_in<Machine>("name: [a]\n"
                                   "cores: {a: 1}\n"
                                   "core: 3\n"
                                   "memory: ~\n"
                                   "buffers: {size: 1 B}\n"
                                   "parameters: [1]\n"
                                   "load:\n"),
                ElementsAre("1:7 'name': expected text, found a list",
                            "2:8 'cores': expected integer, found a map",
                            "3:7 'core': expected section, found '3'",
                            "4:1 'memory': expected section, found '~', which means nothing | "
                            "write {} for a section without keys",
                            "5:10 'buffers': expected list of section, found a map",
                            "6:13 'parameters': expected map of names to integer, found a list",
                            "7:1 'load': expected number, found nothing"));
    EXPECT_THAT(faults_in<Machine>("- a\n"), ElementsAre("1:1 expected section, found a list"));
}

TEST(Schema, ChecksRelationsOnceTheSectionIsRead) {
    EXPECT_THAT(faults_in<test::Scratch>("size: 12 B\nbanks: 8\n"),
                ElementsAre("2:8 'banks' must divide size, not 8"));
    EXPECT_THAT(faults_in<test::Scratch>("size: 12 B\n"),
                ElementsAre("1:1 'banks' must divide size, not 8 (its default)"));
    EXPECT_THAT(faults_in<test::Scratch>("size: 12 B\nbanks: 3\n"),
                ElementsAre("2:8 'banks' must be a power of two, not 3"));
    EXPECT_THAT(faults_in<test::Scratch>("size: 0 B\nbanks: 3000\n"),
                ElementsAre("1:7 'size' must be at least 1 B, not 0 B",
                            "2:8 'banks' must be from 1 to 1024, not 3000",
                            "2:8 'banks' must be a power of two, not 3000"));
}

TEST(Schema, ChecksEachItemOfAList) {
    EXPECT_THAT(faults_in<test::Conv>("kernel: [3, 0]\n"),
                ElementsAre("1:9 'kernel' must be at least 1"));
    EXPECT_THAT(faults_in<test::Conv>("kernel: 0\n"),
                ElementsAre("1:9 'kernel' must be at least 1, not 0"));
    EXPECT_THAT(faults_in<test::Conv>("kernel: [1, 2, 3]\n"),
                ElementsAre("1:9 'kernel' must have one or two items"));
    EXPECT_THAT(faults_in<test::Conv>("kernel: [1, x]\n"),
                ElementsAre("1:13 'kernel[1]': 'x' is not an integer"));
    EXPECT_THAT(faults_in<test::Dense>("units: 1\nweights: [[1], [2, .nan], 3, [2e6]]\n"),
                ElementsAre("2:20 'weights[1][1]': '.nan' is not a finite number",
                            "2:27 'weights[2]': expected list of number, found '3'"));
}

TEST(Schema, FindsDuplicateKeysInNodesOfAnySource) {
    Node node = Node::map({"made", 1, 1});
    node.add("size", Node::scalar("8 B", {"made", 2, 2}));
    node.add("size", Node::scalar("8 B", {"made", 3, 3}));
    ReadContext context;
    static_cast<void>(read<test::Scratch>(node, context));
    EXPECT_THAT(test::brief(context.faults), ElementsAre("3:3 duplicate key 'size'"));
}

TEST(Schema, ChoosesASectionByItsWord) {
    EXPECT_THAT(faults_in<test::Core>("matrix: {rows: 3}\nscratchpad: {size: 8 B}\n"),
                ElementsAre("1:1 missing key 'kind' | kind: one of systolic, simt"));
    EXPECT_THAT(faults_in<test::Core>("matrix: {kind: sytolic}\nscratchpad: {size: 8 B}\n"),
                ElementsAre("1:16 unknown kind 'sytolic' | did you mean 'systolic'?"));
    EXPECT_THAT(faults_in<test::Core>("matrix: {kind: [a]}\nscratchpad: {size: 8 B}\n"),
                ElementsAre("1:16 'kind': expected one of systolic, simt, found a list"));
    EXPECT_THAT(faults_in<test::Core>("matrix: {kind: simt, rows: 3}\nscratchpad: {size: 8 B}\n"),
                ElementsAre("1:22 unknown key 'rows' | keys: lanes, fused"));
    EXPECT_THAT(faults_in<test::Core>("matrix: simt\nscratchpad: {size: 8 B}\n"),
                ElementsAre("1:9 'matrix': expected section, found 'simt'"));
}

TEST(Schema, WantsOneKnownWordInATaggedItem) {
    EXPECT_THAT(
        faults_in<Machine>(least + "layers:\n"
                                   "  - dens: {}\n"
                                   "  - softmax\n"
                                   "  - {relu: {}, gelu: {}}\n"
                                   "  - [relu]\n"
                                   "  - relu: ~\n"
                                   "  - dense\n"),
        ElementsAre("3:5 unknown word 'dens' | did you mean 'dense'?",
                    "4:5 unknown word 'softmax' | words: dense, conv, relu, gelu, repeat",
                    "5:5 'layers[2]': expected one word, found a map of 2 keys | write one of "
                    "dense, conv, relu, gelu, repeat, and its keys inside it",
                    "6:5 'layers[3]': expected one word, found a list | write one of dense, conv, "
                    "relu, gelu, repeat, and its keys inside it",
                    "7:5 'relu': expected section, found '~', which means nothing | write {} for "
                    "a section without keys",
                    "8:5 missing key 'units' | units: outputs; integer"));
}

TEST(Schema, TakesNamesForIntegersWhereTheyApply) {
    const ReadContext context{.names = {{"m", 5}, {"zero", 0}}};
    ReadContext reading = context;
    const auto machine = read<Machine>(
        parse(least + "cores: m\nlayers: [{dense: {units: m}}, {conv: {kernel: [m, 3]}}]\n"),
        reading);
    EXPECT_THAT(reading.faults, IsEmpty());
    EXPECT_EQ(machine.cores, 5);
    EXPECT_EQ(std::get<test::Dense>(machine.layers[0].op).units, 5);
    EXPECT_EQ(std::get<test::Conv>(machine.layers[1].op).kernel, (std::vector<int>{5, 3}));

    EXPECT_THAT(faults_in<Machine>(least + "cores: zero\nparameters: {m: 5, n: m}\n", context),
                ElementsAre("2:8 'cores' must be from 1 to 1024, not zero (0)",
                            "3:23 'parameters.n': 'm' is not an integer"));
}

TEST(Schema, ReadsBackTheDocumentThatItWrites) {
    const std::string text = R"(name: big  # what the report calls it
clock: 940 MHz  # of everything
cores: 1  # equal cores
load: 0.5  # part of the peak
core:  # one core
  matrix:  # the matrix unit
    kind: systolic  # an array
    rows: 8  # the reduction
    cols: 16  # outputs
    dataflow: weight  # what stays in the array
  scratchpad:  # on-chip buffer
    size: 64 KiB  # capacity of all banks
    banks: 8  # banks that serve one access a cycle each
buffers: []  # more buffers
parameters: {}  # integers by name
memories: {}  # memories by name
layers:  # the network
  - gelu:
      name: ""  # what the report calls it
  - repeat:
      times: 2  # how often
      layers:  # what is repeated
        - conv:
            name: c  # what the report calls it
            kernel: [3]  # height and width
)";
    const auto machine = read<Machine>(parse(text));
    EXPECT_EQ(to_yaml(to_node(machine)), text);
}

TEST(Schema, ShortensWhatItQuotes) {
    const auto faults = faults_in<Machine>(least + "name: [" + std::string(5000, 'a') + "]\n" +
                                           std::string(900, 'b') + ": 1\n");
    ASSERT_EQ(faults.size(), 2U);
    EXPECT_LT(faults[1].size(), 600U);
}

TEST(ReadContext, ReportsAHundredFaultsAndCountsTheRest) {
    ReadContext context;
    for (int line = 130; line > 0; --line) {
        context.fault({"a.yaml", line, 1}, "wrong");
    }
    try {
        context.throw_if_faulty();
        FAIL();
    } catch (const InputError& e) {
        ASSERT_EQ(e.faults().size(), 101U);
        EXPECT_EQ(e.faults().front().where.line, 1);
        EXPECT_EQ(to_string(e.faults().back()), "a.yaml: error: and 30 more faults");
    }
}

}  // namespace
}  // namespace systole
