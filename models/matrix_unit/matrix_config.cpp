#include "models/matrix_unit/matrix_config.hpp"

#include "models/base/schema.hpp"

namespace systole::models {
namespace {

constexpr std::int64_t most_pes_aside = 65536;
constexpr std::int64_t most_accumulators = std::int64_t{1} << 30;

/// What both kinds of unit have.
template <class C>
void describe_sums(Schema<C>& schema) {
    schema
        .field("formats", &C::formats,
               "formats of the operands; sums are int32 for int8 and else fp32")
        .required()
        .check([](numerics::Format format) { return format != numerics::Format::int32; },
               "must be of int8, bf16, fp16, fp32")
        .check([](const C& c) { return !c.formats.empty(); }, "must name at least one format");
}

}  // namespace

void describe(Schema<SystolicConfig>& schema) {
    using C = SystolicConfig;
    schema.field("rows", &C::rows, "PEs down, along the reduction")
        .required()
        .range(1, most_pes_aside);
    schema.field("cols", &C::cols, "PEs across, one column of sums each")
        .required()
        .range(1, most_pes_aside);
    schema.field("dataflow", &C::dataflow, "which operand stays in the PEs");
    schema
        .field("weight_buffers", &C::weight_buffers,
               "2: the next stationary tile shifts in behind the running one")
        .range(1, 2)
        .check(
            [](const C& c) {
                return c.dataflow != Dataflow::output_stationary || c.weight_buffers == 1;
            },
            "must be 1 for `dataflow: output_stationary`, where no weights stay");
    schema.field("edge_tiles", &C::edge_tiles, "the time of tiles smaller than the array");
    schema.field("accumulators", &C::accumulators, "rows of `cols` 32-bit sums below the array")
        .required()
        .range(1, most_accumulators);
    describe_sums(schema);
    schema.section("pe", &C::pe, "choices of its design inside of a PE");
}

void describe(Schema<SimtConfig>& schema) {
    using C = SimtConfig;
    schema.field("lanes", &C::lanes, "multiply-accumulates that run side by side")
        .range(1, most_pes_aside);
    schema.field("cols", &C::cols, "output columns of one tile").range(1, most_pes_aside);
    schema.field("accumulators", &C::accumulators, "output rows of one tile")
        .range(1, most_accumulators);
    describe_sums(schema);
}

}  // namespace systole::models
