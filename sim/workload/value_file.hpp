#pragma once

#include "models/numerics/format.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace systole {

/// An array of numbers, the last dimension contiguous.
struct ValueArray {
    std::vector<std::int64_t> shape;
    std::vector<double> values;
};

/// Reads a .npy or a .csv file, by its extension. Throws InputError with the place in the file.
[[nodiscard]] ValueArray read_values(const std::filesystem::path& path);

/// NumPy's format (NEP 1), versions 1.0 to 3.0: little-endian f2, f4, f8, i1, i2, i4, i8, u1 and
/// booleans. An array in Fortran order is transposed. NaN and infinity are read as they are, an
/// integer that a double does not hold is a fault. `file` names the source in faults.
[[nodiscard]] ValueArray parse_npy(const std::string& bytes, const std::string& file);

/// Finite decimal numbers, separated by commas; each line is a row, all of the same length. The
/// shape is [rows, columns].
[[nodiscard]] ValueArray parse_csv(const std::string& text, const std::string& file);

/// A .npy file of version 1.0 with the numbers converted to `format` (bf16, which NumPy has not,
/// is written as the equal f4).
[[nodiscard]] std::string to_npy(const ValueArray& array, numerics::Format format);

}  // namespace systole
