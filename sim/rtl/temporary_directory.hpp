#pragma once

#include <filesystem>

namespace systole {

/// An empty directory that goes with this.
class TemporaryDirectory {
public:
    /// Throws InputError when none can be made in `place`.
    explicit TemporaryDirectory(const std::filesystem::path& place);
    ~TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace systole
