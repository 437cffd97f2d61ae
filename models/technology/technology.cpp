#include "models/technology/technology.hpp"

#include "models/base/schema.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace systole::models {

std::optional<OperationEnergy> Technology::operation(numerics::Format format) const {
    switch (format) {
        case numerics::Format::int8:
            return operations.int8;
        case numerics::Format::int32:
            return operations.int32;
        case numerics::Format::bf16:
            return operations.bf16;
        case numerics::Format::fp16:
            return operations.fp16;
        case numerics::Format::fp32:
            return operations.fp32;
    }
    throw InternalError{"a format without a place in the technology"};
}

std::optional<Picojoules> Technology::mac(numerics::Format format) const {
    const auto product = operation(format);
    const auto sum = operation(numerics::accumulator_of(format));
    if (!product || !sum) {
        return std::nullopt;
    }
    return product->multiply + sum->add;
}

Picojoules Technology::sram_access(Bytes size) const {
    SYSTOLE_ASSERT(sram.size() >= 2 && size > Bytes{0}, "the energy of an SRAM without a size");
    std::size_t above = 1;
    while (above + 1 < sram.size() && sram[above].size < size) {
        ++above;
    }
    const auto& low = sram[above - 1];
    const auto& high = sram[above];
    const auto ratio = [](Bytes a, Bytes b) {
        return static_cast<double>(a.count()) / static_cast<double>(b.count());
    };
    // E(s) = E₀ · (s / s₀)^p with p = ln(E₁ / E₀) / ln(s₁ / s₀)
    const double power =
        std::log(high.access.count() / low.access.count()) / std::log(ratio(high.size, low.size));
    return Picojoules{low.access.count() * std::pow(ratio(size, low.size), power)};
}

void describe(Schema<OperationEnergy>& schema) {
    using C = OperationEnergy;
    schema.field("multiply", &C::multiply, "one multiplication").required().at_least(Picojoules{0});
    schema.field("add", &C::add, "one addition").required().at_least(Picojoules{0});
}

void describe(Schema<OperationEnergies>& schema) {
    using C = OperationEnergies;
    schema.section("int8", &C::int8, "integers of 8 bit");
    schema.section("int32", &C::int32, "integers of 32 bit").required();
    schema.section("bf16", &C::bf16, "bfloat16");
    schema.section("fp16", &C::fp16, "IEEE 754 binary16");
    schema.section("fp32", &C::fp32, "IEEE 754 binary32").required();
}

void describe(Schema<SramEnergy>& schema) {
    using C = SramEnergy;
    schema.field("size", &C::size, "of the SRAM").required().at_least(Bytes{1});
    schema.field("access", &C::access, "one access of 64 bit")
        .required()
        .check([](Picojoules energy) { return energy > Picojoules{0}; }, "must be more than 0 pJ");
}

void describe(Schema<MemoryEnergy>& schema) {
    using C = MemoryEnergy;
    schema.field("ddr", &C::ddr, "64 bit over the pins of a DDR memory").at_least(Picojoules{0});
    schema.field("hbm", &C::hbm, "64 bit over the pins of an HBM stack").at_least(Picojoules{0});
}

void describe(Schema<Technology>& schema) {
    using C = Technology;
    schema.field("description", &C::description, "one line about the process and the sources");
    schema.section("operations", &C::operations, "arithmetic, by format").required();
    schema.list("sram", &C::sram, "SRAM accesses, by growing size")
        .required()
        .check(
            [](const C& technology) {
                const auto& points = technology.sram;
                const auto out_of_order = [](const SramEnergy& a, const SramEnergy& b) {
                    return a.size >= b.size;
                };
                return points.size() >= 2 && std::adjacent_find(points.begin(), points.end(),
                                                                out_of_order) == points.end();
            },
            "must have two sizes at least, each more than the one before");
    schema.section("memory", &C::memory, "main memories");
}

}  // namespace systole::models
