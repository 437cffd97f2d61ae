#include "sim/mapping/mapper.hpp"
#include "tests/support/chips.hpp"
#include "tests/support/graph_maker.hpp"
#include "tests/support/program_checker.hpp"

#include <gtest/gtest.h>

#include <map>

namespace systole::test {
namespace {

using models::Dataflow;
using models::Queue;
using namespace literals;

std::string faults_of(const Graph& graph, const models::ChipConfig& chip) {
    try {
        static_cast<void>(map_graph(graph, chip));
        return {};
    } catch (const InputError& error) {
        return error.what();
    }
}

models::ChipConfig small_chip(Bytes scratchpad) {
    auto chip = systolic_chip(16, 16, Dataflow::weight_stationary, 64, scratchpad);
    chip.core.scratchpad.width = Bytes{1};
    return chip;
}

TEST(MapperFaults, NamesFormatsThatTheUnitDoesNotHave) {
    GraphMaker maker;
    maker.dense(maker.input({4, 8}, Format::fp16), 8);
    auto chip = small_chip(64_KiB);
    std::get<models::SystolicConfig>(chip.core.matrix).formats = {Format::int8, Format::bf16};
    EXPECT_EQ(faults_of(maker.finish(), chip),
              "net.yaml:1:3: error: layer 'dense0' multiplies fp16, which the matrix unit of chip "
              "'array' cannot\n"
              "  hint: did you mean 'bf16'? it multiplies int8, bf16\n");
}

// The number in the message is exact: with it the layer fits, with one byte less it does not.
TEST(MapperFaults, SaysByHowManyBytesTheScratchpadIsTooSmall) {
    GraphMaker maker;
    maker.elementwise(maker.input({4, 100}, Format::fp32), models::VectorOp::softmax);
    const Graph graph = maker.finish();
    const std::string message = faults_of(graph, small_chip(Bytes{300}));
    // A row of 100 in and one out, 4 bytes each.
    EXPECT_EQ(message,
              "net.yaml:1:3: error: layer 'activation0' does not fit chip 'array': the scratchpad "
              "of 300 bytes is at least 500 bytes too small\n"
              "  hint: enlarge core.scratchpad.size\n");
    EXPECT_EQ(faults_of(graph, small_chip(Bytes{800})), "");
    EXPECT_NE(faults_of(graph, small_chip(Bytes{799})).find("at least 1 bytes too small"),
              std::string::npos);
}

TEST(MapperFaults, TheSmallestProductNeedsItsFourElements) {
    GraphMaker maker;
    maker.conv(maker.input({1, 9, 1, 40}, Format::int8), 40, {3, 1, 1, 1, 1, 1});
    const Graph graph = maker.finish();
    // One weight, three rows of one channel, a bias of 4 bytes and one result.
    EXPECT_NE(faults_of(graph, small_chip(Bytes{8})).find("at least 1 bytes too small"),
              std::string::npos);
    const auto chip = small_chip(Bytes{9});
    const Mapping mapping = map_graph(graph, chip);
    for (const auto& fault : ProgramChecker{graph, chip, mapping, 1}.run()) {
        ADD_FAILURE() << fault;
    }
}

TEST(MapperFaults, NamesAMappingThatDoesNotFit) {
    GraphMaker maker;
    maker.dense(maker.input({64, 64}, Format::int8), 64);
    MappingRequest request;
    request.rows = 64;
    request.where = {"net.yaml", 7, 5};
    maker.last().mapping = request;
    // A column of the 64 rows, one weight, a bias of 4 bytes and 64 results.
    const auto chip = small_chip(Bytes{64 + 1 + 4 + 64 - 1});
    const std::string message = faults_of(maker.graph(), chip);
    EXPECT_EQ(message.find("net.yaml:7:5: error: the mapping of layer 'dense0' does not fit"), 0U)
        << message;
    EXPECT_NE(message.find("at least 1 bytes too small"), std::string::npos) << message;
    EXPECT_NE(message.find("hint: leave the mapping out"), std::string::npos) << message;
    maker.last().mapping.reset();
    EXPECT_EQ(faults_of(maker.finish(), chip), "");
}

TEST(MapperFaults, SaysWhyAnOutputCannotBeKept) {
    GraphMaker maker;
    const TensorId middle = maker.dense(maker.input({64, 64}, Format::int8), 64);
    MappingRequest request;
    request.keep_output = true;
    request.where = {"net.yaml", 7, 5};
    maker.last().mapping = request;
    maker.dense(middle, 64);
    const Graph graph = maker.finish();
    auto chip = small_chip(4_KiB);
    EXPECT_NE(faults_of(graph, chip)
                  .find("net.yaml:7:5: error: the output of layer 'dense0' "
                        "cannot be kept on chip 'array': 4096 bytes find no "
                        "room in the scratchpad of 4096 bytes"),
              std::string::npos)
        << faults_of(graph, chip);
    chip.core.scratchpad.size = 64_KiB;
    EXPECT_EQ(faults_of(graph, chip), "");
    chip.cores = 2;
    EXPECT_EQ(faults_of(graph, chip), "");  // one core makes and uses it
}

TEST(MapperFaults, SaysHowManyCoresThereAre) {
    GraphMaker maker;
    const TensorId middle = maker.dense(maker.input({64, 64}, Format::int8), 64);
    MappingRequest request;
    request.cores = 3;
    request.where = {"net.yaml", 7, 5};
    maker.last().mapping = request;
    maker.dense(middle, 64);
    Graph graph = maker.finish();
    auto chip = small_chip(64_KiB);
    chip.cores = 2;
    EXPECT_EQ(faults_of(graph, chip),
              "net.yaml:7:5: error: layer 'dense0' is mapped on 3 cores, but chip 'array' has 2\n"
              "  hint: cores must be at most 2\n");
    graph.operators.front().mapping->cores = 2;
    EXPECT_EQ(faults_of(graph, chip), "");
    graph.operators.front().mapping->keep_output = true;
    EXPECT_NE(faults_of(graph, chip)
                  .find("cannot be kept on chip 'array': its mapping shares the "
                        "layer among several cores"),
              std::string::npos)
        << faults_of(graph, chip);
}

TEST(MapperFaults, SaysWhenTheMemoryIsTooSmall) {
    GraphMaker maker;
    maker.dense(maker.input({64, 64}, Format::int8), 64, {.bias = false});
    const Graph graph = maker.finish();
    auto chip = small_chip(64_KiB);
    chip.memory.size = Bytes{3 * 4096};
    EXPECT_EQ(faults_of(graph, chip), "");
    chip.memory.size = Bytes{3 * 4096 - 1};
    EXPECT_NE(faults_of(graph, chip).find("its tensors take 12288 bytes, 1 more than there are"),
              std::string::npos)
        << faults_of(graph, chip);
}

TEST(MapperFaults, RefusesProgramsWithoutEnd) {
    GraphMaker maker;
    maker.dense(maker.input({std::int64_t{1} << 31, 16}, Format::int8), 16);
    const std::string message = faults_of(maker.finish(), small_chip(64_KiB));
    EXPECT_NE(message.find("layer 'dense0' needs more than 20000000 instructions"),
              std::string::npos)
        << message;
}

TEST(MapperFaults, SaysWhenThereAreNoAccumulators) {
    GraphMaker maker;
    maker.dense(maker.input({4, 16}, Format::int8), 16);
    auto chip = small_chip(64_KiB);
    std::get<models::SystolicConfig>(chip.core.matrix).accumulators = 0;
    EXPECT_NE(faults_of(maker.finish(), chip).find("the accumulators hold no row of sums"),
              std::string::npos);
}

// The checker itself: leaving out any wait must be seen, unless others imply it.
TEST(ProgramChecker, SeesWaitsThatAreLeftOut) {
    GraphMaker maker;
    TensorId at = maker.input({1, 6, 6, 4}, Format::int8);
    at = maker.conv(at, 10, {3, 3, 1, 1, 1, 1});
    at = maker.pool(at, {2, 2, 2, 0, 1, 1});
    at = maker.dense(at, 14);
    maker.dense(at, 12, {.raw = true});
    const Graph graph = maker.finish();
    for (const std::int64_t cores : {1, 2}) {
        auto chip = systolic_chip(8, 8, Dataflow::weight_stationary, 24, Bytes{400});
        chip.core.scratchpad.width = Bytes{1};
        chip.cores = cores;
        Mapping mapping = map_graph(graph, chip);
        ASSERT_TRUE(ProgramChecker(graph, chip, mapping, 1).run().empty());
        std::map<models::Cause, int> seen;
        int missed = 0;
        int waits = 0;
        for (auto& program : mapping.programs) {
            for (auto& queue : program.queues) {
                for (auto& instruction : queue) {
                    for (std::size_t i = 0; i < instruction.waits.size(); ++i) {
                        const auto whole = instruction.waits;
                        instruction.waits.erase(instruction.waits.begin() +
                                                static_cast<std::ptrdiff_t>(i));
                        const bool found = !ProgramChecker(graph, chip, mapping, 1).run().empty();
                        instruction.waits = whole;
                        seen[whole[i].cause] += found ? 1 : 0;
                        missed += found ? 0 : 1;
                        ++waits;
                    }
                }
            }
        }
        for (const auto cause : {models::Cause::weight_stall, models::Cause::input_wait,
                                 models::Cause::accumulator_wait, models::Cause::result_wait,
                                 models::Cause::buffer_wait}) {
            EXPECT_GT(seen[cause], 0) << models::to_string(cause);
        }
        EXPECT_LT(missed, waits / 3) << "of " << waits;
    }
}

}  // namespace
}  // namespace systole::test
