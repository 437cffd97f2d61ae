#include "models/vector_unit/vector_unit.hpp"

#include "models/numerics/convert.hpp"
#include "models/sram/sram.hpp"
#include "models/vector_unit/lane_work.hpp"
#include "models/vector_unit/vector_cost.hpp"
#include "tests/support/systemc.hpp"

#include <algorithm>
#include <memory>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace systole::models {
namespace {

using namespace systole::literals;

/// Stands for the sequencer: hands over each instruction as soon as its release has come and the
/// latch is free.
class Feeder : public sc_core::sc_module {
public:
    struct Item {
        Cycles release;
        Instruction instruction;
    };

    Feeder(const sc_core::sc_module_name& name, const SramConfig& sram,
           const VectorUnitConfig& config, std::vector<Item> items, std::vector<ConvView> views,
           bool values)
        : sc_module{name},
          scratchpad{sram, values},
          accumulators{64, 64, values},
          items_{std::move(items)} {
        program_.views = std::move(views);
        context_.program = &program_;
        context_.counters = &counters;
        context_.scratchpad = &scratchpad;
        context_.accumulators = &accumulators;
        context_.values = values;
        context_.control = &control_;
        context_.reached = [this](Milestone milestone) {
            EXPECT_EQ(milestone, Milestone::computed);
            computed.push_back(present_cycle());
        };
        context_.accepts_again = [this] { again_.notify(sc_core::SC_ZERO_TIME); };
        unit = std::make_unique<VectorUnit>("unit", context_, config);
        SC_HAS_PROCESS(Feeder);
        SC_METHOD(feed);
        sensitive << again_;
    }

    Sram scratchpad;
    Accumulators accumulators;
    std::vector<Counters> counters = std::vector<Counters>(1);
    std::vector<Cycles> accepted;
    std::vector<Cycles> computed;
    std::unique_ptr<VectorUnit> unit;

private:
    void feed() {
        while (next_ < items_.size() && unit->can_accept()) {
            const auto& item = items_[next_];
            if (item.release > present_cycle()) {
                unit->set_waiting(Cause::result_wait);
                again_.notify(at_cycle(item.release - present_cycle()));
                return;
            }
            ++next_;
            accepted.push_back(present_cycle());
            unit->accept(item.instruction);
        }
        if (next_ == items_.size()) {
            unit->set_waiting(Cause::idle);
        }
    }

