#pragma once

#include "models/core/program.hpp"

#include <type_traits>

namespace systole::mapping {

/// The fields of the instructions, each named once for writing and for reading. `F` is called with
/// a name and a reference: to an integer, bool, double, enumeration, or vector of steps.
template <class F>
void fields(F& field, models::ConvView& v) {
    field("batch", v.batch);
    field("height", v.height);
    field("width", v.width);
    field("channels", v.channels);
    field("kernel_height", v.kernel_height);
    field("kernel_width", v.kernel_width);
    field("stride_height", v.stride_height);
    field("stride_width", v.stride_width);
    field("pad_top", v.pad_top);
    field("pad_left", v.pad_left);
    field("dilation_height", v.dilation_height);
    field("dilation_width", v.dilation_width);
    field("out_height", v.out_height);
    field("out_width", v.out_width);
    field("out_channels", v.out_channels);
    field("groups", v.groups);
    field("format", v.format);
}

template <class F>
void fields(F& field, models::Transfer& t) {
    field("space", t.memory.space);
    field("offset", t.memory.offset);
    field("local", t.local);
    field("runs", t.runs);
    field("run", t.run);
    field("memory_stride", t.memory_stride);
    field("local_stride", t.local_stride);
}

template <class F>
void fields(F& field, models::Operand& o) {
    field("kind", o.kind);
    field("address", o.address);
    field("first", o.first);
    field("rows", o.rows);
    field("k_first", o.k_first);
    field("depth", o.depth);
    field("channel_first", o.channel_first);
    field("channels", o.channels);
    field("panel_first", o.panel_first);
    field("panel_column", o.panel_column);
    field("pitch", o.pitch);
}

template <class F>
void fields(F& field, models::AccumulatorTile& a) {
    field("row", a.row);
    field("rows", a.rows);
    field("cols", a.cols);
}

template <class F>
void fields(F& field, models::VectorTile& t) {
    field("place", t.place);
    field("address", t.address);
    field("rows", t.rows);
    field("cols", t.cols);
    field("pitch", t.pitch);
    field("format", t.format);
    field("transposed", t.transposed);
}

template <class F>
void fields(F& field, models::VectorStep& s) {
    field("op", s.op);
    field("parameter", s.parameter);
    field("operand", s.operand);
    field("operand_pitch", s.operand_pitch);
    field("operand_format", s.operand_format);
}

template <class F>
void fields(F& field, models::Load& load) {
    fields(field, load.transfer);
}

template <class F>
void fields(F& field, models::Preload& preload) {
    field.within("north", preload.north);
}

template <class F>
void fields(F& field, models::Stream& stream) {
    field.within("west", stream.west);
    field.within("north", stream.north);
    field.within("sums", stream.sums);
    field("accumulate", stream.accumulate);
    field("swap", stream.swap);
    field("macs", stream.macs);
}

template <class F>
void fields(F& field, models::Vector& vector) {
    field.within("source", vector.source);
    field.within("target", vector.target);
    field("pool_panel_first", vector.pool_panel_first);
    field("pool_first", vector.pool_first);
    field("pool_channel_first", vector.pool_channel_first);
    field("count_padding", vector.count_padding);
    field.each("step", vector.steps);
}

template <class F>
void fields(F& field, models::Store& store) {
    fields(field, store.transfer);
    field("transposed", store.transposed);
    field.maybe("sums", store.sums);
}

template <class F>
void fields(F& field, models::Wait& wait) {
    field("core", wait.core);
    field("milestone", wait.milestone);
    field("count", wait.count);
    field("cause", wait.cause);
}

template <class F>
void fields(F& field, models::Instruction& instruction) {
    field("layer", instruction.layer);
    field("view", instruction.view);
    std::visit([&](auto& work) { fields(field, work); }, instruction.work);
    field.each("wait", instruction.waits);
}

}  // namespace systole::mapping
