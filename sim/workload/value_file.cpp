#include "sim/workload/value_file.hpp"

#include "models/base/diagnostics.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

namespace systole {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, std::string what, std::string hint = {}) {
    throw InputError{{{{path.string(), 0, 0}, std::move(what), std::move(hint)}}};
}

/// The whole of a regular file: its size is known before anything is allocated.
std::string read_whole(const std::filesystem::path& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) {
        fail(path, "cannot be read: " + (error ? error.message() : std::strerror(ENOENT)));
    }
    if (!std::filesystem::is_regular_file(status)) {
        fail(path, "is not a regular file");
    }
    const auto size = std::filesystem::file_size(path, error);
    std::ifstream file{path, std::ios::binary};
    if (error || !file) {
        fail(path, std::string{"cannot be read: "} + std::strerror(errno));
    }
    std::string bytes(size, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(size));
    if (file.gcount() != static_cast<std::streamsize>(size)) {
        fail(path, "could not be read to its end");
    }
    return bytes;
}

}  // namespace

ValueArray read_values(const std::filesystem::path& path) {
    const auto extension = path.extension();
    if (extension == ".npy") {
        return parse_npy(read_whole(path), path.string());
    }
    if (extension == ".csv") {
        return parse_csv(read_whole(path), path.string());
    }
    fail(path, "values are read from .npy and .csv files",
         extension == ".npz" ? "extract the .npy files of the archive" : "");
}

}  // namespace systole
