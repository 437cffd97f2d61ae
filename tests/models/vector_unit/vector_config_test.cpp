#include "models/vector_unit/vector_config.hpp"

#include "models/base/schema.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace systole::models {
namespace {

Node section(Node lanes) {
    Node node = Node::map();
    node.add("lanes", std::move(lanes));
    return node;
}

std::string fault_of(const Node& node) {
    ReadContext context;
    static_cast<void>(read<VectorUnitConfig>(node, context));
    return context.faults.empty() ? "" : context.faults.front().what;
}

TEST(VectorUnitConfig, LanesAreANumberOrUnlimited) {
    EXPECT_EQ(read<VectorUnitConfig>(section(Node::scalar("256"))).lanes, Lanes{256});
    EXPECT_FALSE(read<VectorUnitConfig>(section(Node::scalar("unlimited"))).lanes);
    EXPECT_EQ(fault_of(section(Node::scalar("0"))),
              "'lanes': '0' is too small, it must be at least 1");
    EXPECT_EQ(fault_of(section(Node::scalar("-4"))),
              "'lanes': '-4' is too small, it must be at least 1");
    EXPECT_EQ(fault_of(section(Node::scalar("none"))), "'lanes': 'none' is not an integer");
    EXPECT_NE(fault_of(section(Node::quoted("unlimited"))), "");
    EXPECT_NE(fault_of(section(Node::scalar("99999999999999999999"))), "");
    EXPECT_NE(fault_of(Node::map()).find("missing key 'lanes'"), std::string::npos);
}

TEST(VectorUnitConfig, AnOperationKeepsWhatIsNotSaid) {
    Node gelu = Node::map();
    gelu.add("interval", Node::scalar("3"));
    Node operations = Node::map();
    operations.add("gelu", gelu);
    Node node = section(Node::scalar("8"));
    node.add("operations", operations);
    const auto config = read<VectorUnitConfig>(node);
    EXPECT_EQ(config.operations.gelu.interval, 3);
    EXPECT_EQ(config.operations[VectorOp::gelu].latency, OperationTimings{}.gelu.latency);
    auto expected = OperationTimings{};
    expected.gelu.interval = 3;
    EXPECT_EQ(config.operations, expected);

    operations.add("swish", gelu);
    node = section(Node::scalar("8"));
    node.add("operations", operations);
    EXPECT_EQ(fault_of(node), "unknown key 'swish'");
}

TEST(VectorUnitConfig, WritesWhatItReads) {
    VectorUnitConfig config;
    for (const Lanes lanes : {Lanes{}, Lanes{1}, Lanes{4096}}) {
        config.lanes = lanes;
        config.operations.softmax = {100, 20};
        const auto again = read<VectorUnitConfig>(to_node(config));
        EXPECT_EQ(again.lanes, config.lanes);
        EXPECT_EQ(again.operations, config.operations);
    }
}

}  // namespace
}  // namespace systole::models
