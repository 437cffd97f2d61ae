#include "models/sram/sram.hpp"

namespace systole::models {

Sram::Sram(const SramConfig& config, bool values)
    : config_{config},
      store_(values ? static_cast<std::size_t>(config.size.count()) : 0) {}

std::span<std::byte> Sram::bytes(std::int64_t address, std::int64_t size) {
    SYSTOLE_ASSERT(address >= 0 && size >= 0 &&
                       checked_add(address, size) <= static_cast<std::int64_t>(store_.size()),
                   "an access outside of an SRAM, or to one that holds no values");
    return std::span{store_}.subspan(static_cast<std::size_t>(address),
                                     static_cast<std::size_t>(size));
}

std::span<const std::byte> Sram::bytes(std::int64_t address, std::int64_t size) const {
    return const_cast<Sram*>(this)->bytes(address, size);
}

Accumulators::Accumulators(std::int64_t depth, std::int64_t cols, bool values)
    : depth_{depth},
      cols_{cols},
      rows_(values ? static_cast<std::size_t>(depth) : 0) {}

std::span<std::uint32_t> Accumulators::row(std::int64_t row) {
    SYSTOLE_ASSERT(row >= 0 && row < static_cast<std::int64_t>(rows_.size()),
                   "an access outside of the accumulators, or to ones that hold no values");
    auto& sums = rows_[static_cast<std::size_t>(row)];
    sums.resize(static_cast<std::size_t>(cols_));
    return sums;
}

}  // namespace systole::models
