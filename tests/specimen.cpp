#include "tests/specimen.hpp"

namespace systole::test {
namespace {

template <class C>
void describe_name(Schema<C>& schema) {
    schema.location(&C::where);
    schema.field("name", &C::name, "what the report calls it");
}

}  // namespace

void describe(Schema<Scratch>& schema) {
    using C = Scratch;
    schema.location(&C::where);
    schema.field("size", &C::size, "capacity of all banks").required().at_least(Bytes{1});
    schema.field("banks", &C::banks, "banks that serve one access a cycle each")
        .range(1, 1024)
        .location(&C::banks_at)
        .check([](int banks) { return (banks & (banks - 1)) == 0; }, "must be a power of two")
        .check([](const C& c) { return c.banks != 0 && c.size.count() % c.banks == 0; },
               "must divide size");
    schema.field("latency", &C::latency, "from request to data");
}

void describe(Schema<Systolic>& schema) {
    using C = Systolic;
    schema.field("rows", &C::rows, "the reduction").required().range(1, 65'536);
    schema.field("cols", &C::cols, "outputs").at_least(1);
    schema.field("dataflow", &C::dataflow, "what stays in the array");
}

void describe(Schema<Simt>& schema) {
    schema.field("lanes", &Simt::lanes, "multipliers").at_least(1);
    schema.field("fused", &Simt::fused, "one rounding a multiply-add");
}

void describe(Schema<Memory>& schema) {
    using C = Memory;
    schema.field("bandwidth", &C::bandwidth, "peak").required();
    schema.field("latency", &C::latency, "of the first byte");
    schema.field("energy", &C::energy, "of one byte");
}

void describe(Schema<Core>& schema) {
    schema
        .choice("matrix", &Core::matrix, "the matrix unit", "kind",
                alternative<Systolic>("systolic", "an array"), alternative<Simt>("simt", "lanes"))
        .required();
    schema.section("scratchpad", &Core::scratchpad, "on-chip buffer");
}

void describe(Schema<Dense>& schema) {
    describe_name(schema);
    schema.field("units", &Dense::units, "outputs").required().at_least(1);
    schema.field("weights", &Dense::weights, "a row for each output").at_most(1e6);
}

void describe(Schema<Conv>& schema) {
    describe_name(schema);
    schema.field("kernel", &Conv::kernel, "height and width")
        .or_one()
        .at_least(1)
        .check(
            [](const std::vector<int>& kernel) { return kernel.size() == 1 || kernel.size() == 2; },
            "must have one or two items");
}

void describe(Schema<Activation>& schema) {
    describe_name(schema);
}

void describe(Schema<Repeat>& schema) {
    schema.field("times", &Repeat::times, "how often").required().range(0, 1000);
    schema.list("layers", &Repeat::layers, "what is repeated").required();
}

void describe(Schema<Layer>& schema) {
    schema.location(&Layer::where);
    schema.tagged(
        &Layer::op, alternative<Dense>("dense", "fully connected"),
        alternative<Conv>("conv", "convolution"),
        alternative<Activation>("relu", "max(x, 0)", &Activation::function, Function::relu),
        alternative<Activation>("gelu", "smooth", &Activation::function, Function::gelu),
        alternative<Repeat>("repeat", "layers several times"));
}

void describe(Schema<Machine>& schema) {
    using C = Machine;
    schema.field("name", &C::name, "what the report calls it");
    schema.field("clock", &C::clock, "of everything");
    schema.field("cores", &C::cores, "equal cores").range(1, 1024);
    schema.field("load", &C::load, "part of the peak").range(0.0, 1.0);
    schema.field("part", &C::part, "name of the memory part");
    schema.section("core", &C::core, "one core");
    schema.section("memory", &C::memory, "main memory, if there is one");
    schema.list("buffers", &C::buffers, "more buffers");
    schema.map("parameters", &C::parameters, "integers by name").literal();
    schema.map("memories", &C::memories, "memories by name");
    schema.list("layers", &C::layers, "the network");
}

}  // namespace systole::test
