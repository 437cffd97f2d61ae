#pragma once

#include "models/core/program.hpp"

#include <cstdint>
#include <span>

namespace systole::models {

class Sram;

/// Reads an operand of a tile out of the scratchpad: the one place that knows where its elements
/// lie. Taps outside of the image, and elements that belong to another group than their output,
/// are zero. `Element` is std::int8_t for int8 and float for the floating formats, which widen
/// exactly.
class OperandReader {
public:
    OperandReader(const Operand& operand, const ConvView& view, const Sram& scratchpad);

    [[nodiscard]] std::int64_t rows() const { return operand_.rows; }
    [[nodiscard]] std::int64_t depth() const { return operand_.depth; }

    /// Elements 0 … depth − 1 of row `i`.
    template <class Element>
    void row(std::int64_t i, std::span<Element> out) const;
    /// Element `k` of the rows 0 … rows − 1.
    template <class Element>
    void column(std::int64_t k, std::span<Element> out) const;

private:
    /// A place in the reduction: the tap (kh, kw) and the channel of the whole tensor.
    struct Tap {
        std::int64_t kh = 0;
        std::int64_t kw = 0;
        std::int64_t channel = 0;
    };
    [[nodiscard]] Tap tap(std::int64_t k) const;

    /// `count` elements from byte `address` on, `stride` elements apart.
    template <class Element>
    void read(std::int64_t address, std::int64_t stride, std::span<Element> out) const;
    template <class Element>
    void image_run(std::int64_t i, const Tap& first, std::span<Element> out) const;
    template <class Element>
    void weights_run(std::int64_t i, const Tap& first, std::span<Element> out) const;
    [[nodiscard]] std::int64_t weights_address(const Tap& tap, std::int64_t output) const;

    Operand operand_;
    ConvView view_;
    const Sram* scratchpad_;
};

/// Pairs (k, row) of a weights operand whose channel and output are of one group: what there is of
/// it in memory.
[[nodiscard]] std::int64_t elements_in_memory(const Operand& operand, const ConvView& view);

}  // namespace systole::models
