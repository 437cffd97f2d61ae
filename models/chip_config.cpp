#include "models/chip_config.hpp"

#include "models/base/schema.hpp"

#include <cmath>

namespace systole::models {

std::int64_t ChipConfig::peak_macs_per_cycle() const {
    struct Peak {
        std::int64_t operator()(const SystolicConfig& c) const { return c.rows * c.cols; }
        std::int64_t operator()(const SimtConfig& c) const { return c.lanes; }
    };
    return checked_multiply(cores, std::visit(Peak{}, core.matrix));
}

void describe(Schema<CoreConfig>& schema) {
    using C = CoreConfig;
    schema
        .choice("matrix", &C::matrix, "the unit that multiplies matrices", "kind",
                alternative<SystolicConfig>("systolic", "an array of processing elements"),
                alternative<SimtConfig>("simt", "lanes that fetch every operand"))
        .required();
    schema.section("vector", &C::vector, "the unit for all that is element by element").required();
    schema.section("scratchpad", &C::scratchpad, "the core's own SRAM").required();
}

void describe(Schema<ChipConfig>& schema) {
    using C = ChipConfig;
    schema.field("name", &C::name, "what the chip is called").required();
    schema.field("description", &C::description, "one line for `systole list`");
    schema.field("clock", &C::clock, "of the whole chip")
        .required()
        .range(Hertz{1.0}, Hertz{1e12})
        .check([](Hertz clock) { return std::floor(clock.count()) == clock.count(); },
               "must be a whole number of hertz");
    schema.field("cores", &C::cores, "cores, all alike").range(1, 4096);
    schema.section("core", &C::core, "one core").required();
    schema.section("shared_sram", &C::shared_sram, "an SRAM that all cores reach");
    schema.section("interconnect", &C::interconnect, "between the cores and the memories");
    schema.section("memory", &C::memory, "main memory").required();
    schema.field("technology", &C::technology, "energies: a file of configs/technology").required();
}

}  // namespace systole::models
