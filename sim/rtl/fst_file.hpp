#pragma once

#include <filesystem>

namespace systole {

/// Throws InputError that names `target`, unless the file is an FST waveform to its end: what
/// writes it does not tell of a full disk.
void check_fst(const std::filesystem::path& file, const std::filesystem::path& target);

}  // namespace systole
