#include "sim/report/output.hpp"

#include "models/base/diagnostics.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

namespace systole {
namespace {

[[noreturn]] void refuse(const std::string& target, int error) {
    std::string hint;
    if (error == ENOENT || error == ENOTDIR) {
        hint = "its directory must be there before the run";
    }
    throw InputError{
        {{{target, 0, 0}, std::string{"cannot write: "} + std::strerror(error), hint}}};
}

/// 0, or the error number.
int write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const auto written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno != EINTR) {
            return errno;
        }
        text.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
    return 0;
}

std::filesystem::path directory_of(const std::filesystem::path& file) {
    return file.has_parent_path() ? file.parent_path() : ".";
}

/// Makes the new name of a file outlast a power failure, where the file system can.
void sync_directory(const std::filesystem::path& directory) {
    const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        ::fsync(descriptor);
        ::close(descriptor);
    }
}

}  // namespace

PendingFile::PendingFile(std::filesystem::path target) : target_{std::move(target)} {
    std::error_code error;
    place_ = std::filesystem::canonical(target_, error);  // a link stays a link
    const bool exists = !error;
    place_ = exists ? place_ : target_;
    if (exists && std::filesystem::is_directory(place_)) {
        fail(EISDIR);
    }
    is_regular_ = !exists || std::filesystem::is_regular_file(place_);
    if (is_regular_) {
        if (exists && ::access(place_.c_str(), W_OK) != 0) {
            fail(errno);
        }
        path_ = directory_of(place_) /
                fmt::format(".{}.{}.partial", place_.filename().string(), ::getpid());
        descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } else {
        path_ = place_;
        descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    }
    if (descriptor_ < 0) {
        fail(errno);
    }
}

PendingFile::~PendingFile() {
    close_and_remove();
}

void PendingFile::write(std::string_view text) {
    if (const int error = write_all(descriptor_, text); error != 0) {
        fail(error);
    }
}

void PendingFile::commit() {
    if (is_regular_ && ::fsync(descriptor_) != 0) {
        fail(errno);
    }
    if (::close(std::exchange(descriptor_, -1)) != 0) {
        fail(errno);
    }
    if (is_regular_) {
        if (::rename(path_.c_str(), place_.c_str()) != 0) {
            fail(errno);
        }
        path_.clear();
        sync_directory(directory_of(place_));
    }
}

void PendingFile::fail(int error) const {
    refuse(target_.string(), error);
}

void PendingFile::close_and_remove() {
    if (descriptor_ >= 0) {
        ::close(std::exchange(descriptor_, -1));
    }
    if (is_regular_ && !path_.empty()) {
        ::unlink(path_.c_str());
    }
}

void write_to_stdout(std::string_view text) {
    if (const int error = write_all(STDOUT_FILENO, text); error != 0) {
        if (error == EPIPE) {
            // Nobody reads any more, as behind `| head`: end as other programs do.
            std::signal(SIGPIPE, SIG_DFL);
            std::raise(SIGPIPE);
        }
        refuse("standard output", error);
    }
}

}  // namespace systole
