#pragma once

#include "models/base/units.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace systole {
template <class C>
class Schema;
}

namespace systole::models {

/// On-chip SRAM: scratchpad, or shared by the cores. Words of `width` bytes lie round-robin over
/// the banks, and each unit (array west, array north, vector, DMA) has a port of one word a cycle;
/// with at least as many banks as ports, streams settle on different banks and do not collide.
struct SramConfig {
    Bytes size{};
    std::int64_t banks = 16;
    Bytes width{32};  ///< one word: what a port moves in a cycle
};

void describe(Schema<SramConfig>& schema);

/// An SRAM that the cores share, behind the interconnect: all banks together answer banks · width
/// bytes a cycle.
struct SharedSramConfig {
    Bytes size{};
    std::int64_t banks = 16;
    Bytes width{32};
    std::int64_t latency = 4;  ///< cycles from a request to its first word
};

void describe(Schema<SharedSramConfig>& schema);

/// The bytes of an SRAM, held only when values are carried. An access outside of it is a defect of
/// the program that was run.
class Sram {
public:
    Sram(const SramConfig& config, bool values);

    [[nodiscard]] const SramConfig& config() const { return config_; }
    /// Accesses, and so beats of a port, that move `size`.
    [[nodiscard]] std::int64_t beats(Bytes size) const {
        return transfer_time(size, config_.width).count();
    }
    [[nodiscard]] std::span<std::byte> bytes(std::int64_t address, std::int64_t size);
    [[nodiscard]] std::span<const std::byte> bytes(std::int64_t address, std::int64_t size) const;

private:
    SramConfig config_;
    std::vector<std::byte> store_;
};

/// The sums below the array: `depth` rows of `cols` 32-bit words (int32 or fp32 bit patterns).
class Accumulators {
public:
    Accumulators(std::int64_t depth, std::int64_t cols, bool values);

    [[nodiscard]] std::int64_t depth() const { return depth_; }
    [[nodiscard]] std::int64_t cols() const { return cols_; }
    [[nodiscard]] std::span<std::uint32_t> row(std::int64_t row);

private:
    std::int64_t depth_;
    std::int64_t cols_;
    std::vector<std::vector<std::uint32_t>> rows_;  ///< a row is allocated when first touched
};

}  // namespace systole::models
