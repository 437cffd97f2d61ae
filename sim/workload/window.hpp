#pragma once

#include <cstdint>

namespace systole {

/// One dimension of a convolution or a pool: `kernel` taps, `dilation` apart, that move by `stride`
/// over `size` pixels with `before` and `after` pixels of padding.
struct Window {
    std::int64_t size = 1;
    std::int64_t kernel = 1;
    std::int64_t stride = 1;
    std::int64_t dilation = 1;
    std::int64_t before = 0;
    std::int64_t after = 0;

    /// Pixels from the first tap to the last, both included.
    [[nodiscard]] std::int64_t extent() const { return (kernel - 1) * dilation + 1; }
    [[nodiscard]] std::int64_t padded() const { return size + before + after; }
    [[nodiscard]] bool fits() const { return extent() <= padded(); }

    /// ⌊(padded − extent) / stride⌋ + 1: windows that lie within the padded image, as PyTorch's
    /// convolution counts them. 0 if none does.
    [[nodiscard]] std::int64_t positions() const;

    /// Some window lies on padding alone, so that a pool has nothing to choose from.
    [[nodiscard]] bool misses_image() const;

    /// Sets the padding to that of TensorFlow's SAME: ⌈size / stride⌉ positions, the odd pixel of
    /// padding behind.
    void pad_to_same();
};

}  // namespace systole
