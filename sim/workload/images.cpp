#include "sim/workload/graph_builder.hpp"
#include "sim/workload/numbers.hpp"
#include "sim/workload/window.hpp"

#include <fmt/format.h>

namespace systole {
namespace {

std::int64_t first_of(const Pair& pair) {
    return pair.front();
}
std::int64_t second_of(const Pair& pair) {
    return pair.back();
}

Window window_of(const models::ConvView& view, bool vertical) {
    return vertical
               ? Window{view.height, view.kernel_height, view.stride_height, view.dilation_height}
               : Window{view.width, view.kernel_width, view.stride_width, view.dilation_width};
}

}  // namespace

/// The first source, [batch, height, width, channels].
bool GraphBuilder::is_image(const Here& here) {
    const auto& shape = here.sources.front().shape;
    if (shape.size() != 4) {
        fault(here, fmt::format("needs [batch, height, width, channels], but its input is {}",
                                to_string(shape)));
    }
    return shape.size() == 4;
}

bool GraphBuilder::is_pair(const Here& here, const std::string& what, const Pair& pair) {
    if (pair.empty() || pair.size() > 2) {
        fault(here, fmt::format("'{}' has {} numbers", what, pair.size()),
              "write one, or [height, width]");
        return false;
    }
    return in_range(here, what, first_of(pair), 1) && in_range(here, what, second_of(pair), 1);
}

/// Kernel, stride, dilation, padding and the output's size of a view whose input is set.
bool GraphBuilder::set_windows(const Here& here, const Pair& kernel, const Pair& stride,
                               const Pair& dilation, const Padding& padding,
                               models::ConvView& view) {
    bool are_pairs = is_pair(here, "kernel", kernel);
    are_pairs = is_pair(here, "stride", stride) && are_pairs;
    are_pairs = is_pair(here, "dilation", dilation) && are_pairs;
    const bool are_pads =
        in_range(here, "padding", padding.top, 0) && in_range(here, "padding", padding.left, 0) &&
        in_range(here, "padding", padding.bottom, 0) && in_range(here, "padding", padding.right, 0);
    if (!are_pairs || !are_pads) {
        return false;
    }
    view.kernel_height = first_of(kernel);
    view.kernel_width = second_of(kernel);
    view.stride_height = first_of(stride);
    view.stride_width = second_of(stride);
    view.dilation_height = first_of(dilation);
    view.dilation_width = second_of(dilation);

    Window vertical = window_of(view, true);
    Window horizontal = window_of(view, false);
    if (padding.same) {
        vertical.pad_to_same();
        horizontal.pad_to_same();
    } else {
        vertical.before = padding.top;
        vertical.after = padding.bottom;
        horizontal.before = padding.left;
        horizontal.after = padding.right;
    }
    for (const auto& [window, name] :
         {std::pair{vertical, "high"}, std::pair{horizontal, "wide"}}) {
        if (!window.fits()) {
            fault(here, fmt::format("the kernel is {} pixels {}, its input with the padding {}",
                                    window.extent(), name, window.padded()));
            return false;
        }
    }
    view.pad_top = vertical.before;
    view.pad_left = horizontal.before;
    view.out_height = vertical.positions();
    view.out_width = horizontal.positions();
    if (std::holds_alternative<PoolLayer>(here.layer.op) &&
        (vertical.misses_image() || horizontal.misses_image())) {
        fault(here, "a window of the pool lies on padding alone",
              "padding must be less than the kernel");
        return false;
    }
    return true;
}

}  // namespace systole
