#pragma once

#include <atomic>
#include <string>
#include <vector>

namespace systole {

/// What a program that was run had to say.
struct CommandResult {
    bool found = true;   ///< false: there is no such program
    int status = 0;      ///< of its exit, or 128 + the signal that ended it
    std::string output;  ///< both streams, as they came
};

/// Runs a program, found by PATH, and waits for it. Its input is empty. When `stop`, which may be
/// null, becomes true, the program is ended and Interrupted is thrown.
[[nodiscard]] CommandResult run_command(const std::vector<std::string>& words,
                                        const std::atomic<bool>* stop);

}  // namespace systole
