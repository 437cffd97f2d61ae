#include "sim/cli/interrupt.hpp"

#include <csignal>

namespace systole {
namespace {

// A signal handler can reach nothing but what is global.
std::atomic<bool> stop{false};
std::atomic<int> caught{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void on_signal(int signal) {
    caught = signal;
    stop = true;
    std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_signals() {
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    std::signal(SIGHUP, on_signal);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

const std::atomic<bool>& stop_requested() {
    return stop;
}

int stop_signal() {
    return caught;
}

}  // namespace systole
