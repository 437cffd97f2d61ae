#pragma once

#include "models/core/program.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace systole::models {

/// The bytes of main memory and of the shared SRAM, when values are carried.
class MemoryImage {
public:
    void resize(Bytes dram, Bytes shared);
    [[nodiscard]] std::span<std::byte> bytes(Address address, std::int64_t size);

private:
    std::vector<std::byte> dram_;
    std::vector<std::byte> shared_;
};

}  // namespace systole::models
