#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace systole {

/// What the header of a .npy file says.
struct NpyHeader {
    std::string descr;  ///< "<f4"
    bool fortran_order = false;
    std::vector<std::int64_t> shape;
    std::size_t size = 0;  ///< bytes before the data
};

/// Throws std::invalid_argument with what is wrong.
[[nodiscard]] NpyHeader parse_npy_header(std::string_view bytes);
/// Padded so that the data begins at a multiple of 64 bytes.
[[nodiscard]] std::string npy_header(const NpyHeader& header);

}  // namespace systole
