#pragma once

#include <filesystem>

namespace systole::test {

/// Writes the FST waveform as a Value Change Dump, by the library of its format. False: it is none.
[[nodiscard]] bool fst_to_vcd(const std::filesystem::path& fst, const std::filesystem::path& vcd);

}  // namespace systole::test
