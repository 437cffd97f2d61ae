// What the matrix and the vector unit do, for ProgramChecker.
#include "tests/support/program_checker.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace systole::test {

using models::Operand;

namespace {

std::size_t at(std::int64_t i) {
    return static_cast<std::size_t>(i);
}

/// SplitMix64's finaliser: sums of such numbers tell sets of rows apart.
std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

}  // namespace

std::optional<ProgramChecker::Tag> ProgramChecker::image_element(const Step& step,
                                                                 const Operand& operand,
                                                                 std::int64_t i, std::int64_t k) {
    const auto& v = *step.view;
    const std::int64_t place = operand.k_first + k;
    const std::int64_t channel = operand.channel_first + place % operand.channels;
    const std::int64_t kw = place / operand.channels % v.kernel_width;
    const std::int64_t kh = place / operand.channels / v.kernel_width;
    const std::int64_t m = operand.first + i;
    const std::int64_t h =
        m / v.out_width % v.out_height * v.stride_height - v.pad_top + kh * v.dilation_height;
    const std::int64_t w = m % v.out_width * v.stride_width - v.pad_left + kw * v.dilation_width;
    expect(kh < v.kernel_height, step, "an image operand is deeper than its reduction");
    if (h < 0 || h >= v.height || w < 0 || w >= v.width) {
        return std::nullopt;
    }
    const std::int64_t row = m / v.out_width / v.out_height * v.height + h - operand.panel_first;
    const std::int64_t offset = (row * v.width + w) * v.channels + channel;
    return element(step, operand.address + offset * numerics::bytes_of(v.format), v.format);
}

std::optional<ProgramChecker::Tag> ProgramChecker::weight_element(const Step& step,
                                                                  const Operand& operand,
                                                                  std::int64_t i, std::int64_t k) {
    const auto& v = *step.view;
    const std::int64_t place = operand.k_first + k;
    const std::int64_t channel = operand.channel_first + place % operand.channels;
    const std::int64_t n = operand.first + i;
    if (channel / v.group_channels() != n / v.group_outputs()) {
        return std::nullopt;
    }
    const std::int64_t row = place / operand.channels * v.group_channels() +
                             channel % v.group_channels() - operand.panel_first;
    const std::int64_t offset = row * operand.pitch + n - operand.panel_column;
    return element(step, operand.address + offset * numerics::bytes_of(v.format), v.format);
}

ProgramChecker::Rows ProgramChecker::rows_of(const Step& step, const Operand& operand) {
    Rows rows(at(operand.rows));
    for (std::int64_t i = 0; i < operand.rows; ++i) {
        for (std::int64_t k = 0; k < operand.depth; ++k) {
            rows[at(i)].push_back(operand.kind == Operand::Kind::image
                                      ? image_element(step, operand, i, k)
                                      : weight_element(step, operand, i, k));
        }
    }
    return rows;
}

std::optional<std::int64_t> ProgramChecker::partner(const Operator& op, std::int64_t m,
                                                    std::int64_t n, std::int64_t row) const {
    const auto& v = op.view;
    const std::int64_t channels = v.channels / v.groups;
    const std::int64_t channel = n / (v.out_channels / v.groups) * channels + row % channels;
    const std::int64_t kw = row / channels % v.kernel_width;
    const std::int64_t kh = row / channels / v.kernel_width;
    const std::int64_t ow = m % v.out_width;
    const std::int64_t oh = m / v.out_width % v.out_height;
    const std::int64_t image = m / (v.out_width * v.out_height);
    const std::int64_t h = oh * v.stride_height + kh * v.dilation_height - v.pad_top;
    const std::int64_t w = ow * v.stride_width + kw * v.dilation_width - v.pad_left;
    if (h < 0 || h >= v.height || w < 0 || w >= v.width) {
        return std::nullopt;
    }
    return ((image * v.height + h) * v.width + w) * v.channels + channel;
}

void ProgramChecker::execute(Step& step, const models::Preload& preload) {
    Core& core = cores_[at(step.core)];
    expect(dataflow_ && *dataflow_ != models::Dataflow::output_stationary, step,
           "a Preload on a unit that holds nothing");
    expect(!core.shadow, step, "a Preload overwrites a tile that was not used");
    expect(preload.north.depth <= rows_ && preload.north.rows <= cols_, step,
           "a stationary tile is larger than the array");
    core.shadow = Stationary{preload.north, rows_of(step, preload.north)};
}

