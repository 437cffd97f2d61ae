#include "tests/models/matrix_unit/random_tiles.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>

namespace systole::test {
namespace {

using namespace models;

class Generator {
public:
    explicit Generator(std::uint64_t seed) : random_{seed} {}

    std::int64_t draw(std::int64_t least, std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>{least, most}(random_);
    }
    bool chance(int percent) { return draw(1, 100) <= percent; }
    template <class T>
    T one_of(std::initializer_list<T> all) {
        return *std::next(all.begin(), draw(0, static_cast<std::int64_t>(all.size()) - 1));
    }

    ConvView view();
    Tensors tensors(const ConvView& view, std::vector<std::byte>& scratchpad);
    /// A piece of the operand within a slice of channels, with sizes at most as given.
    Operand image(const Tensors& tensors, const Operand& slice, std::int64_t most_rows);
    Operand weights(const Tensors& tensors, const Operand& slice, std::int64_t most_rows);
    Operand slice(const ConvView& view, std::int64_t most_depth);
    Issue issue(std::int64_t view, decltype(Instruction::work) work);
    AccumulatorTile place(const Rig& rig, std::int64_t rows, std::int64_t cols);

private:
    void put(float& value, Format format, std::byte* bytes);

    std::mt19937_64 random_;
};

ConvView Generator::view() {
    ConvView view;
    view.batch = draw(1, 2);
    view.height = draw(1, 6);
    view.width = draw(1, 6);
    view.groups = chance(40) ? draw(2, 4) : 1;
    view.channels = view.groups * draw(1, view.groups > 1 ? 3 : 9);
    view.out_channels = view.groups * draw(1, view.groups > 1 ? 3 : 9);
    const auto extent = [&](std::int64_t size, std::int64_t& kernel, std::int64_t& stride,
                            std::int64_t& pad, std::int64_t& dilation) {
        kernel = draw(1, 3);
        stride = draw(1, 2);
        dilation = draw(1, 2);
        const std::int64_t reach = (kernel - 1) * dilation + 1;
        // Padding on both sides may differ; only the first is part of a view.
        pad = draw(0, 2);
        const std::int64_t padded = std::max(size + pad + draw(0, 2), reach);
        return (padded - reach) / stride + 1;
    };
    view.out_height = extent(view.height, view.kernel_height, view.stride_height, view.pad_top,
                             view.dilation_height);
    view.out_width = extent(view.width, view.kernel_width, view.stride_width, view.pad_left,
                            view.dilation_width);
    view.format = one_of({Format::int8, Format::bf16, Format::fp16, Format::fp32});
    return view;
}

struct Layout {
    int exponent_bits;
    int mantissa_bits;
};
Layout fields_of(Format format) {
    switch (format) {
        case Format::fp16:
            return {5, 10};
        case Format::bf16:
            return {8, 7};
        default:
            return {8, 23};
    }
}

/// IEEE 754 by its definition.
float decode(Layout layout, std::uint32_t code) {
    const std::uint32_t mantissa = code & ((1U << layout.mantissa_bits) - 1);
    const std::uint32_t exponent =
        (code >> layout.mantissa_bits) & ((1U << layout.exponent_bits) - 1);
    const bool negative = (code >> (layout.mantissa_bits + layout.exponent_bits)) != 0;
    const int bias = (1 << (layout.exponent_bits - 1)) - 1;
    double value = 0;
    if (exponent == (1U << layout.exponent_bits) - 1) {
        value = mantissa == 0 ? std::numeric_limits<double>::infinity()
                              : std::numeric_limits<double>::quiet_NaN();
    } else if (exponent == 0) {
        value = std::ldexp(mantissa, 1 - bias - layout.mantissa_bits);
    } else {
        value = std::ldexp(mantissa + (1U << layout.mantissa_bits),
                           static_cast<int>(exponent) - bias - layout.mantissa_bits);
    }
    return static_cast<float>(negative ? -value : value);
}

/// A number of moderate size, or one time in fifty any code at all.
void Generator::put(float& value, Format format, std::byte* bytes) {
    const auto size = static_cast<int>(numerics::bytes_of(format));
    auto code = static_cast<std::uint32_t>(random_());
    if (format == Format::int8) {
        code &= 0xffU;
        value =
            static_cast<float>(code < 128 ? static_cast<int>(code) : static_cast<int>(code) - 256);
    } else {
        const Layout layout = fields_of(format);
        if (!chance(2)) {
            const int bias = (1 << (layout.exponent_bits - 1)) - 1;
            const auto exponent = static_cast<std::uint32_t>(bias + draw(-6, 5));
            const std::uint32_t field = ((1U << layout.exponent_bits) - 1) << layout.mantissa_bits;
            code = (code & ~field) | (exponent << layout.mantissa_bits);
        }
        code &= size == 4 ? 0xffffffffU : 0xffffU;
        value = decode(layout, code);
    }
    for (int i = 0; i < size; ++i) {
        bytes[i] = static_cast<std::byte>((code >> (8 * i)) & 0xffU);
    }
}

Tensors Generator::tensors(const ConvView& view, std::vector<std::byte>& scratchpad) {
    Tensors tensors{.view = view};
    const std::int64_t element = numerics::bytes_of(view.format);
    const auto append = [&](std::int64_t count) {
        const auto address = static_cast<std::int64_t>(scratchpad.size()) + draw(0, 5);
        scratchpad.resize(static_cast<std::size_t>(address + count * element));
        return address;
    };
    const auto image_size = view.batch * view.height * view.width * view.channels;
    tensors.image_address = append(image_size);
    tensors.image.resize(static_cast<std::size_t>(image_size));
    for (std::size_t i = 0; i < tensors.image.size(); ++i) {
        put(tensors.image[i], view.format,
            scratchpad.data() + tensors.image_address + static_cast<std::int64_t>(i) * element);
    }
    tensors.pitch = view.out_channels + draw(0, 3);
    const auto lines = view.kernel_height * view.kernel_width * view.group_channels();
    tensors.weights_address = append(lines * tensors.pitch);
    tensors.weights.resize(static_cast<std::size_t>(lines * view.out_channels));
    for (std::int64_t line = 0; line < lines; ++line) {
        for (std::int64_t n = 0; n < view.out_channels; ++n) {
            put(tensors.weights[static_cast<std::size_t>(line * view.out_channels + n)],
                view.format,
                scratchpad.data() + tensors.weights_address + (line * tensors.pitch + n) * element);
        }
    }
    return tensors;
}

/// Channels of whole groups, or any of a convolution without, and a part of the reduction over
/// them; the rest is left open.
Operand Generator::slice(const ConvView& view, std::int64_t most_depth) {
    Operand slice;
    if (view.groups > 1) {
        const std::int64_t first = draw(0, view.groups - 1);
        const std::int64_t groups = draw(1, view.groups - first);
        slice.channel_first = first * view.group_channels();
        slice.channels = groups * view.group_channels();
    } else {
        slice.channel_first = chance(70) ? 0 : draw(0, view.channels - 1);
        slice.channels = draw(1, view.channels - slice.channel_first);
    }
    const std::int64_t all = view.kernel_height * view.kernel_width * slice.channels;
    slice.depth = chance(30) ? std::min(all, most_depth) : draw(1, std::min(all, most_depth));
    slice.k_first = draw(0, all - slice.depth);
    return slice;
}

Operand Generator::image(const Tensors& tensors, const Operand& slice, std::int64_t most_rows) {
    const ConvView& view = tensors.view;
    Operand operand = slice;
    operand.kind = Operand::Kind::image;
    operand.rows = draw(1, std::min(view.rows(), most_rows));
    operand.first = draw(0, view.rows() - operand.rows);
    operand.panel_first = draw(0, view.batch * view.height - 1);
    operand.address = tensors.image_address + operand.panel_first * view.width * view.channels *
                                                  numerics::bytes_of(view.format);
    return operand;
}

Operand Generator::weights(const Tensors& tensors, const Operand& slice, std::int64_t most_rows) {
    const ConvView& view = tensors.view;
    const std::int64_t outputs_first =
        slice.channel_first / view.group_channels() * view.group_outputs();
    const std::int64_t outputs =
        ceil_div(slice.channels, view.group_channels()) * view.group_outputs();
    Operand operand = slice;
    operand.kind = Operand::Kind::weights;
    operand.rows = draw(1, std::min(outputs, most_rows));
    operand.first = outputs_first + draw(0, outputs - operand.rows);
    operand.panel_first =
        draw(0, view.kernel_height * view.kernel_width * view.group_channels() - 1);
    operand.panel_column = draw(0, view.out_channels - 1);
    operand.pitch = tensors.pitch;
    operand.address =
        tensors.weights_address + (operand.panel_first * tensors.pitch + operand.panel_column) *
                                      numerics::bytes_of(view.format);
    return operand;
}

Issue Generator::issue(std::int64_t view, decltype(Instruction::work) work) {
    return {.instruction = {.layer = 0,
                            .view = static_cast<int>(view),
                            .waits = {},
                            .work = std::move(work)},
            .delay = chance(60) ? 0 : draw(1, chance(80) ? 12 : 80),
            .cause = one_of({Cause::weight_stall, Cause::input_wait, Cause::accumulator_wait})};
}

AccumulatorTile Generator::place(const Rig& rig, std::int64_t rows, std::int64_t cols) {
    return {draw(0, rig.accumulator_rows - rows), rows, cols};
}

/// One or two convolutions.
std::vector<Tensors> fill(Generator& g, Rig& rig) {
    std::vector<Tensors> tensors;
    const std::int64_t count = g.draw(1, 2);
    for (std::int64_t i = 0; i < count; ++i) {
        rig.views.push_back(g.view());
        tensors.push_back(g.tensors(rig.views.back(), rig.scratchpad));
    }
    return tensors;
}

Stream random_stream(Generator& g, const Rig& rig, const Operand& west, const Operand& north,
                     bool swap) {
    return {.west = west,
            .north = north,
            .sums = g.place(rig, west.rows, north.rows),
            .accumulate = g.chance(50),
            .swap = swap,
            .macs = g.draw(0, 1000)};
}

void add_moving_tile(Generator& g, RandomTiles& tiles, std::int64_t v, std::int64_t most_rows,
                     std::int64_t most_cols, std::int64_t most_depth) {
    const Tensors& tensors = tiles.tensors[static_cast<std::size_t>(v)];
    const Operand slice = g.slice(tensors.view, most_depth);
    const bool images_west = g.chance(70);
    const Operand west =
        images_west ? g.image(tensors, slice, most_rows) : g.weights(tensors, slice, most_rows);
    const Operand north =
        images_west ? g.weights(tensors, slice, most_cols) : g.image(tensors, slice, most_cols);
    tiles.program.push_back(g.issue(v, random_stream(g, tiles.rig, west, north, false)));
}

void add_stationary_tile(Generator& g, RandomTiles& tiles, std::int64_t v,
                         const SystolicConfig& config) {
    const Tensors& tensors = tiles.tensors[static_cast<std::size_t>(v)];
    const Operand slice = g.slice(tensors.view, config.rows);
    const bool images_west = config.dataflow == Dataflow::weight_stationary;
    const Operand north =
        images_west ? g.weights(tensors, slice, config.cols) : g.image(tensors, slice, config.cols);
    const auto west = [&] {
        const std::int64_t most = g.chance(50) ? 4 : config.accumulators;
        return images_west ? g.image(tensors, slice, most) : g.weights(tensors, slice, most);
    };
    tiles.program.push_back(g.issue(v, Preload{north}));
    tiles.program.push_back(g.issue(v, random_stream(g, tiles.rig, west(), north, true)));
    while (g.chance(30)) {
        tiles.program.push_back(g.issue(v, random_stream(g, tiles.rig, west(), north, false)));
    }
}

/// With two buffers the next tile may be preloaded before the last Stream on the present one.
void preload_earlier(Generator& g, std::vector<Issue>& program) {
    for (std::size_t i = 2; i < program.size(); ++i) {
        const auto* before = std::get_if<Stream>(&program[i - 1].instruction.work);
        const bool is_preload = std::holds_alternative<Preload>(program[i].instruction.work);
        if (is_preload && before != nullptr && !before->swap && g.chance(50)) {
            std::swap(program[i - 1], program[i]);
        }
    }
}

}  // namespace

RandomTiles random_systolic(std::uint64_t seed, bool values) {
    Generator g{seed};
    RandomTiles tiles;
    const bool large = g.chance(10);
    SystolicConfig config{
        .rows = g.draw(1, large ? 24 : 9),
        .cols = g.draw(1, large ? 24 : 9),
        .dataflow = g.one_of({Dataflow::weight_stationary, Dataflow::weight_stationary,
                              Dataflow::input_stationary, Dataflow::output_stationary}),
        .weight_buffers = g.draw(1, 2),
        .edge_tiles = g.one_of({EdgeTiles::full, EdgeTiles::trimmed}),
        .accumulators = g.draw(8, 40),
        .formats = {Format::int8, Format::bf16, Format::fp16, Format::fp32}};
    const bool moving = config.dataflow == Dataflow::output_stationary;
    config.weight_buffers = moving ? 1 : config.weight_buffers;
    config.pe = g.one_of<PeDesign>({{},
                                    {},
                                    {},
                                    {.latency = 2, .sum_bits = 16, .overflow = Overflow::saturate},
                                    {.sum_bits = 20},
                                    {.latency = 5, .overflow = Overflow::saturate}});
    tiles.rig.accumulator_rows = config.accumulators;
    tiles.rig.accumulator_cols = config.cols;
    tiles.rig.width = g.one_of<std::int64_t>({1, 2, 3, 4, 5, 7, 8, 16, 32, 64, 256});
    tiles.rig.config = config;
    tiles.tensors = fill(g, tiles.rig);
    const std::int64_t count = g.draw(1, 7);
    for (std::int64_t i = 0; i < count; ++i) {
        const auto v = g.draw(0, static_cast<std::int64_t>(tiles.tensors.size()) - 1);
        if (moving) {
            add_moving_tile(g, tiles, v, std::min(config.rows, config.accumulators), config.cols,
                            std::numeric_limits<std::int64_t>::max());
        } else {
            add_stationary_tile(g, tiles, v, config);
        }
    }
    if (config.weight_buffers == 2) {
        preload_earlier(g, tiles.program);
    }
    if (!values) {
        tiles.rig.scratchpad.clear();
    }
    return tiles;
}

RandomTiles random_simt(std::uint64_t seed) {
    Generator g{seed};
    RandomTiles tiles;
    const SimtConfig config{.lanes = g.draw(1, 5),
                            .cols = g.draw(1, 9),
                            .accumulators = g.draw(4, 20),
                            .formats = {Format::int8, Format::bf16, Format::fp16, Format::fp32}};
    tiles.rig.config = config;
    tiles.rig.accumulator_rows = config.accumulators;
    tiles.rig.accumulator_cols = config.cols;
    tiles.rig.width = g.one_of<std::int64_t>({1, 2, 4, 8, 16, 64});
    tiles.tensors = fill(g, tiles.rig);
    const std::int64_t count = g.draw(1, 3);
    for (std::int64_t i = 0; i < count; ++i) {
        const auto v = g.draw(0, static_cast<std::int64_t>(tiles.tensors.size()) - 1);
        add_moving_tile(g, tiles, v, config.accumulators, config.cols, 12);
    }
    return tiles;
}

}  // namespace systole::test
