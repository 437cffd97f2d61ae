#include "models/matrix_unit/operand.hpp"

#include "models/numerics/convert.hpp"
#include "models/sram/sram.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace systole::models {
namespace {

std::int8_t element(Format, const std::byte* from, std::int8_t) {
    return static_cast<std::int8_t>(*from);
}

float element(Format format, const std::byte* from, float) {
    if (format == Format::fp32) {
        float value = 0;
        std::memcpy(&value, from, sizeof value);
        return value;
    }
    const auto size = static_cast<std::size_t>(numerics::bytes_of(format));
    return numerics::to_float(format, numerics::load_bits(format, std::span{from, size}, 0));
}

std::int64_t overlap(std::int64_t a_first, std::int64_t a_end, std::int64_t b_first,
                     std::int64_t b_end) {
    return std::max(std::int64_t{0}, std::min(a_end, b_end) - std::max(a_first, b_first));
}

}  // namespace

OperandReader::OperandReader(const Operand& operand, const ConvView& view, const Sram& scratchpad)
    : operand_{operand},
      view_{view},
      scratchpad_{&scratchpad} {}

OperandReader::Tap OperandReader::tap(std::int64_t k) const {
    const std::int64_t position = (operand_.k_first + k) / operand_.channels;
    return {.kh = position / view_.kernel_width,
            .kw = position % view_.kernel_width,
            .channel = operand_.channel_first + (operand_.k_first + k) % operand_.channels};
}

template <class Element>
void OperandReader::read(std::int64_t address, std::int64_t stride, std::span<Element> out) const {
    if (out.empty()) {
        return;
    }
    const std::int64_t size = numerics::bytes_of(view_.format);
    const auto count = static_cast<std::int64_t>(out.size());
    const auto bytes = scratchpad_->bytes(address, ((count - 1) * stride + 1) * size);
    const auto step = static_cast<std::size_t>(stride * size);
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = element(view_.format, bytes.data() + i * step, Element{});
    }
}

/// Adjacent channels of one tap of output pixel `first + i`.
template <class Element>
void OperandReader::image_run(std::int64_t i, const Tap& first, std::span<Element> out) const {
    const std::int64_t pixel = operand_.first + i;
    const std::int64_t ow = pixel % view_.out_width;
    const std::int64_t oh = pixel / view_.out_width % view_.out_height;
    const std::int64_t n = pixel / view_.out_width / view_.out_height;
    const std::int64_t h =
        oh * view_.stride_height - view_.pad_top + first.kh * view_.dilation_height;
    const std::int64_t w =
        ow * view_.stride_width - view_.pad_left + first.kw * view_.dilation_width;
    if (h < 0 || h >= view_.height || w < 0 || w >= view_.width) {
        std::ranges::fill(out, Element{});
        return;
    }
    const std::int64_t line = n * view_.height + h - operand_.panel_first;
    const std::int64_t place = (line * view_.width + w) * view_.channels + first.channel;
    read(operand_.address + place * numerics::bytes_of(view_.format), 1, out);
}

std::int64_t OperandReader::weights_address(const Tap& tap, std::int64_t output) const {
    const std::int64_t in_group = tap.channel % view_.group_channels();
    const std::int64_t line = (tap.kh * view_.kernel_width + tap.kw) * view_.group_channels() +
                              in_group - operand_.panel_first;
    const std::int64_t place = line * operand_.pitch + output - operand_.panel_column;
    return operand_.address + place * numerics::bytes_of(view_.format);
}

/// Adjacent channels of one tap of output channel `first + i`.
template <class Element>
void OperandReader::weights_run(std::int64_t i, const Tap& first, std::span<Element> out) const {
    const std::int64_t output = operand_.first + i;
    const std::int64_t group_first = output / view_.group_outputs() * view_.group_channels();
    const auto count = static_cast<std::int64_t>(out.size());
    const std::int64_t from = std::clamp(group_first - first.channel, std::int64_t{0}, count);
    const std::int64_t to =
        std::clamp(group_first + view_.group_channels() - first.channel, from, count);
    std::ranges::fill(out, Element{});
    if (from < to) {
        Tap there = first;
        there.channel += from;
        read(weights_address(there, output), operand_.pitch,
             out.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from)));
    }
}

template <class Element>
void OperandReader::row(std::int64_t i, std::span<Element> out) const {
    const std::int64_t slice_end = operand_.channel_first + operand_.channels;
    for (std::int64_t k = 0; k < operand_.depth;) {
        const Tap first = tap(k);
        const std::int64_t run = std::min(slice_end - first.channel, operand_.depth - k);
        const auto part = out.subspan(static_cast<std::size_t>(k), static_cast<std::size_t>(run));
        if (operand_.kind == Operand::Kind::image) {
            image_run(i, first, part);
        } else {
            weights_run(i, first, part);
        }
        k += run;
    }
}

template <class Element>
void OperandReader::column(std::int64_t k, std::span<Element> out) const {
    const Tap at = tap(k);
    if (operand_.kind == Operand::Kind::image) {
        for (std::int64_t i = 0; i < operand_.rows; ++i) {
            image_run(i, at, out.subspan(static_cast<std::size_t>(i), 1));
        }
        return;
    }
    // The outputs of one group lie side by side.
    const std::int64_t group = at.channel / view_.group_channels();
    const std::int64_t from =
        std::clamp(group * view_.group_outputs() - operand_.first, std::int64_t{0}, operand_.rows);
    const std::int64_t to =
        std::clamp((group + 1) * view_.group_outputs() - operand_.first, from, operand_.rows);
    std::ranges::fill(out.first(static_cast<std::size_t>(operand_.rows)), Element{});
    if (from < to) {
        read(weights_address(at, operand_.first + from), 1,
             out.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from)));
    }
}

template void OperandReader::row(std::int64_t, std::span<std::int8_t>) const;
template void OperandReader::row(std::int64_t, std::span<float>) const;
template void OperandReader::column(std::int64_t, std::span<std::int8_t>) const;
template void OperandReader::column(std::int64_t, std::span<float>) const;

std::int64_t elements_in_memory(const Operand& operand, const ConvView& view) {
    const std::int64_t group_channels = view.group_channels();
    const std::int64_t group_outputs = view.group_outputs();
    const std::int64_t k_end = operand.k_first + operand.depth;
    std::int64_t elements = 0;
    const std::int64_t slice_end = operand.channel_first + operand.channels;
    for (std::int64_t group = operand.channel_first / group_channels;
         group * group_channels < slice_end; ++group) {
        const std::int64_t outputs = overlap(operand.first, operand.first + operand.rows,
                                             group * group_outputs, (group + 1) * group_outputs);
        // Places of this group's channels within the slice, then in the reduction below k.
        const std::int64_t first =
            std::max(group * group_channels, operand.channel_first) - operand.channel_first;
        const std::int64_t end =
            std::min((group + 1) * group_channels, slice_end) - operand.channel_first;
        const auto below = [&](std::int64_t k) {
            const std::int64_t rest = k % operand.channels;
            return k / operand.channels * (end - first) + overlap(0, rest, first, end);
        };
        elements += outputs * (below(k_end) - below(operand.k_first));
    }
    return elements;
}

}  // namespace systole::models
