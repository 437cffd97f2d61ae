#include "sim/run/memory_need.hpp"

#include "models/matrix_unit/pe_array.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <set>
#include <string>
#include <variant>

namespace systole {
namespace {

std::int64_t register_bytes(const Graph& graph, const models::ChipConfig& chip) {
    const auto* array = std::get_if<models::SystolicConfig>(&chip.core.matrix);
    if (array == nullptr) {
        return 0;
    }
    std::set<Format> formats;
    for (const Operator& op : graph.operators) {
        if (op.kind == Operator::Kind::matrix) {
            // Narrow floating formats are widened into registers of fp32.
            formats.insert(op.view.format == Format::int8 ? Format::int8 : Format::fp32);
        }
    }
    std::int64_t bytes = 0;
    for (const Format format : formats) {
        bytes =
            checked_add(bytes, models::pe_array_bytes(models::shape_of(*array, format)).count());
    }
    return checked_multiply(bytes, chip.cores);
}

}  // namespace

Bytes memory_need(const Graph& graph, const models::ChipConfig& chip, const Mapping& mapping,
                  const models::RunOptions& options) {
    std::int64_t bytes =
        options.fidelity == models::Fidelity::cycle ? register_bytes(graph, chip) : 0;
    if (options.values) {
        bytes = checked_add(bytes, (mapping.dram_used + mapping.shared_used).count());
        bytes = checked_add(bytes, checked_multiply(chip.core.scratchpad.size.count(), chip.cores));
    }
    return Bytes{bytes};
}

Bytes memory_of_host() {
    std::int64_t bytes = std::numeric_limits<std::int64_t>::max();
    std::ifstream file{"/proc/meminfo"};
    std::string key;
    std::int64_t kibibytes = 0;
    while (file >> key >> kibibytes) {
        if (key == "MemAvailable:") {
            bytes = checked_multiply(kibibytes, 1024);
        }
        file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        bytes = std::min(
            bytes, static_cast<std::int64_t>(std::min<rlim_t>(limit.rlim_cur, rlim_t{1} << 62)));
    }
    return Bytes{bytes};
}

void check_memory(const Graph& graph, const models::ChipConfig& chip, const Mapping& mapping,
                  const models::RunOptions& options) {
    const Bytes need = memory_need(graph, chip, mapping, options);
    const Bytes there = memory_of_host();
    if (need > there) {
        const bool cycle = options.fidelity == models::Fidelity::cycle;
        throw InputError{{{{"systole run"},
                           fmt::format("chip '{}' needs {} bytes of this machine's memory, which "
                                       "has {} to give",
                                       chip.name, need.count(), there.count()),
                           cycle ? "run it at --fidelity fast, which holds no registers, or "
                                   "without --values"
                                 : "run it without --values: the cycles are the same"}}};
    }
}

}  // namespace systole
