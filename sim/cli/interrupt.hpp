#pragma once

#include <atomic>

namespace systole {

/// From now on SIGINT, SIGTERM and SIGHUP ask the run to stop, once; the second one ends the
/// program. Writing to a closed pipe, or beyond the largest file allowed, becomes an error like any
/// other.
void catch_signals();

/// Becomes true when the program is asked to stop.
[[nodiscard]] const std::atomic<bool>& stop_requested();

/// The signal that asked, or 0.
[[nodiscard]] int stop_signal();

}  // namespace systole
