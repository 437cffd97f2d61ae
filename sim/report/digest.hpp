#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace systole {

/// SHA-256 (FIPS 180-4) as 64 hexadecimal digits.
[[nodiscard]] std::string sha256(std::string_view bytes);

/// Of a file's bytes. Throws InputError where they cannot be read.
[[nodiscard]] std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace systole
