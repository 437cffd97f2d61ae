#include "sim/workload/window.hpp"

#include "models/base/units.hpp"

#include <algorithm>

namespace systole {

std::int64_t Window::positions() const {
    return fits() ? (padded() - extent()) / stride + 1 : 0;
}

bool Window::misses_image() const {
    const std::int64_t last_start = (positions() - 1) * stride - before;
    return before >= extent() || last_start >= size;
}

void Window::pad_to_same() {
    const std::int64_t outputs = ceil_div(size, stride);
    const std::int64_t needed = (outputs - 1) * stride + extent() - size;
    const std::int64_t total = std::max<std::int64_t>(0, needed);
    before = total / 2;
    after = total - before;
}

}  // namespace systole
