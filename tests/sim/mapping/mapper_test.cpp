#include "sim/mapping/mapper.hpp"

#include "tests/support/chips.hpp"
#include "tests/support/graph_maker.hpp"
#include "tests/support/program_checker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace systole::test {
namespace {

using models::Dataflow;
using models::Queue;
using namespace literals;

template <class Work>
std::vector<const Work*> works(const models::Program& program, Queue queue) {
    std::vector<const Work*> found;
    for (const auto& instruction : program.queue(queue)) {
        if (const auto* work = std::get_if<Work>(&instruction.work)) {
            found.push_back(work);
        }
    }
    return found;
}

Graph one_dense(std::int64_t m, std::int64_t n, std::int64_t k, const Finish& finish = {}) {
    GraphMaker maker;
    maker.dense(maker.input({m, k}, Format::int8), n, finish);
    return maker.finish();
}

void expect_right(const Graph& graph, const models::ChipConfig& chip, const Mapping& mapping) {
    ProgramChecker checker{graph, chip, mapping, 1};
    for (const auto& fault : checker.run()) {
        ADD_FAILURE() << fault;
    }
}

struct Gemm {
    std::int64_t m, n, k;
};

Gemm random_gemm(std::mt19937_64& random) {
    std::uniform_int_distribution<std::int64_t> size{1, 200};
    return {size(random), size(random), size(random)};
}

// SCALE-Sim's folds: every weight tile once, all rows over it.
TEST(Mapper, WeightStationaryFoldsTakeAllRowsAtOnce) {
    std::mt19937_64 random{11};
    for (int i = 0; i < 200; ++i) {
        const auto [m, n, k] = random_gemm(random);
        SCOPED_TRACE(testing::Message() << "m " << m << " n " << n << " k " << k);
        for (const std::int64_t buffers : {1, 2}) {
            auto chip = systolic_chip(16, 8, Dataflow::weight_stationary, 100'000, 64_MiB);
            std::get<models::SystolicConfig>(chip.core.matrix).weight_buffers = buffers;
            const Mapping mapping = map_graph(one_dense(m, n, k), chip);
            const auto streams = works<models::Stream>(mapping.programs[0], Queue::matrix);
            const auto preloads = works<models::Preload>(mapping.programs[0], Queue::matrix);
            const std::int64_t folds = ceil_div(k, 16) * ceil_div(n, 8);
            ASSERT_EQ(static_cast<std::int64_t>(streams.size()), folds);
            ASSERT_EQ(static_cast<std::int64_t>(preloads.size()), folds);
            ASSERT_EQ(mapping.layers[0].tiles, folds);
            for (const auto* stream : streams) {
                ASSERT_EQ(stream->west.rows, m);
            }
        }
    }
}

TEST(Mapper, InputStationaryFoldsTakeAllOutputsAtOnce) {
    std::mt19937_64 random{12};
    for (int i = 0; i < 200; ++i) {
        const auto [m, n, k] = random_gemm(random);
        SCOPED_TRACE(testing::Message() << "m " << m << " n " << n << " k " << k);
        const auto chip = systolic_chip(16, 8, Dataflow::input_stationary, 100'000, 64_MiB);
        const Mapping mapping = map_graph(one_dense(m, n, k), chip);
        const auto streams = works<models::Stream>(mapping.programs[0], Queue::matrix);
        ASSERT_EQ(static_cast<std::int64_t>(streams.size()), ceil_div(k, 16) * ceil_div(m, 8));
        ASSERT_EQ(works<models::Preload>(mapping.programs[0], Queue::matrix).size(),
                  streams.size());
        for (const auto* stream : streams) {
            ASSERT_EQ(stream->west.rows, n);
        }
    }
}

TEST(Mapper, OutputStationaryFoldsTakeTheWholeDepthAtOnce) {
    std::mt19937_64 random{13};
    for (int i = 0; i < 200; ++i) {
        const auto [m, n, k] = random_gemm(random);
        SCOPED_TRACE(testing::Message() << "m " << m << " n " << n << " k " << k);
        const auto chip = systolic_chip(16, 8, Dataflow::output_stationary, 100'000, 64_MiB);
        const Mapping mapping = map_graph(one_dense(m, n, k), chip);
        const auto streams = works<models::Stream>(mapping.programs[0], Queue::matrix);
        ASSERT_EQ(static_cast<std::int64_t>(streams.size()), ceil_div(m, 16) * ceil_div(n, 8));
        for (const auto* stream : streams) {
            ASSERT_EQ(stream->west.depth, k);
        }
    }
}

TEST(Mapper, SuccessiveOutputTilesUseOtherAccumulatorsWhenThereIsRoom) {
    const auto chip = systolic_chip(16, 8, Dataflow::weight_stationary, 100, 1_MiB);
    const Mapping mapping = map_graph(one_dense(50, 24, 16), chip);
    const auto streams = works<models::Stream>(mapping.programs[0], Queue::matrix);
    ASSERT_EQ(streams.size(), 3U);
    EXPECT_EQ(streams[0]->sums.row, 0);
    EXPECT_EQ(streams[1]->sums.row, 50);
    EXPECT_EQ(streams[2]->sums.row, 0);
}

// With one buffer a second pass costs a whole fold; all the rows fit, but not twice.
TEST(Mapper, RowsThatFitTheAccumulatorsAreNotCutToDoubleBufferThem) {
    const auto chip = systolic_chip(16, 8, Dataflow::weight_stationary, 64, 1_MiB);
    const Mapping mapping = map_graph(one_dense(60, 24, 40), chip);
    const auto streams = works<models::Stream>(mapping.programs[0], Queue::matrix);
    ASSERT_EQ(streams.size(), 9U);
    EXPECT_EQ(streams[0]->west.rows, 60);
}

// A weight tile that is the whole depth stays in the array for all the rows.
TEST(Mapper, HeldWeightsAreNotPreloadedAgain) {
    auto chip = systolic_chip(16, 8, Dataflow::weight_stationary, 32, 1_MiB);
    const Graph graph = one_dense(100, 16, 16);
    const Mapping mapping = map_graph(graph, chip);
    EXPECT_EQ(works<models::Preload>(mapping.programs[0], Queue::matrix).size(), 2U);
    EXPECT_GE(works<models::Stream>(mapping.programs[0], Queue::matrix).size(), 8U);
    expect_right(graph, chip, mapping);
}

TEST(Mapper, MovesTheCompulsoryBytesWhenAllFits) {
    std::mt19937_64 random{14};
    for (int i = 0; i < 100; ++i) {
        const auto [m, n, k] = random_gemm(random);
        SCOPED_TRACE(testing::Message() << "m " << m << " n " << n << " k " << k);
        for (const auto dataflow : {Dataflow::weight_stationary, Dataflow::input_stationary,
                                    Dataflow::output_stationary}) {
            const auto chip = systolic_chip(16, 8, dataflow, 4096, 1_MiB);
            const LayerMapping layer = map_graph(one_dense(m, n, k), chip).layers[0];
            EXPECT_EQ(layer.input_bytes.count(), m * k);
            EXPECT_EQ(layer.weight_bytes.count(), k * n + 4 * n);
            EXPECT_EQ(layer.output_bytes.count(), m * n);
        }
    }
}

// Hong and Kung: with S bytes on chip a product of 8-bit matrices moves at least about
// 2·m·n·k/√S bytes. The accumulators hold tiles of 128×16 sums twice: with panels cut into slices
// m·n·k/16 + m·n·k/128 bytes suffice.
TEST(Mapper, ComesNearTheLowerBoundOfTraffic) {
    const auto chip = systolic_chip(16, 16, Dataflow::weight_stationary, 256, 16_KiB);
    const std::int64_t size = 1024;
    const LayerMapping layer = map_graph(one_dense(size, size, size), chip).layers[0];
    const double moved = static_cast<double>((layer.input_bytes + layer.weight_bytes).count());
    EXPECT_GE(moved, 2.0 * 1024 * 1024 * 1024 / 128);
    EXPECT_LE(moved, 1024.0 * 1024 * 1024 * (1.0 / 16 + 1.0 / 128));
}

TEST(Mapper, KeepsATensorOnChipForTheNextLayer) {
    GraphMaker maker;
    const TensorId input = maker.input({1, 16, 16, 8}, Format::int8);
    const TensorId middle = maker.conv(input, 16, {3, 3, 1, 1, 1, 1});
    const TensorId result = maker.conv(middle, 8, {3, 3, 1, 1, 1, 1});
    const Graph graph = maker.finish();
    const auto chip = systolic_chip(16, 16, Dataflow::weight_stationary, 512, 64_KiB);
    const Mapping mapping = map_graph(graph, chip);
    EXPECT_EQ(mapping.placements[static_cast<std::size_t>(middle)].home,
              Placement::Home::scratchpad);
    EXPECT_EQ(mapping.placements[static_cast<std::size_t>(result)].home, Placement::Home::dram);
    EXPECT_FALSE(mapping.layers[0].input_on_chip);
    EXPECT_TRUE(mapping.layers[0].output_on_chip);
    EXPECT_TRUE(mapping.layers[1].input_on_chip);
    EXPECT_FALSE(mapping.layers[1].output_on_chip);
    expect_right(graph, chip, mapping);
}

TEST(Mapper, ARequestKeepsATensorOffTheChip) {
    GraphMaker maker;
    const TensorId middle = maker.dense(maker.input({4, 32}, Format::int8), 32);
    MappingRequest request;
    request.keep_output = false;
    maker.last().mapping = request;
    maker.dense(middle, 32);
    const auto chip = systolic_chip(16, 16, Dataflow::weight_stationary, 512, 64_KiB);
    const Mapping mapping = map_graph(maker.finish(), chip);
    EXPECT_EQ(mapping.layers[0].output_bytes, Bytes{4 * 32});
    EXPECT_EQ(mapping.layers[1].input_bytes, Bytes{4 * 32});
}

TEST(Mapper, ARequestFixesBlocksAndOrder) {
    GraphMaker maker;
    maker.dense(maker.input({64, 32}, Format::int8), 48);
    MappingRequest request;
    request.order = LoopOrder::outputs_outer;
    request.rows = 20;
    request.outputs = 16;
    maker.last().mapping = request;
    const Graph graph = maker.finish();
    const auto chip = systolic_chip(16, 8, Dataflow::weight_stationary, 512, 64_KiB);
    const Mapping mapping = map_graph(graph, chip);
    const LayerMapping& layer = mapping.layers[0];
    EXPECT_EQ(layer.order, LoopOrder::outputs_outer);
    EXPECT_EQ(layer.block_m, 20);
    EXPECT_EQ(layer.block_n, 16);
    // Four blocks of rows come in again for each of the three blocks of outputs.
    EXPECT_EQ(layer.input_bytes, Bytes{3 * 64 * 32});
    EXPECT_EQ(layer.weight_bytes, Bytes{32 * 48 + 4 * 48});
    expect_right(graph, chip, mapping);
}

TEST(Mapper, LoadsAnInputThatBranchesOnce) {
    GraphMaker maker;
    const TensorId input = maker.input({1, 8, 8, 8}, Format::int8);
    const TensorId left = maker.conv(input, 8, {3, 3, 1, 1, 1, 1});
    const TensorId right = maker.conv(input, 8, {1, 1, 1, 0, 1, 1});
    maker.add(left, right);
    const Graph graph = maker.finish();
    const auto chip = systolic_chip(8, 8, Dataflow::weight_stationary, 256, 64_KiB);
    const Mapping mapping = map_graph(graph, chip);
    EXPECT_EQ(mapping.layers[0].input_bytes, Bytes{8 * 8 * 8});
    EXPECT_EQ(mapping.layers[1].input_bytes, Bytes{0});
    EXPECT_EQ(mapping.layers[2].input_bytes, Bytes{0});
    expect_right(graph, chip, mapping);
}

TEST(Mapper, WeightsOfTheNextLayerDoNotWaitForThisOne) {
    GraphMaker maker;
    TensorId at = maker.input({4, 64}, Format::int8);
    at = maker.dense(at, 64);
    maker.dense(at, 64);
    const auto chip = systolic_chip(16, 16, Dataflow::weight_stationary, 512, 1_MiB);
    const Mapping mapping = map_graph(maker.finish(), chip);
    std::vector<const models::Instruction*> loads;
    for (const auto& instruction : mapping.programs[0].queue(Queue::load)) {
        if (instruction.layer == 1) {
            loads.push_back(&instruction);
        }
    }
    ASSERT_EQ(loads.size(), 16U + 4U);  // weights, and the bias of each column tile
    for (const auto* load : loads) {
        for (const models::Wait& wait : load->waits) {
            // At most for the weights of the first layer whose place they take.
            EXPECT_EQ(wait.milestone, models::Milestone::preloaded);
        }
    }
}

TEST(Mapper, SplitsALayerOverCoresByWhatMovesFewerBytes) {
    auto chip = systolic_chip(16, 16, Dataflow::weight_stationary, 512, 256_KiB);
    chip.cores = 4;
    // Many rows, few weights: each core loads all the weights rather than all the rows.
    const Graph tall = one_dense(1024, 32, 32);
    const Mapping by_rows = map_graph(tall, chip);
    EXPECT_EQ(by_rows.layers[0].split, "rows");
    EXPECT_EQ(by_rows.layers[0].cores, 4);
    EXPECT_EQ(by_rows.layers[0].input_bytes, Bytes{1024 * 32});
    EXPECT_EQ(by_rows.layers[0].weight_bytes, Bytes{4 * (32 * 32 + 4 * 32)});
    expect_right(tall, chip, by_rows);
    const Graph wide = one_dense(4, 512, 64);
    const Mapping by_outputs = map_graph(wide, chip);
    EXPECT_EQ(by_outputs.layers[0].split, "outputs");
    EXPECT_EQ(by_outputs.layers[0].input_bytes, Bytes{4 * (4 * 64)});
    EXPECT_EQ(by_outputs.layers[0].weight_bytes, Bytes{64 * 512 + 4 * 512});
    expect_right(wide, chip, by_outputs);
}

TEST(Mapper, CoresWithoutWorkHaveNone) {
    auto chip = systolic_chip(16, 16, Dataflow::weight_stationary, 512, 64_KiB);
    chip.cores = 4;
    const Graph graph = one_dense(1, 3, 32);
    const Mapping mapping = map_graph(graph, chip);
    EXPECT_LT(mapping.layers[0].cores, 4);
    for (const auto& queue : mapping.programs[3].queues) {
        EXPECT_TRUE(queue.empty());
    }
    expect_right(graph, chip, mapping);
}

TEST(Mapper, CoresExchangeTensorsThroughTheSharedSram) {
    GraphMaker maker;
    TensorId at = maker.input({64, 64}, Format::int8);
    at = maker.dense(at, 64);
    maker.dense(at, 64);
    const Graph graph = maker.finish();
    auto chip = systolic_chip(16, 16, Dataflow::weight_stationary, 512, 64_KiB);
    chip.cores = 2;
    chip.shared_sram.emplace();
    chip.shared_sram->size = Bytes{64 * 64};
    const Mapping mapping = map_graph(graph, chip);
    EXPECT_EQ(mapping.placements[static_cast<std::size_t>(at)].home, Placement::Home::shared);
    EXPECT_EQ(mapping.shared_used, Bytes{64 * 64});
    EXPECT_EQ(mapping.layers[0].output_bytes, Bytes{0});
    EXPECT_TRUE(mapping.layers[1].input_on_chip);
    expect_right(graph, chip, mapping);
    chip.shared_sram->size = Bytes{64 * 64 - 1};
    EXPECT_EQ(map_graph(graph, chip).placements[static_cast<std::size_t>(at)].home,
              Placement::Home::dram);
}

// 64 groups of one channel on 16×16: packed, nine taps of 16 groups; alone, one fold per group.
TEST(Mapper, PacksTheGroupsOfADepthwiseConvolution) {
    GraphMaker maker;
    maker.conv(maker.input({1, 10, 10, 64}, Format::int8), 64, {3, 3, 1, 1, 1, 64});
    const Graph graph = maker.finish();
    const auto chip = systolic_chip(16, 16, Dataflow::weight_stationary, 512, 64_KiB);
    const Mapping mapping = map_graph(graph, chip);
    EXPECT_EQ(mapping.layers[0].group_pack, 16);
    EXPECT_EQ(mapping.layers[0].tiles, 9 * 64 / 16);
    EXPECT_EQ(mapping.layers[0].input_bytes, Bytes{10 * 10 * 64});
    EXPECT_EQ(mapping.layers[0].weight_bytes, Bytes{9 * 64 + 4 * 64});
    expect_right(graph, chip, mapping);
}

TEST(Mapper, RawSumsLeavePastTheVectorUnit) {
    for (const auto dataflow :
         {Dataflow::weight_stationary, Dataflow::input_stationary, Dataflow::output_stationary}) {
        const Graph graph = one_dense(10, 20, 30, {.raw = true});
        const auto chip = systolic_chip(8, 8, dataflow, 64, 64_KiB);
        const Mapping mapping = map_graph(graph, chip);
        EXPECT_TRUE(mapping.programs[0].queue(Queue::vector).empty());
        EXPECT_EQ(mapping.layers[0].output_bytes, Bytes{4 * 10 * 20});
        for (const auto* store : works<models::Store>(mapping.programs[0], Queue::store)) {
            EXPECT_TRUE(store->sums.has_value());
            EXPECT_EQ(store->transposed, dataflow == Dataflow::input_stationary);
        }
        expect_right(graph, chip, mapping);
    }
}

TEST(Mapper, ActivationsTakeOverMemoryThatNobodyReadsAnyMore) {
    GraphMaker maker;
    TensorId at = maker.input({64, 64}, Format::int8);
    for (int i = 0; i < 6; ++i) {
        at = maker.dense(at, 64, {.bias = false});
        MappingRequest request;
        request.keep_output = false;
        maker.last().mapping = request;
    }
    const auto chip = systolic_chip(16, 16, Dataflow::weight_stationary, 512, 64_KiB);
    // Input, output, six weights, and two places that five activations take in turn.
    EXPECT_EQ(map_graph(maker.finish(), chip).dram_used, Bytes{(2 + 6 + 2) * 64 * 64});
}

}  // namespace
}  // namespace systole::test