    std::vector<Item> items_;
    std::size_t next_ = 0;
    Program program_;
    RunControl control_;
    CoreContext context_;
    sc_core::sc_event again_{"again"};
};

struct RandomInstruction {
    Vector vector;
    ConvView view;
};

RandomInstruction draw_instruction(std::mt19937& random) {
    const auto pick = [&](int low, int high) {
        return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
    };
    const auto format = [&] { return static_cast<Format>(pick(0, 4)); };
    RandomInstruction drawn;
    auto& [vector, view] = drawn;
    const std::int64_t rows = pick(1, 60);
    const std::int64_t cols = pick(1, 60);
    vector.target = {VectorTile::Place::scratchpad, 0, rows, cols, cols, format(), false};
    vector.source = vector.target;
    vector.source.format = format();
    if (pick(0, 3) == 0) {
        view.kernel_height = pick(1, 4);
        view.kernel_width = pick(1, 4);
        vector.source.rows = pick(1, 90);
        vector.steps.push_back({pick(0, 1) == 0 ? VectorOp::max_pool : VectorOp::average_pool});
    } else if (pick(0, 1) == 0) {
        vector.source.place = VectorTile::Place::accumulators;
        vector.source.transposed = pick(0, 1) == 0;
    }
    for (int i = pick(0, 4); i > 0; --i) {
        const auto op = static_cast<VectorOp>(pick(0, static_cast<int>(VectorOp::softmax)));
        vector.steps.push_back({op, 1.0, 0, cols, format()});
    }
    return drawn;
}

std::int64_t up(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

/// What the documentation of `cost_of()` says, term by term.
VectorCost by_formula(const RandomInstruction& drawn, const VectorUnitConfig& config,
                      std::int64_t width) {
    const auto& [vector, view] = drawn;
    const auto& source = vector.source;
    const auto outputs = vector.target.rows * vector.target.cols;
    VectorCost cost;
    std::int64_t compute = 0;
    std::int64_t read = 0;
    std::int64_t read_bytes = 0;
    std::int64_t sums = 0;
    const auto from_scratchpad = [&](std::int64_t bytes) {
        read += up(bytes, width);
        read_bytes += bytes;
    };
    if (source.place == VectorTile::Place::scratchpad) {
        from_scratchpad(source.rows * source.cols * numerics::bytes_of(source.format));
    } else {
        sums = source.transposed ? source.cols : source.rows;
        cost.accumulator_reads = outputs;
    }
    for (const auto& step : vector.steps) {
        const auto op = step.op;
        const auto bytes = numerics::bytes_of(step.operand_format);
        if (op == VectorOp::add || op == VectorOp::multiply) {
            from_scratchpad(outputs * bytes);
        } else if (op == VectorOp::add_columns || op == VectorOp::scale_columns) {
            from_scratchpad(vector.target.cols * bytes);
        }
        const bool pool = op == VectorOp::max_pool || op == VectorOp::average_pool;
        const auto worked = pool ? outputs * view.kernel_height * view.kernel_width : outputs;
        const auto& timing = config.operations[op];
        compute += timing.latency + up(worked, config.lanes.value_or(1)) * timing.interval;
        const auto work = lane_work(op);
        cost.multiplies += work.multiplies * outputs;
        cost.adds += work.adds * outputs + work.adds_per_tap * worked;
    }
    cost.elements = outputs;
    cost.scratchpad_reads = read;
    cost.scratchpad_read_bytes = Bytes{read_bytes};
    cost.scratchpad_write_bytes = Bytes{outputs * numerics::bytes_of(vector.target.format)};
    cost.scratchpad_writes = up(cost.scratchpad_write_bytes.count(), width);
    cost.duration =
        config.lanes
            ? Cycles{std::max({std::int64_t{1}, compute, read + sums, cost.scratchpad_writes})}
            : 0_cycles;
    return cost;
}

VectorUnitConfig draw_config(std::mt19937& random) {
    VectorUnitConfig config;
    if (random() % 5 != 0) {
        config.lanes = 1 + static_cast<std::int64_t>(random() % 300);
    }
    if (random() % 2 == 0) {
        for (int op = 0; op < vector_op_count; ++op) {
            config.operations[static_cast<VectorOp>(op)] = {
                static_cast<std::int64_t>(random() % 20),
                1 + static_cast<std::int64_t>(random() % 5)};
        }
    }
    return config;
}

Counters counted(const VectorCost& cost) {
    Counters counters;
    counters.scratchpad_reads = cost.scratchpad_reads;
    counters.scratchpad_writes = cost.scratchpad_writes;
    counters.scratchpad_read_bytes = cost.scratchpad_read_bytes.count();
    counters.scratchpad_write_bytes = cost.scratchpad_write_bytes.count();
    counters.accumulator_reads = cost.accumulator_reads;
    counters.vector_elements = cost.elements;
    counters.vector_adds = cost.adds;
    counters.vector_multiplies = cost.multiplies;
    return counters;
}

TEST(VectorCost, IsTheClosedForm) {
    for (unsigned seed = 0; seed < 2000; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        std::mt19937 random{seed};
        const auto config = draw_config(random);
        const auto drawn = draw_instruction(random);
        const std::int64_t width = std::int64_t{1} << (random() % 8);
        const auto expected = by_formula(drawn, config, width);
        const auto cost =
            cost_of(drawn.vector, &drawn.view, config, {.size = 1_KiB, .width = Bytes{width}});
        ASSERT_EQ(cost.duration, expected.duration);
        ASSERT_EQ(counted(cost), counted(expected));
    }
}

TEST(VectorCost, AnExampleByHand) {
    // 6 × 5 int32 sums, a bias, relu, to int8 over a port of 8 bytes; 4 lanes: ⌈30/4⌉ = 8 turns.
    Vector vector;
    vector.source = {VectorTile::Place::accumulators, 0, 6, 5, 0, Format::int32, false};
    vector.target = {VectorTile::Place::scratchpad, 0, 6, 5, 5, Format::int8, false};
    vector.steps = {{VectorOp::add_columns, 1, 0, 0, Format::fp32}, {VectorOp::relu}};
    VectorUnitConfig config;
    config.lanes = 4;
    const SramConfig sram{.size = 1_KiB, .width = 8_B};
    EXPECT_EQ(cost_of(vector, nullptr, config, sram).duration, Cycles{4 + 8 + 4 + 8});
    config.lanes = 1000;
    config.operations.add_columns = config.operations.relu = {0, 1};
    EXPECT_EQ(cost_of(vector, nullptr, config, sram).duration, Cycles{6 + 3});  // 6 rows, 20 bytes
    vector.source.transposed = true;
    EXPECT_EQ(cost_of(vector, nullptr, config, sram).duration, Cycles{5 + 3});
    vector.target.format = Format::fp32;
    EXPECT_EQ(cost_of(vector, nullptr, config, sram).duration, Cycles{15});  // 120 bytes out
    config.lanes.reset();
    EXPECT_EQ(cost_of(vector, nullptr, config, sram).duration, 0_cycles);
}

/// Sums by hand of what lane_work.hpp lists.
TEST(LaneWork, IsTheSumOfItsParts) {
    const auto is = [](VectorOp op, std::int64_t multiplies, std::int64_t adds,
                       std::int64_t operations) {
        const auto work = lane_work(op);
        EXPECT_EQ(work.multiplies, multiplies);
        EXPECT_EQ(work.adds, adds);
        EXPECT_EQ(work.operations, operations);
        const auto timing = OperationTimings{}[op];
        EXPECT_EQ(timing, (OperationTiming{4 * operations, operations}));
    };
    is(VectorOp::sigmoid, 13, 13, 14);
    is(VectorOp::silu, 14, 13, 15);
    is(VectorOp::tanh, 15, 14, 16);
    is(VectorOp::gelu, 24, 19, 24);
    is(VectorOp::softmax, 14, 15, 17);
    is(VectorOp::quantize, 1, 1, 2);
    is(VectorOp::relu6, 0, 2, 2);
    is(VectorOp::average_pool, 5, 4, 1);
    EXPECT_EQ(lane_work(VectorOp::average_pool).adds_per_tap, 1);
}

class VectorUnitRun : public test::SystemCTest {};

struct RandomRun {
    SramConfig sram{.size = 1_KiB, .width = 16_B};
    VectorUnitConfig config;
    std::vector<Feeder::Item> items;
    std::vector<ConvView> views;
    std::vector<Cycles> durations;
    Counters counters;
};

RandomRun draw_run(unsigned seed) {
    std::mt19937 random{seed};
    RandomRun run;
    run.config = draw_config(random);
    Cycles release;
    for (auto n = random() % 8; n > 0; --n) {
        const auto drawn = draw_instruction(random);
        release += Cycles{static_cast<std::int64_t>(random() % 3 * (random() % 400))};
        run.items.push_back({release, {0, static_cast<int>(run.views.size()), {}, drawn.vector}});
        run.views.push_back(drawn.view);
        const auto cost = by_formula(drawn, run.config, 16);
        run.durations.push_back(cost.duration);
        const auto more = counted(cost);
        run.counters.scratchpad_reads += more.scratchpad_reads;
        run.counters.scratchpad_writes += more.scratchpad_writes;
        run.counters.scratchpad_read_bytes += more.scratchpad_read_bytes;
        run.counters.scratchpad_write_bytes += more.scratchpad_write_bytes;
        run.counters.accumulator_reads += more.accumulator_reads;
        run.counters.vector_elements += more.vector_elements;
        run.counters.vector_adds += more.vector_adds;
        run.counters.vector_multiplies += more.vector_multiplies;
    }
    return run;
}

class RandomVectorUnit : public VectorUnitRun, public testing::WithParamInterface<unsigned> {};

INSTANTIATE_TEST_SUITE_P(Seeds, RandomVectorUnit, testing::Range(0U, 40U));

TEST_P(RandomVectorUnit, OneInstructionWorksOneWaitsTheOthersQueue) {
    const auto run = draw_run(GetParam());
    Feeder feeder{"feeder", run.sram, run.config, run.items, run.views, false};
    sc_core::sc_start();
    ASSERT_EQ(feeder.computed.size(), run.items.size());
    ASSERT_EQ(feeder.accepted.size(), run.items.size());
    Cycles latch_free;
    Cycles unit_free;
    Cycles active;
    for (std::size_t i = 0; i < run.items.size(); ++i) {
        const Cycles latched = std::max(run.items[i].release, latch_free);
        const Cycles start = std::max(latched, unit_free);
        EXPECT_EQ(feeder.accepted[i], latched);
        EXPECT_EQ(feeder.computed[i], start + run.durations[i]);
        latch_free = start;
        unit_free = start + run.durations[i];
        active += run.durations[i];
    }
    feeder.unit->settle();
    EXPECT_TRUE(feeder.unit->idle());
    EXPECT_EQ(feeder.counters[0], run.counters);
    const auto& ledger = feeder.unit->ledger();
    EXPECT_EQ(ledger.spent(Cause::active), active);
    EXPECT_EQ(ledger.total(), present_cycle());
    EXPECT_EQ(ledger.spent(Cause::active) + ledger.spent(Cause::result_wait), ledger.total());
}

TEST_F(VectorUnitRun, WritesItsTargetAtTheEndAndTakesTheSameTimeWithValues) {
    Vector vector;
    vector.source = {VectorTile::Place::scratchpad, 0, 1, 2, 2, Format::fp32, false};
    vector.steps = {{VectorOp::scale, 3}};
    vector.target = {VectorTile::Place::scratchpad, 64, 1, 2, 2, Format::fp32, false};
    VectorUnitConfig config;
    config.lanes = 2;
    Feeder feeder{"feeder", {.size = 1_KiB, .width = 16_B},
                  config,   {{0_cycles, {0, -1, {}, vector}}},
                  {},       true};
    const std::vector<float> in{1.5F, -2.0F};
    numerics::store(Format::fp32, std::span<const float>{in}, feeder.scratchpad.bytes(0, 8));
    std::vector<float> out(2, 7);
    const auto read = [&] { numerics::load(Format::fp32, feeder.scratchpad.bytes(64, 8), out); };
    sc_core::sc_start(at_cycle(4_cycles));
    read();
    EXPECT_EQ(out, (std::vector<float>{0, 0}));
    sc_core::sc_start();
    read();
    EXPECT_EQ(out, (std::vector<float>{4.5F, -6.0F}));
    EXPECT_EQ(feeder.computed, (std::vector<Cycles>{5_cycles}));  // latency 4, one turn
}

TEST_F(VectorUnitRun, WithoutLimitWorkEndsInTheCycleInWhichItBegins) {
    Vector vector;
    vector.source =
        vector.target = {VectorTile::Place::scratchpad, 0, 9, 9, 9, Format::fp32, false};
    const Instruction instruction{0, -1, {}, vector};
    Feeder feeder{
        "feeder", {.size = 1_KiB},
        {},       {{0_cycles, instruction}, {0_cycles, instruction}, {7_cycles, instruction}},
        {},       true};
    sc_core::sc_start();
    EXPECT_EQ(feeder.computed, (std::vector<Cycles>{0_cycles, 0_cycles, 7_cycles}));
    feeder.unit->settle();
    EXPECT_EQ(feeder.unit->ledger().spent(Cause::active), 0_cycles);
    EXPECT_EQ(feeder.unit->ledger().spent(Cause::result_wait), 7_cycles);
}

}  // namespace
}  // namespace systole::models