void ProgramChecker::check_limits(const Step& step, const models::Stream& stream,
                                  const Operand& north) {
    const auto& west = stream.west;
    expect(west.depth == north.depth && west.rows > 0 && west.depth > 0, step,
           "the operands of a Stream do not meet");
    expect(west.kind != north.kind, step, "a Stream of two operands of one kind");
    expect(stream.sums.rows == west.rows && stream.sums.cols == north.rows, step,
           "the sums of a Stream are not its product");
    expect(north.rows <= cols_, step, "a Stream is wider than the array");
    if (dataflow_ == models::Dataflow::output_stationary) {
        expect(west.rows <= rows_, step, "a Stream has more rows than the array");
    }
}

void ProgramChecker::execute(Step& step, const models::Stream& stream) {
    Core& core = cores_[at(step.core)];
    Rows own;
    const Rows* north_rows = &own;
    const Operand* north = &stream.north;
    if (dataflow_ && *dataflow_ != models::Dataflow::output_stationary) {
        if (stream.swap) {
            expect(core.shadow.has_value(), step, "a swap without a Preload");
            core.active = std::move(core.shadow);
            core.shadow.reset();
        }
        if (!core.active) {
            fault(step, "a Stream without a stationary tile");
            return;
        }
        north = &core.active->operand;
        north_rows = &core.active->rows;
    } else {
        own = rows_of(step, stream.north);
    }
    check_limits(step, stream, *north);
    const Rows west = rows_of(step, stream.west);
    if (!faults_.empty()) {
        return;
    }
    std::int64_t products = 0;
    const bool image_west = stream.west.kind == Operand::Kind::image;
    for (std::int64_t i = 0; i < stream.sums.rows; ++i) {
        for (std::int64_t j = 0; j < stream.sums.cols; ++j) {
            Sum& target = sum(step, stream.sums.row + i, j);
            if (const char* race = target.guard.write(step.start, step.sums, true)) {
                fault(step, fmt::format("a sum {}", race));
            }
            if (!stream.accumulate) {
                target.m = target.n = -1;
                target.products = 0;
                target.hash = 0;
            }
            const std::int64_t m = image_west ? stream.west.first + i : north->first + j;
            products += image_west
                            ? add_products(step, target, m, west[at(i)], (*north_rows)[at(j)])
                            : add_products(step, target, m, (*north_rows)[at(j)], west[at(i)]);
        }
    }
    expect(products == stream.macs, step, "a Stream counts other products than it does");
}

std::int64_t ProgramChecker::add_products(Step& step, Sum& target, std::int64_t m,
                                          const Rows::value_type& pixels,
                                          const Rows::value_type& filter) {
    std::int64_t products = 0;
    for (std::size_t k = 0; k < filter.size(); ++k) {
        if (!filter[k]) {
            continue;
        }
        const std::int64_t columns = step.op->view.out_channels;
        const std::int64_t row = filter[k]->offset / columns;
        const std::int64_t n = filter[k]->offset % columns;
        expect(filter[k]->tensor == step.op->weights, step, "a weight is not of its layer");
        if (target.n < 0) {
            target.m = m;
            target.n = n;
        }
        expect(target.m == m && target.n == n, step, "a sum mixes results");
        const auto wanted = partner(*step.op, m, n, row);
        expect(wanted.has_value() == pixels[k].has_value() &&
                   (!wanted || *pixels[k] == Tag{step.op->inputs.front(), *wanted}),
               step, "a weight meets another input than its own");
        target.hash += mix(static_cast<std::uint64_t>(row));
        ++target.products;
        ++products;
    }
    return products;
}

std::int64_t ProgramChecker::finished(Step& step, Sum& from) {
    if (const char* race = from.guard.read(step.start, step.sums)) {
        fault(step, fmt::format("a sum {}", race));
    }
    const auto& v = step.op->view;
    const std::int64_t depth = v.kernel_height * v.kernel_width * v.channels / v.groups;
    std::uint64_t hash = 0;
    for (std::int64_t row = 0; row < depth; ++row) {
        hash += mix(static_cast<std::uint64_t>(row));
    }
    if (from.products != depth || from.hash != hash) {
        fault(step,
              fmt::format("a sum of {} products is taken for one of {}", from.products, depth));
        return 0;
    }
    return from.m * v.out_channels + from.n;
}

