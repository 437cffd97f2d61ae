#include "sim/cli/progress.hpp"

#include "sim/report/numbers.hpp"
#include "sim/report/table.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>

namespace systole {
namespace {

constexpr const char* clear_line = "\r\x1b[K";

}  // namespace

Progress::Progress(const Graph& graph, bool wanted)
    : shown_{wanted && ::isatty(STDERR_FILENO) == 1} {
    std::int64_t macs = 0;
    for (const auto& op : graph.operators) {
        macs = checked_add(macs, op.macs);
        macs_up_to_.push_back(macs);
    }
}

Progress::~Progress() {
    if (shown_) {
        std::fputs(clear_line, stderr);
    }
}

void Progress::layer_ended(int layer, Cycles now) {
    if (!shown_) {
        return;
    }
    const auto all = macs_up_to_.back();
    const auto done = macs_up_to_[static_cast<std::size_t>(layer)];
    const double share =
        all > 0 ? static_cast<double>(done) / static_cast<double>(all)
                : static_cast<double>(layer + 1) / static_cast<double>(macs_up_to_.size());
    std::fputs(fmt::format("{}layer {} of {} done at cycle {}, {} % of the MACs", clear_line,
                           layer + 1, macs_up_to_.size(), grouped(now.count()), percent(share))
                   .c_str(),
               stderr);
}

}  // namespace systole
