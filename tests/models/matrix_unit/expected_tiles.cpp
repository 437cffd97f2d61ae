#include "tests/models/matrix_unit/random_tiles.hpp"

#include <bit>
#include <cmath>
#include <variant>

namespace systole::test {
namespace {

using namespace models;

/// A place (kh, kw, channel) of the reduction.
struct Place {
    std::int64_t kh, kw, channel;
};
Place place_of(const Operand& operand, const ConvView& view, std::int64_t k) {
    const std::int64_t kk = operand.k_first + k;
    const std::int64_t tap = kk / operand.channels;
    return {tap / view.kernel_width, tap % view.kernel_width,
            operand.channel_first + kk % operand.channels};
}

/// Whether output channel `first + row` depends on this place at all.
bool of_one_group(const Operand& operand, const ConvView& view, std::int64_t row,
                  const Place& place) {
    return (operand.first + row) / view.group_outputs() == place.channel / view.group_channels();
}

float element(const Operand& operand, const Tensors& tensors, std::int64_t row, std::int64_t k) {
    const ConvView& view = tensors.view;
    const Place place = place_of(operand, view, k);
    if (operand.kind == Operand::Kind::weights) {
        if (!of_one_group(operand, view, row, place)) {
            return 0.0F;
        }
        const std::int64_t line =
            (place.kh * view.kernel_width + place.kw) * view.group_channels() +
            place.channel % view.group_channels();
        return tensors
            .weights[static_cast<std::size_t>(line * view.out_channels + operand.first + row)];
    }
    const std::int64_t pixel = operand.first + row;
    const std::int64_t n = pixel / (view.out_height * view.out_width);
    const std::int64_t oh = pixel / view.out_width % view.out_height;
    const std::int64_t ow = pixel % view.out_width;
    const std::int64_t h = oh * view.stride_height + place.kh * view.dilation_height - view.pad_top;
    const std::int64_t w = ow * view.stride_width + place.kw * view.dilation_width - view.pad_left;
    if (h < 0 || w < 0 || h >= view.height || w >= view.width) {
        return 0.0F;
    }
    return tensors.image[static_cast<std::size_t>(
        ((n * view.height + h) * view.width + w) * view.channels + place.channel)];
}

std::uint32_t fp32_bits(float value) {
    return std::isnan(value) ? 0x7fc00000U : std::bit_cast<std::uint32_t>(value);
}

/// A sum of integers where it has to fit into `bits`.
std::int64_t kept(std::int64_t sum, std::int64_t bits, const PeDesign& design) {
    const std::int64_t half = std::int64_t{1} << (bits - 1);
    if (design.overflow == Overflow::saturate) {
        return sum < -half ? -half : sum >= half ? half - 1 : sum;
    }
    const std::int64_t above = (sum + half) % (2 * half);
    return (above < 0 ? above + 2 * half : above) - half;
}

/// The order that the hardware adds in: from +0, products in the order of k, and then to what is
/// held. A simt unit starts from what is held.
std::uint32_t sum_of(const Stream& stream, const Operand& north, const Tensors& tensors,
                     std::int64_t i, std::int64_t j, std::uint32_t held, bool starts_from_held,
                     const PeDesign& design) {
    const std::int64_t depth = stream.west.depth;
    if (tensors.view.format == Format::int8) {
        std::int64_t sum = 0;
        for (std::int64_t k = 0; k < depth; ++k) {
            const auto product = static_cast<std::int64_t>(element(stream.west, tensors, i, k)) *
                                 static_cast<std::int64_t>(element(north, tensors, j, k));
            sum = kept(sum + product, design.sum_bits, design);
        }
        const std::int64_t before = stream.accumulate ? static_cast<std::int32_t>(held) : 0;
        return static_cast<std::uint32_t>(kept(before + sum, 32, design));
    }
    float sum = starts_from_held && stream.accumulate ? std::bit_cast<float>(held) : 0.0F;
    for (std::int64_t k = 0; k < depth; ++k) {
        const float product = element(stream.west, tensors, i, k) * element(north, tensors, j, k);
        sum = sum + product;
    }
    if (stream.accumulate && !starts_from_held) {
        sum = std::bit_cast<float>(held) + sum;
    }
    return fp32_bits(sum);
}

std::int64_t beats(std::int64_t bytes, const Rig& rig) {
    return (bytes + rig.width - 1) / rig.width;
}

void count_preload(Expected& expected, const Operand& north, const ConvView& view, const Rig& rig) {
    const auto& config = std::get<SystolicConfig>(rig.config);
    const std::int64_t b = numerics::bytes_of(view.format);
    std::int64_t there = 0;
    for (std::int64_t k = 0; k < north.depth; ++k) {
        for (std::int64_t j = 0; j < north.rows; ++j) {
            there += north.kind == Operand::Kind::image ||
                             of_one_group(north, view, j, place_of(north, view, k))
                         ? 1
                         : 0;
        }
    }
    ++expected.preloads;
    expected.counters.stationary_rows +=
        config.edge_tiles == EdgeTiles::full ? config.rows : north.depth;
    expected.counters.scratchpad_reads += north.depth * beats(north.rows * b, rig);
    expected.counters.scratchpad_read_bytes += there * b;
}

void count_stream(Expected& expected, const Stream& stream, const Operand& north,
                  const ConvView& view, const Rig& rig) {
    const auto& config = std::get<SystolicConfig>(rig.config);
    Counters& counters = expected.counters;
    const std::int64_t b = numerics::bytes_of(view.format);
    const bool moving = config.dataflow == Dataflow::output_stationary;
    const std::int64_t west_bytes = stream.west.rows * stream.west.depth * b;
    const std::int64_t north_bytes = moving ? north.rows * north.depth * b : 0;
    const std::int64_t steps = moving ? stream.west.depth : stream.west.rows;
    const std::int64_t sums = stream.west.rows * north.rows;
    ++expected.streams;
    expected.steps += steps;
    counters.macs += stream.macs;
    counters.rows_streamed += steps;
    counters.scratchpad_reads += beats(west_bytes, rig) + beats(north_bytes, rig);
    counters.scratchpad_read_bytes += west_bytes + north_bytes;
    counters.accumulator_writes += sums;
    counters.accumulator_reads += stream.accumulate ? sums : 0;
}

void count_simt(Expected& expected, const Stream& stream, const ConvView& view, const Rig& rig) {
    const auto& config = std::get<SimtConfig>(rig.config);
    Counters& counters = expected.counters;
    const std::int64_t b = numerics::bytes_of(view.format);
    ++expected.streams;
    counters.macs += stream.macs;
    for (std::int64_t i = 0; i < stream.west.rows; ++i) {
        for (std::int64_t k = 0; k < stream.west.depth; ++k) {
            for (std::int64_t j = 0; j < stream.north.rows; j += config.lanes) {
                const std::int64_t l = std::min(config.lanes, stream.north.rows - j);
                const bool reads = k > 0 || stream.accumulate;
                const std::int64_t read = 1 + beats(l * b, rig) + (reads ? beats(4 * l, rig) : 0);
                counters.scratchpad_reads += read;
                counters.scratchpad_read_bytes += b + l * b + (reads ? 4 * l : 0);
                counters.scratchpad_writes += beats(4 * l, rig);
                counters.scratchpad_write_bytes += 4 * l;
                expected.steps += read + beats(4 * l, rig);
            }
        }
    }
}

}  // namespace

Expected expected_of(const RandomTiles& tiles) {
    const Rig& rig = tiles.rig;
    Expected expected;
    const bool values = !rig.scratchpad.empty();
    if (values) {
        expected.sums.assign(
            static_cast<std::size_t>(rig.accumulator_rows),
            std::vector<std::uint32_t>(static_cast<std::size_t>(rig.accumulator_cols)));
    }
    const auto* array = std::get_if<SystolicConfig>(&rig.config);
    const bool simt = array == nullptr;
    const PeDesign design = simt ? PeDesign{} : array->pe;
    for (const Issue& issue : tiles.program) {
        const Tensors& tensors = tiles.tensors[static_cast<std::size_t>(issue.instruction.view)];
        if (const auto* preload = std::get_if<Preload>(&issue.instruction.work)) {
            count_preload(expected, preload->north, tensors.view, rig);
            continue;
        }
        const Stream& stream = std::get<Stream>(issue.instruction.work);
        if (simt) {
            count_simt(expected, stream, tensors.view, rig);
        } else {
            count_stream(expected, stream, stream.north, tensors.view, rig);
        }
        for (std::int64_t i = 0; values && i < stream.west.rows; ++i) {
            auto& cells = expected.sums[static_cast<std::size_t>(stream.sums.row + i)];
            for (std::int64_t j = 0; j < stream.north.rows; ++j) {
                auto& cell = cells[static_cast<std::size_t>(j)];
                cell = sum_of(stream, stream.north, tensors, i, j, cell, simt, design);
            }
        }
    }
    return expected;
}

}  // namespace systole::test
