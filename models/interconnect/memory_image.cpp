#include "models/interconnect/memory_image.hpp"

namespace systole::models {

void MemoryImage::resize(Bytes dram, Bytes shared) {
    dram_.assign(static_cast<std::size_t>(dram.count()), std::byte{});
    shared_.assign(static_cast<std::size_t>(shared.count()), std::byte{});
}

std::span<std::byte> MemoryImage::bytes(Address address, std::int64_t size) {
    auto& store = address.space == Space::dram ? dram_ : shared_;
    SYSTOLE_ASSERT(address.offset >= 0 && size >= 0 &&
                       checked_add(address.offset, size) <= static_cast<std::int64_t>(store.size()),
                   "a transfer outside of the memory");
    return std::span{store}.subspan(static_cast<std::size_t>(address.offset),
                                    static_cast<std::size_t>(size));
}

}  // namespace systole::models
