#include "sim/mapping/program_text.hpp"

#include "sim/mapping/mapper.hpp"
#include "tests/support/chips.hpp"
#include "tests/support/graph_maker.hpp"

#include <gtest/gtest.h>

namespace systole::test {
namespace {

using namespace literals;

std::vector<models::Program> some_programs() {
    GraphMaker maker;
    TensorId at = maker.input({1, 9, 9, 8}, Format::int8);
    at = maker.conv(at, 20, {3, 3, 1, 1, 1, 1});
    at = maker.pool(at, {2, 2, 2, 0, 1, 1});
    maker.dense(at, 12, {.raw = true});
    auto chip = systolic_chip(8, 8, models::Dataflow::weight_stationary, 24, 4_KiB);
    chip.cores = 2;
    auto programs = map_graph(maker.finish(), chip).programs;
    for (auto& instruction : programs[0].queue(models::Queue::vector)) {
        std::get<models::Vector>(instruction.work).steps.front().parameter = 0.1;
    }
    return programs;
}

TEST(ProgramText, ReadsBackWhatItWrote) {
    const auto programs = some_programs();
    const std::string text = write_programs(programs);
    const auto again = read_programs(text, "program.txt");
    EXPECT_EQ(write_programs(again), text);
    ASSERT_EQ(again.size(), programs.size());
    for (std::size_t core = 0; core < programs.size(); ++core) {
        EXPECT_EQ(again[core].views.size(), programs[core].views.size());
        for (std::size_t q = 0; q < programs[core].queues.size(); ++q) {
            ASSERT_EQ(again[core].queues[q].size(), programs[core].queues[q].size());
            for (std::size_t i = 0; i < programs[core].queues[q].size(); ++i) {
                const auto& a = programs[core].queues[q][i];
                const auto& b = again[core].queues[q][i];
                EXPECT_EQ(a.work.index(), b.work.index());
                EXPECT_EQ(a.waits.size(), b.waits.size());
                if (const auto* vector = std::get_if<models::Vector>(&a.work)) {
                    EXPECT_EQ(vector->steps.front().parameter,
                              std::get<models::Vector>(b.work).steps.front().parameter);
                }
            }
        }
    }
}

TEST(ProgramText, WritesEveryField) {
    models::Program program;
    models::Instruction load;
    load.layer = 3;
    load.work = models::Load{{{models::Space::shared, 1}, 2, 3, 4, 5, 6}};
    load.waits.push_back({1, models::Milestone::stored, 7, models::Cause::input_wait});
    program.queue(models::Queue::load).push_back(load);
    EXPECT_EQ(write_programs({program}),
              "core 0\n"
              "load layer=3 view=-1 space=shared offset=1 local=2 runs=3 run=4 memory_stride=5 "
              "local_stride=6 wait0.core=1 wait0.milestone=stored wait0.count=7 "
              "wait0.cause=input_wait\n");
}

std::string fault_of(const std::string& text) {
    try {
        static_cast<void>(read_programs(text, "p.txt"));
        return {};
    } catch (const InputError& error) {
        return error.what();
    }
}

TEST(ProgramText, NamesTheLineThatIsWrong) {
    EXPECT_EQ(fault_of("core 1\n"), "p.txt:1:1: error: 'core 1' does not follow\n  hint: core 0\n");
    EXPECT_EQ(fault_of("load layer=0\n"),
              "p.txt:1:1: error: an instruction before the first core\n"
              "  hint: begin with 'core 0'\n");
    EXPECT_EQ(fault_of("core 0\n\n# nothing\nload layer=x view=-1\n"),
              "p.txt:4:1: error: layer: 'x' is not a number in range\n");
    EXPECT_EQ(fault_of("core 0\npreload layer=0 view=0 north.kind=imagine\n"),
              "p.txt:2:1: error: north.kind: unknown word 'imagine'\n"
              "  hint: one of image, weights\n");
    EXPECT_EQ(fault_of("core 0\nload layer=0 view=-1 layer=1\n"),
              "p.txt:2:1: error: 'layer' is given twice\n");
    EXPECT_EQ(fault_of("core 0\nload layer\n"),
              "p.txt:2:1: error: 'layer' is no field\n  hint: write name=value\n");
    EXPECT_EQ(fault_of("core 0\njump layer=0\n"),
              "p.txt:2:1: error: unknown instruction 'jump'\n"
              "  hint: one of core, view, load, preload, stream, vector, store\n");
    const std::string load =
        "load layer=0 view=-1 space=dram offset=0 local=0 runs=1 run=1 memory_stride=1 "
        "local_stride=1";
    EXPECT_EQ(fault_of("core 0\n" + load + "\n"), "");
    EXPECT_EQ(fault_of("core 0\n" + load + " colour=1\n"),
              "p.txt:2:1: error: 'colour' is not a field of 'load'\n");
}

}  // namespace
}  // namespace systole::test
