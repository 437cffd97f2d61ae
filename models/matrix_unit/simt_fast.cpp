#include "models/matrix_unit/simt.hpp"
#include "models/matrix_unit/tile_values.hpp"

namespace systole::models {

/// Every row of the tile is alike: k times the groups of full width and the one that is left over,
/// of which the first reads no sums when the tile overwrites.
void SimtFast::begin(Cycles now) {
    const Stream& tile = stream();
    const std::int64_t rows = tile.west.rows;
    const std::int64_t depth = tile.west.depth;
    const std::int64_t full_groups = tile.north.rows / config().lanes;
    const std::int64_t rest = tile.north.rows % config().lanes;
    Counters& counters = context().count(*running());
    std::int64_t cycles = 0;
    const auto add = [&](std::int64_t lanes, std::int64_t steps, bool reads_sums) {
        if (lanes == 0 || steps == 0) {
            return;
        }
        const SimtStep step = simt_step(lanes, reads_sums, element(), width());
        cycles += checked_multiply(steps, step.beats());
        counters.scratchpad_reads += steps * (step.west + step.north + step.sums_read);
        counters.scratchpad_writes += steps * step.sums_written;
        const std::int64_t sums = 4 * lanes;
        counters.scratchpad_read_bytes +=
            steps * ((1 + lanes) * element() + (reads_sums ? sums : 0));
        counters.scratchpad_write_bytes += steps * sums;
    };
    const std::int64_t first = tile.accumulate ? 0 : rows;
    const std::int64_t others = checked_multiply(rows, depth) - first;
    add(config().lanes, checked_multiply(full_groups, first), false);
    add(config().lanes, checked_multiply(full_groups, others), true);
    add(rest, first, false);
    add(rest, others, true);
    counters.macs += tile.macs;
    end_ = now + Cycles{cycles};
    if (context().values) {
        multiply_moving(reader(tile.west), reader(tile.north), context().view(*running()).format,
                        {}, tile.sums, tile.accumulate, ChainStart::held, *context().accumulators);
    }
}

void SimtFast::advance(Cycles now) {
    if (running() != nullptr && end_ <= now) {
        finish(now);
    }
}

}  // namespace systole::models
