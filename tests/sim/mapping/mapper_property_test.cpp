#include "sim/mapping/mapper.hpp"
#include "tests/support/graph_maker.hpp"
#include "tests/support/program_checker.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>
#include <random>
#include <regex>
#include <set>

namespace systole::test {
namespace {

using models::Dataflow;

class Dice {
public:
    explicit Dice(std::uint64_t seed) : random_{seed} {}
    /// Uniform in [low, high].
    std::int64_t of(std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>{low, high}(random_);
    }
    bool chance(int percent) { return of(1, 100) <= percent; }
    template <class T>
    T any(const std::vector<T>& choices) {
        return choices[static_cast<std::size_t>(
            of(0, static_cast<std::int64_t>(choices.size()) - 1))];
    }

private:
    std::mt19937_64 random_;
};

models::ChipConfig random_chip(Dice& dice) {
    models::ChipConfig chip;
    chip.name = "random";
    chip.clock = Hertz{1e9};
    chip.cores = dice.any<std::int64_t>({1, 1, 2, 3, 4});
    const std::vector<Format> formats{Format::int8, Format::bf16, Format::fp32};
    if (dice.chance(15)) {
        models::SimtConfig simt;
        simt.lanes = dice.of(1, 4);
        simt.cols = dice.of(1, 8);
        simt.accumulators = dice.of(1, 16);
        simt.formats = formats;
        chip.core.matrix = simt;
    } else {
        models::SystolicConfig array;
        array.rows = dice.of(1, 8);
        array.cols = dice.of(1, 8);
        array.dataflow =
            dice.any<Dataflow>({Dataflow::weight_stationary, Dataflow::weight_stationary,
                                Dataflow::input_stationary, Dataflow::output_stationary});
        array.weight_buffers = dice.of(1, 2);
        array.edge_tiles = dice.chance(50) ? models::EdgeTiles::full : models::EdgeTiles::trimmed;
        array.accumulators = dice.of(1, 40);
        array.formats = formats;
        chip.core.matrix = array;
    }
    if (dice.chance(70)) {
        chip.core.vector.lanes = dice.of(1, 8);
    }
    chip.core.scratchpad.size =
        Bytes{dice.any<std::int64_t>({256, 512, 1024, 2048, 4096, 16384, 65536})};
    chip.core.scratchpad.width = Bytes{dice.any<std::int64_t>({1, 4, 16, 32})};
    if (dice.chance(40)) {
        chip.shared_sram.emplace();
        chip.shared_sram->size = Bytes{dice.any<std::int64_t>({128, 1024, 8192})};
    }
    if (dice.chance(50)) {
        chip.memory.model = models::MemoryModel::ideal;
    } else {
        chip.memory.bandwidth = BytesPerSecond{1e9 * static_cast<double>(dice.of(1, 32))};
    }
    return chip;
}

/// `pool`: every window holds a pixel of the image.
Window random_window(Dice& dice, const Shape& shape, bool pool) {
    Window window;
    window.dilation = dice.any<std::int64_t>({1, 1, 1, 2});
    window.stride = dice.of(1, 3);
    const auto fitting = [&](std::int64_t size) {
        return std::min(dice.of(1, 3), (size - 1) / window.dilation + 1);
    };
    window.kernel_height = fitting(shape[1]);
    window.kernel_width = fitting(shape[2]);
    window.pad = dice.of(0, 2);
    if (pool) {
        const std::int64_t kernel = std::min(window.kernel_height, window.kernel_width);
        window.pad = window.dilation > 1 ? 0 : std::min(window.pad, kernel - 1);
    }
    return window;
}

Finish random_finish(Dice& dice, Format format) {
    Finish finish;
    finish.bias = dice.chance(60);
    if (dice.chance(15)) {
        finish.format = format == Format::fp32 ? Format::bf16 : Format::fp32;
    }
    return finish;
}

void random_request(Dice& dice, Operator& op) {
    if (!dice.chance(10)) {
        return;
    }
    MappingRequest request;
    request.where = {"net.yaml", 90, 1};
    if (dice.chance(50)) {
        request.order = dice.chance(50) ? LoopOrder::rows_outer : LoopOrder::outputs_outer;
    }
    if (dice.chance(50)) {
        request.rows = dice.of(1, 20);
    }
    if (dice.chance(50)) {
        request.outputs = dice.of(1, 12);
    }
    if (dice.chance(50)) {
        request.keep_output = false;
    }
    op.mapping = request;
}

/// Appends a layer that reads `in`.
TensorId random_image_layer(Dice& dice, GraphMaker& maker, TensorId in) {
    const Shape shape = maker.graph().tensor(in).shape;
    const Format format = maker.graph().tensor(in).format;
    const Window window = random_window(dice, shape, false);
    const std::int64_t channels = shape[3];
    switch (dice.of(0, 7)) {
        case 0:
            return maker.pool(in, random_window(dice, shape, true), dice.chance(50));
        case 1:
            return maker.elementwise(in, models::VectorOp::relu);
        case 2:
            return maker.normalize(in);
        case 3: {
            Window grouped = window;
            grouped.groups = channels;
            return maker.conv(in, channels * dice.of(1, 2), grouped, random_finish(dice, format));
        }
        case 4: {
            Window grouped = window;
            grouped.groups = std::gcd(channels, dice.any<std::int64_t>({2, 3, 4}));
            return maker.conv(in, grouped.groups * dice.of(1, 6), grouped,
                              random_finish(dice, format));
        }
        default:
            return maker.conv(in, dice.of(1, 20), window, random_finish(dice, format));
    }
}

Graph random_graph(Dice& dice) {
    GraphMaker maker;
    const Format format = dice.any<Format>({Format::int8, Format::int8, Format::bf16});
    TensorId at =
        maker.input({dice.of(1, 2), dice.of(1, 9), dice.of(1, 9), dice.of(1, 12)}, format);
    std::vector<TensorId> images{at};
    for (std::int64_t i = dice.of(1, 4); i > 0; --i) {
        const Format now = maker.graph().tensor(at).format;
        if (now == Format::fp32 && dice.chance(50)) {
            break;
        }
        at = random_image_layer(dice, maker, at);
        random_request(dice, maker.last());
        for (const TensorId other : images) {
            if (maker.graph().tensor(other).shape == maker.graph().tensor(at).shape &&
                dice.chance(60)) {
                at = maker.add(at, other);
                break;
            }
        }
        images.push_back(at);
        if (dice.chance(15)) {
            maker.output(at);
        }
        if (dice.chance(20)) {
            at = dice.any(images);  // a branch
        }
    }
    for (std::int64_t i = dice.of(0, 3); i > 0; --i) {
        Finish finish = random_finish(dice, maker.graph().tensor(at).format);
        finish.raw = i == 1 && dice.chance(40);
        at = maker.dense(at, dice.of(1, 30), finish);
        random_request(dice, maker.last());
    }
    if (dice.chance(30)) {
        at = maker.elementwise(at, models::VectorOp::softmax);
    }
    return maker.finish();
}

/// Every input and weight an operator needs comes over the pins once at least, unless it stays on
/// chip; results that leave the chip leave once.
void check_traffic(const Graph& graph, const Mapping& mapping, const ProgramChecker& checker) {
    for (std::size_t i = 0; i < graph.operators.size(); ++i) {
        SCOPED_TRACE("layer " + std::to_string(i));
        const Operator& op = graph.operators[i];
        const LayerMapping& layer = mapping.layers[i];
        const auto& traffic = checker.traffic()[i];
        EXPECT_EQ(layer.input_bytes.count(), traffic.input);
        EXPECT_EQ(layer.weight_bytes.count(), traffic.weights);
        EXPECT_EQ(layer.output_bytes.count(), traffic.output);
        std::int64_t compulsory = op.weights ? graph.tensor(*op.weights).bytes() : 0;
        for (const ElementStep& step : op.steps) {
            const bool column = step.op == models::VectorOp::add_columns ||
                                step.op == models::VectorOp::scale_columns;
            compulsory += step.operand && column ? graph.tensor(*step.operand).bytes() : 0;
        }
        EXPECT_GE(layer.weight_bytes.count(), compulsory);
    }
}

/// Every wait has a name that its unit's cycles can have.
void check_causes(const Mapping& mapping) {
    using models::Cause;
    using Causes = std::set<Cause>;
    const std::array<Causes, models::queue_count> known{
        Causes{Cause::buffer_wait, Cause::input_wait},
        Causes{Cause::weight_stall, Cause::input_wait, Cause::accumulator_wait},
        Causes{Cause::result_wait, Cause::input_wait, Cause::buffer_wait},
        Causes{Cause::result_wait, Cause::buffer_wait}};
    for (const auto& program : mapping.programs) {
        for (std::size_t queue = 0; queue < known.size(); ++queue) {
            for (const auto& instruction : program.queues[queue]) {
                for (const models::Wait& wait : instruction.waits) {
                    EXPECT_EQ(known[queue].count(wait.cause), 1U)
                        << models::to_string(static_cast<models::Queue>(queue)) << " waits for "
                        << models::to_string(wait.cause);
                }
            }
        }
    }
}

/// A network is refused when the scratchpad is too small, and no less than it says.
void check_refusal(const Graph& graph, models::ChipConfig chip, const std::string& message) {
    std::smatch found;
    ASSERT_TRUE(std::regex_search(message, found, std::regex{"at least (\\d+) bytes too small"}))
        << message;
    chip.core.scratchpad.size += Bytes{std::stoll(found[1]) - 1};
    EXPECT_THROW(static_cast<void>(map_graph(graph, chip)), InputError) << message;
}

int cases() {
    const char* asked = std::getenv("SYSTOLE_MAPPER_CASES");
    return asked == nullptr ? 1500 : std::atoi(asked);
}

TEST(Mapper, ProgramsAreCompleteAndFreeOfRacesOnRandomNetworks) {
    int mapped = 0;
    int refused = 0;
    const char* only = std::getenv("SYSTOLE_MAPPER_SEED");
    const int first = only == nullptr ? 1 : std::atoi(only);
    const int last = only == nullptr ? cases() : first;
    for (int seed = first; seed <= last; ++seed) {
        SCOPED_TRACE("SYSTOLE_MAPPER_SEED=" + std::to_string(seed));
        Dice dice{static_cast<std::uint64_t>(seed)};
        const models::ChipConfig chip = random_chip(dice);
        const Graph graph = random_graph(dice);
        Mapping mapping;
        try {
            mapping = map_graph(graph, chip);
        } catch (const InputError& error) {
            ++refused;
            check_refusal(graph, chip, error.what());
            if (testing::Test::HasFailure()) {
                return;
            }
            continue;
        }
        ++mapped;
        ProgramChecker checker{graph, chip, mapping, static_cast<std::uint64_t>(seed)};
        const auto faults = checker.run();
        for (const std::string& fault : faults) {
            ADD_FAILURE() << fault;
        }
        check_causes(mapping);
        if (faults.empty()) {
            check_traffic(graph, mapping, checker);
        }
        if (testing::Test::HasFailure()) {
            return;
        }
    }
    if (only == nullptr) {
        EXPECT_GT(mapped, 9 * refused) << "most random networks should fit";
    }
}

}  // namespace
}  // namespace systole::test
