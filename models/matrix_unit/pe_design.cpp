#include "models/matrix_unit/pe_design.hpp"

#include "models/base/schema.hpp"

namespace systole::models {

void describe(Schema<PeDesign>& schema) {
    using C = PeDesign;
    schema
        .field("latency", &C::latency,
               "cycles from an activation to the sum with its product; each beyond the first lets "
               "all sums leave a cycle later")
        .range(1, 64);
    schema
        .field("sum_bits", &C::sum_bits,
               "of the sums that PEs add int8 products in; the accumulators have 32")
        .range(16, 32);
    schema.field("overflow", &C::overflow, "of integer sums, in the PEs and the accumulators");
}

PeDesign design_for(PeDesign design, numerics::Format format) {
    if (!numerics::is_integer(format)) {
        const PeDesign plain;
        design.sum_bits = plain.sum_bits;
        design.overflow = plain.overflow;
    }
    return design;
}

}  // namespace systole::models
