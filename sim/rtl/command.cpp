#include "sim/rtl/command.hpp"

#include "models/base/interruption.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

namespace systole {
namespace {

/// Both ends of a pipe, closed with it.
class Pipe {
public:
    Pipe() {
        if (::pipe2(ends_.data(), O_CLOEXEC) != 0) {
            throw std::system_error{errno, std::generic_category(), "a pipe cannot be made"};
        }
    }
    ~Pipe() {
        close(0);
        close(1);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    [[nodiscard]] int end(std::size_t which) const { return ends_[which]; }
    void close(std::size_t which) {
        if (ends_[which] >= 0) {
            ::close(ends_[which]);
            ends_[which] = -1;
        }
    }

private:
    std::array<int, 2> ends_{-1, -1};
};

bool stopped(const std::atomic<bool>* stop) {
    return stop != nullptr && stop->load();
}

/// Until the last writer closes it, or someone asks to stop.
std::string read_all(int descriptor, const std::atomic<bool>* stop) {
    constexpr int look_again_ms = 100;
    std::string text;
    std::array<char, 4096> buffer{};
    while (!stopped(stop)) {
        pollfd ready{descriptor, POLLIN, 0};
        if (::poll(&ready, 1, look_again_ms) <= 0) {
            continue;
        }
        const auto count = ::read(descriptor, buffer.data(), buffer.size());
        if (count > 0) {
            text.append(buffer.data(), static_cast<std::size_t>(count));
        } else if (count == 0 || errno != EINTR) {
            break;
        }
    }
    return text;
}

int wait_for(pid_t process) {
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

CommandResult run_command(const std::vector<std::string>& words, const std::atomic<bool>* stop) {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const auto& word : words) {
        arguments.push_back(const_cast<char*>(word.c_str()));  // as execvp wants them; not written
    }
    arguments.push_back(nullptr);
    Pipe pipe;
    posix_spawn_file_actions_t actions{};
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, pipe.end(1), STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, pipe.end(1), STDERR_FILENO);
    // In a group of its own, so that it can be ended as a whole.
    posix_spawnattr_t attributes{};
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    pid_t process = 0;
    const int error = ::posix_spawnp(&process, arguments.front(), &actions, &attributes,
                                     arguments.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        return {error != ENOENT, 127, std::generic_category().message(error)};
    }
    pipe.close(1);
    CommandResult result;
    result.output = read_all(pipe.end(0), stop);
    if (stopped(stop)) {
        ::kill(-process, SIGTERM);  // with all that it has started
    }
    result.status = wait_for(process);
    check_stop(stop, "while an array was built");
    return result;
}

}  // namespace systole
