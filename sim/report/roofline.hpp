#pragma once

#include "models/base/units.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace systole {

/// A roof: so much arithmetic a second at most, and so many bytes over one boundary.
struct Roof {
    double flops_per_s = 0;
    std::optional<double> bytes_per_s;  ///< absent: the boundary takes no time

    /// FLOP per byte from which on the arithmetic is the limit.
    [[nodiscard]] double ridge() const { return bytes_per_s ? flops_per_s / *bytes_per_s : 0; }
};

/// The place of some work below a roof.
struct RooflinePoint {
    /// FLOP per byte over the boundary; absent when nothing crossed it.
    std::optional<double> operational_intensity;
    double attained_flops_per_s = 0;
    double roof_flops_per_s = 0;          ///< min(peak, intensity · bandwidth)
    std::optional<double> roof_fraction;  ///< attained / roof; absent below a roof of 0
    std::string bound;                    ///< "memory" left of the ridge, "compute" right of it
};

/// Work that has no FLOP and moves bytes lies at intensity 0 below a roof of 0: memory-bound. Work
/// that moves no bytes has the peak for its roof. Work without time attains nothing.
[[nodiscard]] RooflinePoint place(const Roof& roof, std::int64_t flops, std::int64_t bytes,
                                  Seconds time);

}  // namespace systole
