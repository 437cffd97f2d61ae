#include "models/matrix_unit/tile.hpp"

#include "models/matrix_unit/operand.hpp"
#include "models/sram/sram.hpp"

#include <algorithm>

namespace systole::models {

SystolicTile::SystolicTile(const SystolicConfig& config, const Operand& north, const ConvView& view,
                           std::int64_t port_width)
    : config_{&config},
      north_{north},
      view_{&view},
      port_width_{port_width} {
    check_format(config.formats, view.format);
    SYSTOLE_ASSERT(north.depth >= 1 && north.rows >= 1, "an empty operand");
    SYSTOLE_ASSERT(north.rows <= config.cols, "a tile is wider than the array");
    SYSTOLE_ASSERT(config.dataflow == Dataflow::output_stationary || north.depth <= config.rows,
                   "a tile is deeper than the array");
}

ArrayExtent SystolicTile::extent() const {
    return config_->edge_tiles == EdgeTiles::full ? ArrayExtent{config_->rows, config_->cols}
                                                  : ArrayExtent{depth(), cols()};
}

ArrayExtent SystolicTile::extent(std::int64_t west_rows) const {
    return config_->edge_tiles == EdgeTiles::full ? ArrayExtent{config_->rows, config_->cols}
                                                  : ArrayExtent{west_rows, cols()};
}

std::int64_t SystolicTile::beats_per_row() const {
    return std::max(std::int64_t{1}, beats(cols() * element()));
}

void SystolicTile::count_preload(Counters& counters) const {
    counters.stationary_rows += extent().rows;
    counters.scratchpad_reads += depth() * beats(cols() * element());
    const std::int64_t elements = north_.kind == Operand::Kind::weights && view_->groups > 1
                                      ? elements_in_memory(north_, *view_)
                                      : depth() * cols();
    counters.scratchpad_read_bytes += elements * element();
}

void SystolicTile::count_stream(Counters& counters, const Stream& stream) const {
    const std::int64_t bytes = stream.west.rows * stream.west.depth * element();
    const std::int64_t sums = stream.west.rows * cols();
    counters.macs += stream.macs;
    counters.rows_streamed += stream.west.rows;
    counters.scratchpad_reads += beats(bytes);
    counters.scratchpad_read_bytes += bytes;
    counters.accumulator_writes += sums;
    counters.accumulator_reads += stream.accumulate ? sums : 0;
}

void SystolicTile::count_moving(Counters& counters, const Stream& stream) const {
    const std::int64_t west_bytes = stream.west.rows * depth() * element();
    const std::int64_t north_bytes = cols() * depth() * element();
    const std::int64_t sums = stream.west.rows * cols();
    counters.macs += stream.macs;
    counters.rows_streamed += depth();
    counters.scratchpad_reads += beats(west_bytes) + beats(north_bytes);
    counters.scratchpad_read_bytes += west_bytes + north_bytes;
    counters.accumulator_writes += sums;
    counters.accumulator_reads += stream.accumulate ? sums : 0;
}

void check_stream(const Stream& stream, std::int64_t cols, const Accumulators& accumulators) {
    SYSTOLE_ASSERT(stream.west.rows >= 1 && stream.west.depth >= 1, "an empty operand");
    SYSTOLE_ASSERT(
        stream.sums.row >= 0 && stream.sums.row <= accumulators.depth() - stream.west.rows,
        "a tile has more rows than there are accumulators");
    SYSTOLE_ASSERT(cols <= accumulators.cols(), "a tile is wider than the accumulators");
}

void check_format(const std::vector<Format>& formats, Format format) {
    SYSTOLE_ASSERT(format != Format::int32 && std::ranges::count(formats, format) > 0,
                   "the matrix unit does not have this format");
}

}  // namespace systole::models
