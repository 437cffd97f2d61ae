#include "sim/rtl/pe_model.hpp"

#include "models/numerics/convert.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace systole {
namespace {

using numerics::Format;

/// The number that the lowest `bits` are in two's complement.
std::int64_t number(std::uint32_t word, std::int64_t bits) {
    const std::int64_t modulus = std::int64_t{1} << bits;
    const std::int64_t low = word % modulus;
    return low < modulus / 2 ? low : low - modulus;
}

}  // namespace

PeModel::PeModel(Format format, bool shadow, const models::PeDesign& design)
    : format_{format},
      shadow_{shadow},
      design_{design} {
    reset();
}

std::uint32_t PeModel::add_product(std::uint32_t sum, const Factors& factors) const {
    if (numerics::is_integer(format_)) {
        const std::int64_t bits = design_.sum_bits;
        const std::int64_t exact =
            number(sum, bits) + number(factors.act, 8) * number(factors.wgt, 8);
        const std::int64_t limit = std::int64_t{1} << (bits - 1);
        const bool saturates = design_.overflow == models::Overflow::saturate;
        const std::int64_t kept = saturates ? std::clamp(exact, -limit, limit - 1) : exact;
        return static_cast<std::uint32_t>(kept) & (~0U >> (32 - bits));
    }
    const float product =
        numerics::to_float(format_, factors.act) * numerics::to_float(format_, factors.wgt);
    const float result = std::bit_cast<float>(sum) + product;
    return std::isnan(result) ? numerics::layout_of(Format::fp32).quiet_nan()
                              : std::bit_cast<std::uint32_t>(result);
}

void PeModel::reset() {
    active_ = 0;
    staged_.assign(static_cast<std::size_t>(design_.latency - 1), {});
    outputs_ = {};
}

void PeModel::clock(const PeInputs& inputs) {
    // Without a shadow the weight register is the one that shifts.
    const std::uint32_t weight = !shadow_ || inputs.swap ? outputs_.wgt : active_;
    active_ = weight;
    staged_.push_back({inputs.act, weight});
    const Factors oldest = staged_.front();
    staged_.pop_front();
    const std::uint32_t shifted = inputs.shift ? inputs.wgt : outputs_.wgt;
    outputs_ = {
        inputs.act, inputs.valid ? 1U : 0U,          inputs.swap ? 1U : 0U, inputs.shift ? 1U : 0U,
        shifted,    add_product(inputs.psum, oldest)};
}

PeGridModel::PeGridModel(Format format, bool shadow, const models::PeDesign& design,
                         std::size_t rows, std::size_t cols)
    : rows_{rows},
      cols_{cols},
      pes_(rows * cols, PeModel{format, shadow, design}),
      inputs_(rows * cols) {
    reset();
}

void PeGridModel::reset() {
    for (PeModel& pe : pes_) {
        pe.reset();
    }
    inputs_.assign(inputs_.size(), {});
    const Driven nothing{std::vector<std::uint32_t>(rows_, 0), std::vector<std::uint32_t>(cols_, 0),
                         false, false};
    driven_.assign(std::max(rows_, cols_), nothing);
    rows_reached_ = 0;
}

void PeGridModel::clock(const SystoleArrayEdges& edges) {
    if (edges.enable == 0) {
        return;
    }
    driven_.push_front({{edges.activations, edges.activations + rows_},
                        {edges.weights, edges.weights + cols_},
                        edges.valid != 0,
                        edges.swap != 0});
    driven_.pop_back();
    for (std::size_t r = 0; r < rows_; ++r) {
        for (std::size_t c = 0; c < cols_; ++c) {
            PeInputs& in = inputs_[r * cols_ + c];
            if (c == 0) {
                const Driven& entering = driven_[r];
                const bool reached = r == 0 || (edges.first == 0 && r < rows_reached_ + 1);
                in.act = entering.activations[r];
                in.valid = entering.valid;
                in.swap = entering.swap;
                in.shift = edges.shift != 0 && reached;
            } else {
                const auto& west = outputs(r, c - 1);
                in.act = west.act;
                in.valid = west.valid != 0;
                in.swap = west.swap != 0;
                in.shift = west.shift != 0;
            }
            in.wgt = r == 0 ? driven_[c].weights[c] : outputs(r - 1, c).wgt;
            in.psum = r > 0 ? outputs(r - 1, c).psum : edges.sums != nullptr ? edges.sums[c] : 0;
        }
    }
    for (std::size_t i = 0; i < pes_.size(); ++i) {
        pes_[i].clock(inputs_[i]);
    }
    if (edges.shift != 0) {
        rows_reached_ = edges.first != 0 ? 1 : rows_reached_ + 1;
    }
}

}  // namespace systole