std::int64_t ProgramChecker::pooled(Step& step, const models::Vector& vector, std::int64_t i,
                                    std::int64_t j) {
    const auto& v = *step.view;
    const std::int64_t m = vector.pool_first + i;
    std::int64_t channel = -1;
    for (std::int64_t tap = 0; tap < v.kernel_height * v.kernel_width; ++tap) {
        const std::int64_t h = m / v.out_width % v.out_height * v.stride_height - v.pad_top +
                               tap / v.kernel_width * v.dilation_height;
        const std::int64_t w =
            m % v.out_width * v.stride_width - v.pad_left + tap % v.kernel_width * v.dilation_width;
        if (h < 0 || h >= v.height || w < 0 || w >= v.width) {
            continue;
        }
        const std::int64_t row =
            m / v.out_width / v.out_height * v.height + h - vector.pool_panel_first;
        const std::int64_t pixel = row * v.width + w;
        expect(pixel >= 0 && pixel < vector.source.rows, step, "a window leaves its panel");
        const std::int64_t offset = pixel * vector.source.pitch + vector.pool_channel_first + j;
        const std::int64_t size = numerics::bytes_of(vector.source.format);
        const Tag tag = element(step, vector.source.address + offset * size, vector.source.format);
        const std::int64_t found = tag.offset % step.op->view.channels;
        channel = channel < 0 ? found : channel;
        // A pool is a convolution with one group for each channel.
        Operator single = *step.op;
        single.view.groups = single.view.out_channels = single.view.channels;
        const auto wanted = partner(single, m, found, tap);
        expect(tag.tensor == step.op->inputs.front() && wanted && tag.offset == *wanted &&
                   found == channel,
               step, "a window holds another pixel than its own");
    }
    expect(channel >= 0, step, "a window lies in the padding");
    return m * step.op->view.channels + std::max(channel, std::int64_t{0});
}

std::int64_t ProgramChecker::source_element(Step& step, const models::Vector& vector,
                                            std::int64_t i, std::int64_t j) {
    const auto& source = vector.source;
    if (step.op->kind == Operator::Kind::pool) {
        return pooled(step, vector, i, j);
    }
    expect(source.rows == vector.target.rows && source.cols == vector.target.cols, step,
           "a vector instruction changes the shape");
    if (source.place == models::VectorTile::Place::accumulators) {
        Sum& from =
            sum(step, source.address + (source.transposed ? j : i), source.transposed ? i : j);
        return finished(step, from);
    }
    const std::int64_t size = numerics::bytes_of(source.format);
    const Tag tag = element(step, source.address + (i * source.pitch + j) * size, source.format);
    expect(tag.tensor == step.op->inputs.front(), step, "an element is not of the layer's input");
    return tag.offset;
}

void ProgramChecker::check_steps(Step& step, const models::Vector& vector, std::int64_t i,
                                 std::int64_t j, std::int64_t result) {
    const auto& shape = graph_.tensor(step.op->output).shape;
    const std::int64_t columns = shape.empty() ? 1 : shape.back();
    for (std::size_t s = 0; s < vector.steps.size(); ++s) {
        const auto& done = vector.steps[s];
        const auto& wanted = step.op->steps[s];
        expect(done.op == wanted.op && done.parameter == wanted.parameter, step,
               "a step is not the layer's");
        if (!wanted.operand) {
            continue;
        }
        const bool by_column = wanted.op == models::VectorOp::add_columns ||
                               wanted.op == models::VectorOp::scale_columns;
        const Format format = graph_.tensor(*wanted.operand).format;
        const std::int64_t offset = by_column ? j : i * done.operand_pitch + j;
        const Tag tag = element(step, done.operand + offset * numerics::bytes_of(format), format);
        expect(done.operand_format == format, step, "an operand is read in another format");
        expect(tag == Tag{*wanted.operand, by_column ? result % columns : result}, step,
               "a step takes another element than its own");
    }
    if (step.op->steps.size() > 0 &&
        std::any_of(step.op->steps.begin(), step.op->steps.end(),
                    [](const ElementStep& each) { return each.op == models::VectorOp::softmax; })) {
        expect(vector.target.cols == columns && result % columns == j, step,
               "a softmax does not see whole rows");
    }
}

void ProgramChecker::execute(Step& step, const models::Vector& vector) {
    const Tensor& result = graph_.tensor(step.op->output);
    const std::int64_t size = numerics::bytes_of(result.format);
    expect(vector.target.format == result.format, step, "a result is in another format");
    expect(vector.steps.size() == step.op->steps.size(), step, "a step is missing");
    for (std::int64_t i = 0; i < vector.target.rows && faults_.empty(); ++i) {
        for (std::int64_t j = 0; j < vector.target.cols && faults_.empty(); ++j) {
            const std::int64_t element_index = source_element(step, vector, i, j);
            check_steps(step, vector, i, j, element_index);
            ++computed_[at(step.op->output)].at(at(element_index));
            for (std::int64_t b = 0; b < size; ++b) {
                write(step,
                      scratchpad(step,
                                 vector.target.address + (i * vector.target.pitch + j) * size + b),
                      {step.op->output, element_index * size + b});
            }
        }
    }
}

}  // namespace systole::test
