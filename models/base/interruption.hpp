#pragma once

#include <atomic>
#include <stdexcept>
#include <string>

namespace systole {

/// Someone asked for an early end.
class Interrupted : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Throws Interrupted when `stop`, which may be null, has become true.
inline void check_stop(const std::atomic<bool>* stop, const char* when) {
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) {
        throw Interrupted{std::string{"interrupted "} + when};
    }
}

}  // namespace systole
