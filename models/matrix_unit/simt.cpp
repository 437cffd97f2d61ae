#include "models/matrix_unit/simt.hpp"

#include "models/core/trace.hpp"
#include "models/matrix_unit/tile.hpp"
#include "models/sram/sram.hpp"

#include <utility>
#include <variant>

namespace systole::models {

SimtStep simt_step(std::int64_t lanes, bool reads_sums, std::int64_t element, std::int64_t width) {
    constexpr std::int64_t sum_bytes = 4;
    const std::int64_t sums = ceil_div(sum_bytes * lanes, width);
    return {.west = 1,
            .north = ceil_div(lanes * element, width),
            .sums_read = reads_sums ? sums : 0,
            .sums_written = sums};
}

Simt::Simt(const sc_core::sc_module_name& name, const SimtConfig& config, CoreContext& context)
    : Unit{name, context},
      config_{config},
      width_{context.scratchpad->config().width.count()},
      lane_{"core" + std::to_string(context.core) + ".array"} {}

std::int64_t Simt::element() const {
    return numerics::bytes_of(context().view(*running_).format);
}

const Stream& Simt::stream() const {
    return std::get<Stream>(running_->work);
}

OperandReader Simt::reader(const Operand& operand) const {
    return OperandReader{operand, context().view(*running_), *context().scratchpad};
}

void Simt::latch(const Instruction& instruction, Cycles now) {
    SYSTOLE_ASSERT(latched_ == nullptr, "the latch of the matrix unit is taken");
    const auto* stream = std::get_if<Stream>(&instruction.work);
    SYSTOLE_ASSERT(stream != nullptr, "a simt unit takes Streams only");
    SYSTOLE_ASSERT(stream->west.depth == stream->north.depth && stream->north.rows >= 1,
                   "the operands of a tile differ in depth");
    check_stream(*stream, stream->north.rows, *context().accumulators);
    check_format(config_.formats, context().view(instruction).format);
    latched_ = &instruction;
    if (running_ == nullptr) {
        start(now);
    }
}

void Simt::start(Cycles now) {
    running_ = std::exchange(latched_, nullptr);
    from_ = now;
    begin(now);
    context().accepts_again();
}

void Simt::finish(Cycles now) {
    if (context().trace != nullptr) {
        context().trace->span(lane_, "stream", running_->layer, from_, now);
    }
    running_ = nullptr;
    context().reached(Milestone::streamed);
    context().reached(Milestone::summed);
    if (latched_ != nullptr) {
        start(now);
    }
}

}  // namespace systole::models
