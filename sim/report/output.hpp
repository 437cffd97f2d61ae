#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace systole {

/// A file that appears under its name as a whole or not at all: it is written beside its target
/// under another name, and takes its place in commit(). Without a commit() it vanishes. A target
/// that is a device or a pipe is written to directly. Faults are InputErrors that name the target.
class PendingFile {
public:
    explicit PendingFile(std::filesystem::path target);
    ~PendingFile();
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;

    void write(std::string_view text);
    /// What was written is on the disk, and the target is it.
    void commit();

    /// Where the bytes are until then, for what writes its files itself.
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    /// As the user wrote it.
    [[nodiscard]] const std::filesystem::path& target() const { return target_; }
    /// No device and no pipe.
    [[nodiscard]] bool is_regular() const { return is_regular_; }

private:
    [[noreturn]] void fail(int error) const;
    void close_and_remove();

    std::filesystem::path target_;  ///< as the user wrote it
    std::filesystem::path place_;   ///< the same without links
    std::filesystem::path path_;
    int descriptor_ = -1;
    bool is_regular_ = true;
};

/// Writes results to standard output; InputError when they cannot all be written.
void write_to_stdout(std::string_view text);

}  // namespace systole
