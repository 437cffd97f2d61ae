#include "sim/report/roofline.hpp"

#include <algorithm>

namespace systole {

RooflinePoint place(const Roof& roof, std::int64_t flops, std::int64_t bytes, Seconds time) {
    RooflinePoint point;
    point.roof_flops_per_s = roof.flops_per_s;
    point.bound = "compute";
    if (bytes > 0) {
        const double intensity = static_cast<double>(flops) / static_cast<double>(bytes);
        point.operational_intensity = intensity;
        if (roof.bytes_per_s && intensity < roof.ridge()) {
            point.bound = "memory";
            point.roof_flops_per_s = std::min(roof.flops_per_s, intensity * *roof.bytes_per_s);
        }
    }
    if (time > Seconds{0}) {
        point.attained_flops_per_s = static_cast<double>(flops) / time.count();
    }
    if (point.roof_flops_per_s > 0) {
        point.roof_fraction = point.attained_flops_per_s / point.roof_flops_per_s;
    }
    return point;
}

}  // namespace systole
