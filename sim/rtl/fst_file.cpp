#include "sim/rtl/fst_file.hpp"

#include "models/base/diagnostics.hpp"

#include <array>
#include <cstdint>
#include <fstream>
#include <system_error>

namespace systole {
namespace {

/// The file is a row of blocks: a byte of their kind, then their length in 8 bytes, the highest
/// first, which counts itself and what follows it (W. Snyder, "fstapi" file format).
bool is_whole(const std::filesystem::path& file) {
    std::error_code error;
    const auto size = std::filesystem::file_size(file, error);
    std::ifstream in{file, std::ios::binary};
    std::uintmax_t at = 0;
    while (!error && in && at < size) {
        std::array<char, 9> head{};
        in.seekg(static_cast<std::streamoff>(at));
        in.read(head.data(), head.size());
        std::uintmax_t length = 0;
        for (std::size_t i = 1; i < head.size(); ++i) {
            length = length << 8 | static_cast<unsigned char>(head.at(i));
        }
        if (!in || length < 8 || length > size - at - 1) {
            return false;
        }
        at += 1 + length;
    }
    return !error && size > 0 && at == size;
}

}  // namespace

void check_fst_target(const PendingFile& file) {
    if (!file.is_regular()) {
        throw InputError{{{{file.target().string()},
                           "this is a device or a pipe",
                           "a waveform in FST needs a file of its own"}}};
    }
}

void commit_fst(PendingFile& file) {
    if (!is_whole(file.path())) {
        throw InputError{{{{file.target().string()},
                           "the wave cannot be written",
                           "--wave names a file in a folder that can be written and has room"}}};
    }
    file.commit();
}

}  // namespace systole
