// The socket of matrix units, and what is a defect of the program that one is given.

#include "models/matrix_unit/matrix_unit.hpp"

#include "models/base/node.hpp"
#include "models/base/schema.hpp"
#include "tests/models/matrix_unit/dense.hpp"

#include <gtest/gtest.h>

#include <string>

namespace systole::test {
namespace {

using namespace models;

class Defects : public testing::TestWithParam<Fidelity> {
protected:
    void expect_defect(const std::vector<Issue>& program, const std::string& what,
                       std::int64_t buffers = 2) {
        const SystolicConfig config{.rows = 4,
                                    .cols = 4,
                                    .weight_buffers = buffers,
                                    .accumulators = 8,
                                    .formats = {Format::int8}};
        try {
            run(array_rig(config, view), GetParam(), program);
            FAIL() << "expected: " << what;
        } catch (const InternalError& error) {
            EXPECT_NE(std::string{error.what()}.find(what), std::string::npos) << error.what();
        }
    }

    const ConvView view = dense_view(16, 16, 16);
    const Operand weights = right(view, 0, 4, 0, 4);
    const Operand rows = left(view, 0, 4, 0, 4);
};

TEST_P(Defects, TwoPreloadsWithoutAStream) {
    expect_defect({preload(weights), preload(weights)}, "no Stream has used");
    expect_defect({preload(weights), preload(weights)}, "no Stream has used", 1);
}

TEST_P(Defects, AStreamOnNothing) {
    expect_defect({stream(rows, weights, true)}, "was not preloaded");
    expect_defect({stream(rows, weights, false)}, "does not hold");
}

// With one buffer the Preload has overwritten what the Stream wants to go on with.
TEST_P(Defects, AStreamOnATileThatIsGone) {
    const std::vector<Issue> program{preload(weights), stream(rows, weights, true),
                                     preload(weights), stream(rows, weights, false)};
    expect_defect(program, "does not hold", 1);
}

TEST_P(Defects, TilesThatDoNotFit) {
    expect_defect({preload(right(view, 0, 5, 0, 4))}, "wider than the array");
    expect_defect({preload(right(view, 0, 4, 0, 5))}, "deeper than the array");
    expect_defect({preload(weights), stream(left(view, 0, 9, 0, 4), weights, true)},
                  "more rows than there are accumulators");
    expect_defect({preload(weights), stream(left(view, 0, 4, 0, 3), weights, true)},
                  "differ in depth");
}

TEST_P(Defects, AFormatThatTheUnitDoesNotHave) {
    const SystolicConfig config{.rows = 4, .cols = 4, .accumulators = 8, .formats = {Format::int8}};
    const auto bf16 = dense_view(4, 4, 4, Format::bf16);
    EXPECT_THROW(run(array_rig(config, bf16), GetParam(), {preload(right(bf16, 0, 4, 0, 4))}),
                 InternalError);
}

TEST_P(Defects, APreloadForSumsThatStay) {
    const SystolicConfig config{.rows = 4,
                                .cols = 4,
                                .dataflow = Dataflow::output_stationary,
                                .weight_buffers = 1,
                                .accumulators = 8,
                                .formats = {Format::int8}};
    EXPECT_THROW(run(array_rig(config, view), GetParam(), {preload(weights)}), InternalError);
}

INSTANTIATE_TEST_SUITE_P(Fidelities, Defects, testing::Values(Fidelity::fast, Fidelity::cycle));

/// Reads a section of keys and words; gives the faults, one a line.
template <class C>
std::string faults_of(const std::vector<std::pair<std::string, Node>>& entries, C& config) {
    Node node = Node::map();
    for (const auto& [key, value] : entries) {
        node.add(key, value);
    }
    ReadContext context;
    config = read<C>(node, context);
    std::string faults;
    for (const Fault& fault : context.faults) {
        faults += fault.what + '\n';
    }
    return faults;
}

Node words(const std::vector<std::string>& all) {
    std::vector<Node> nodes;
    for (const auto& word : all) {
        nodes.push_back(Node::scalar(word));
    }
    return Node::list(nodes);
}

TEST(MatrixConfig, IsReadWithDefaults) {
    SystolicConfig config;
    EXPECT_EQ(faults_of({{"rows", Node::scalar("8")},
                         {"cols", Node::scalar("4")},
                         {"accumulators", Node::scalar("16")},
                         {"formats", words({"bf16", "int8"})}},
                        config),
              "");
    EXPECT_EQ(config.rows, 8);
    EXPECT_EQ(config.dataflow, Dataflow::weight_stationary);
    EXPECT_EQ(config.weight_buffers, 2);
    EXPECT_EQ(config.edge_tiles, EdgeTiles::full);
    EXPECT_EQ(config.formats, (std::vector{Format::bf16, Format::int8}));
}

TEST(MatrixConfig, RefusesWhatCannotBeBuilt) {
    SystolicConfig config;
    const auto with = [&](const std::string& key, const Node& value) {
        std::vector<std::pair<std::string, Node>> entries{{"rows", Node::scalar("8")},
                                                          {"cols", Node::scalar("4")},
                                                          {"accumulators", Node::scalar("16")},
                                                          {"formats", words({"int8"})}};
        std::erase_if(entries, [&](const auto& entry) { return entry.first == key; });
        entries.emplace_back(key, value);
        return faults_of(entries, config);
    };
    const auto mentions = [](const std::string& faults, const std::string& what) {
        return faults.find(what) != std::string::npos ? testing::AssertionSuccess()
                                                      : testing::AssertionFailure() << faults;
    };
    EXPECT_TRUE(mentions(with("rows", Node::scalar("0")), "from 1 to 65536"));
    EXPECT_TRUE(mentions(with("cols", Node::scalar("65537")), "from 1 to 65536"));
    EXPECT_TRUE(mentions(with("weight_buffers", Node::scalar("3")), "from 1 to 2"));
    EXPECT_TRUE(mentions(with("accumulators", Node::scalar("0")), "from 1"));
    EXPECT_TRUE(mentions(with("formats", words({})), "at least one format"));
    EXPECT_TRUE(mentions(with("formats", words({"int32"})), "int8, bf16, fp16, fp32"));
    EXPECT_TRUE(mentions(with("dataflow", Node::scalar("output_stationary")), "must be 1"));
    EXPECT_TRUE(mentions(with("edge_tiles", Node::scalar("none")), "none"));
}

TEST(Names, EveryEnumeratorOfAProgramHasItsOwn) {
    EXPECT_STREQ(to_string(Milestone::loaded), "loaded");
    EXPECT_STREQ(to_string(Milestone::stored), "stored");
    EXPECT_STREQ(to_string(Cause::active), "active");
    EXPECT_STREQ(to_string(Cause::weight_shift), "weight_shift");
    EXPECT_STREQ(to_string(Cause::idle), "idle");
    EXPECT_STREQ(to_string(VectorOp::softmax), "softmax");
    EXPECT_STREQ(to_string(VectorOp::quantize), "quantize");
    EXPECT_STREQ(to_string(Queue::matrix), "matrix");
}

}  // namespace
}  // namespace systole::test
