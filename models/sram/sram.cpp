#include "models/sram/sram.hpp"

namespace systole::models {

Sram::Sram(const SramConfig& config, bool values)
    : config_{config},
      store_(values ? static_cast<std::size_t>(config.size.count()) : 0) {}

std::span<std::byte> Sram::bytes(std::int64_t address, std::int64_t size) {
    SYSTOLE_ASSERT(address >= 0 && size >= 0 && size <= config_.size.count() &&
                       address <= config_.size.count() - size,
                   "an access outside of the SRAM");
    SYSTOLE_ASSERT(!store_.empty(), "bytes are asked of an SRAM that carries no values");
    return std::span{store_}.subspan(static_cast<std::size_t>(address),
                                     static_cast<std::size_t>(size));
}

std::span<const std::byte> Sram::bytes(std::int64_t address, std::int64_t size) const {
    SYSTOLE_ASSERT(address >= 0 && size >= 0 && size <= config_.size.count() &&
                       address <= config_.size.count() - size,
                   "an access outside of the SRAM");
    SYSTOLE_ASSERT(!store_.empty(), "bytes are asked of an SRAM that carries no values");
    return std::span{store_}.subspan(static_cast<std::size_t>(address),
                                     static_cast<std::size_t>(size));
}

Accumulators::Accumulators(std::int64_t depth, std::int64_t cols, bool values)
    : depth_{depth},
      cols_{cols},
      rows_(values ? static_cast<std::size_t>(depth) : 0) {}

std::span<std::uint32_t> Accumulators::row(std::int64_t row) {
    SYSTOLE_ASSERT(row >= 0 && row < depth_, "an access outside of the accumulators");
    SYSTOLE_ASSERT(!rows_.empty(), "sums are asked of accumulators that carry no values");
    auto& sums = rows_[static_cast<std::size_t>(row)];
    if (sums.empty()) {
        sums.resize(static_cast<std::size_t>(cols_));
    }
    return sums;
}

}  // namespace systole::models
