#include "models/vector_unit/vector_config.hpp"

#include "models/base/schema.hpp"
#include "models/vector_unit/lane_work.hpp"

#include <array>
#include <string>

namespace systole {

using models::Lanes;

template <>
std::optional<Wrong> PlainScalar<Lanes>::parse(const Node& node, const ReadContext& context,
                                               Lanes& value) {
    if (node.plain && node.text == "unlimited") {
        value.reset();
        return std::nullopt;
    }
    std::int64_t count = 0;
    if (auto wrong = Scalar<std::int64_t>::parse(node, context, count)) {
        wrong->hint += (wrong->hint.empty() ? "" : "; ") + std::string{
                                                               "write a number of lanes, "
                                                               "or unlimited"};
        return wrong;
    }
    if (count < 1) {
        return Wrong{"'" + node.text + "' is too small, it must be at least 1",
                     "for a unit that takes no time write unlimited"};
    }
    value = count;
    return std::nullopt;
}

template <>
Node PlainScalar<Lanes>::write(const Lanes& value) {
    return Node::scalar(value ? std::to_string(*value) : "unlimited");
}

template <>
Type PlainScalar<Lanes>::type() {
    Type type{.kind = Type::Kind::integer, .name = "integer or unlimited"};
    type.minimum = "1";
    type.words.push_back({0, "unlimited", "the unit takes no time"});
    return type;
}

}  // namespace systole

namespace systole::models {
namespace {

struct Row {
    VectorOp op;
    const char* word;
    OperationTiming OperationTimings::*timing;
    const char* doc;
};

using T = OperationTimings;
constexpr std::array<Row, vector_op_count> rows{{
    {VectorOp::copy, "copy", &T::copy, "a conversion to the format of the result alone"},
    {VectorOp::scale, "scale", &T::scale, "multiplication by a constant"},
    {VectorOp::scale_columns, "scale_columns", &T::scale_columns,
     "multiplication by a number of the column"},
    {VectorOp::add_columns, "add_columns", &T::add_columns,
     "bias: a number of the column is added"},
    {VectorOp::add, "add", &T::add, "sum of two tensors"},
    {VectorOp::multiply, "multiply", &T::multiply, "product of two tensors, element by element"},
    {VectorOp::relu, "relu", &T::relu, "max(x, 0)"},
    {VectorOp::relu6, "relu6", &T::relu6, "min(max(x, 0), 6)"},
    {VectorOp::sigmoid, "sigmoid", &T::sigmoid, "1/(1 + exp(-x))"},
    {VectorOp::tanh, "tanh", &T::tanh, "hyperbolic tangent"},
    {VectorOp::gelu, "gelu", &T::gelu, "x times the normal distribution function of x"},
    {VectorOp::silu, "silu", &T::silu, "x/(1 + exp(-x))"},
    {VectorOp::softmax, "softmax", &T::softmax, "all passes over a row together"},
    {VectorOp::max_pool, "max_pool", &T::max_pool, "for each element of the window"},
    {VectorOp::average_pool, "average_pool", &T::average_pool, "for each element of the window"},
    {VectorOp::quantize, "quantize", &T::quantize, "scaling, rounding and saturation"},
}};

constexpr bool rows_are_in_order() {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (static_cast<std::size_t>(rows[i].op) != i) {
            return false;
        }
    }
    return true;
}
static_assert(rows_are_in_order(), "a row is found by the number of its operation");

}  // namespace

OperationTiming& OperationTimings::operator[](VectorOp op) {
    return this->*rows[static_cast<std::size_t>(op)].timing;
}

const OperationTiming& OperationTimings::operator[](VectorOp op) const {
    return this->*rows[static_cast<std::size_t>(op)].timing;
}

OperationTimings::OperationTimings() {
    constexpr std::int64_t stages = 4;
    for (const auto& row : rows) {
        const auto operations = lane_work(row.op).operations;
        this->*row.timing = {stages * operations, operations};
    }
}

void describe(Schema<OperationTiming>& schema) {
    using C = OperationTiming;
    constexpr std::int64_t most = 1'000'000;
    schema.field("latency", &C::latency, "cycles that an instruction takes once").range(0, most);
    schema.field("interval", &C::interval, "cycles of a lane for each element").range(0, most);
}

void describe(Schema<OperationTimings>& schema) {
    for (const auto& row : rows) {
        schema.section(row.word, row.timing, row.doc);
    }
}

void describe(Schema<VectorUnitConfig>& schema) {
    using C = VectorUnitConfig;
    schema.field("lanes", &C::lanes, "elements worked on at once; unlimited: without taking time")
        .required();
    schema.section("operations", &C::operations, "cycles of each operation");
}

}  // namespace systole::models
