#include "sim/report/program_text.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <variant>

namespace systole {
namespace {

using models::Operand;

std::string text_of(const models::Address& address) {
    return fmt::format("{}+{}", address.space == models::Space::dram ? "dram" : "shared",
                       address.offset);
}

std::string text_of(const models::AccumulatorTile& sums) {
    return fmt::format("sums[{}+{}, {}]", sums.row, sums.rows, sums.cols);
}

std::string text_of(const Operand& operand) {
    return fmt::format("{}[{}+{}, k {}+{}, channels {}+{}] at {}",
                       operand.kind == Operand::Kind::image ? "image" : "weights", operand.first,
                       operand.rows, operand.k_first, operand.depth, operand.channel_first,
                       operand.channels, operand.address);
}

std::string text_of(const models::VectorTile& tile) {
    const bool in_scratchpad = tile.place == models::VectorTile::Place::scratchpad;
    return fmt::format("{}×{} {} at {}{}{}", tile.rows, tile.cols, numerics::to_string(tile.format),
                       in_scratchpad ? "" : "sums ", tile.address,
                       tile.transposed ? " transposed" : "");
}

std::string pieces(const models::Transfer& transfer) {
    if (transfer.runs == 1) {
        return fmt::format("{} B", transfer.run);
    }
    return fmt::format("{} × {} B, every {} B outside and {} B inside", transfer.runs, transfer.run,
                       transfer.memory_stride, transfer.local_stride);
}

struct WorkText {
    std::string operator()(const models::Load& load) const {
        return fmt::format("load {} to {}: {}", text_of(load.transfer.memory), load.transfer.local,
                           pieces(load.transfer));
    }
    std::string operator()(const models::Preload& preload) const {
        return "preload " + text_of(preload.north);
    }
    std::string operator()(const models::Stream& stream) const {
        const auto north =
            stream.north.rows > 0 ? text_of(stream.north) : std::string{"the stationary tile"};
        return fmt::format("stream {} over {} into {}{}{}, {} macs", text_of(stream.west), north,
                           text_of(stream.sums), stream.accumulate ? ", adding" : "",
                           stream.swap ? ", swapping" : "", stream.macs);
    }
    std::string operator()(const models::Vector& vector) const {
        std::string steps;
        for (const auto& step : vector.steps) {
            steps += fmt::format(" {}", models::to_string(step.op));
        }
        return fmt::format("vector {} to {}:{}", text_of(vector.source), text_of(vector.target),
                           steps);
    }
    std::string operator()(const models::Store& store) const {
        const auto source =
            store.sums ? text_of(*store.sums) : fmt::format("{}", store.transfer.local);
        return fmt::format("store {} to {}: {}{}", source, text_of(store.transfer.memory),
                           pieces(store.transfer), store.transposed ? ", transposed" : "");
    }
};

std::string text_of(const models::Instruction& instruction) {
    std::string text =
        fmt::format("layer {}: {}", instruction.layer, std::visit(WorkText{}, instruction.work));
    for (const auto& wait : instruction.waits) {
        text += fmt::format("; after {} {} of core {}", models::to_string(wait.milestone),
                            wait.count, wait.core);
    }
    return text;
}

}  // namespace

std::string to_text(const std::vector<models::Program>& programs) {
    std::string text;
    for (std::size_t core = 0; core < programs.size(); ++core) {
        for (std::size_t q = 0; q < programs[core].queues.size(); ++q) {
            const auto& queue = programs[core].queues[q];
            text += fmt::format("core {}, {} queue: {} instructions\n", core,
                                models::to_string(static_cast<models::Queue>(q)), queue.size());
            for (std::size_t i = 0; i < queue.size(); ++i) {
                text += fmt::format("{:>6}  {}\n", i, text_of(queue[i]));
            }
        }
    }
    return text;
}

}  // namespace systole
