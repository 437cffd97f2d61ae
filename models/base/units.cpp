#include "models/base/units.hpp"

#include <cmath>

namespace systole {

Cycles cycles_in(Seconds time, Hertz clock) {
    // The nearest representable product may lie a hair above a whole number of cycles.
    const double exact = time.count() * clock.count();
    const double whole = std::round(exact);
    const bool is_whole = std::abs(exact - whole) <= 1e-9 * std::max(1.0, whole);
    return Cycles{static_cast<std::int64_t>(is_whole ? whole : std::ceil(exact))};
}

}  // namespace systole
