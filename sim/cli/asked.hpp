#pragma once

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the name is theirs
class App;
}

namespace systole {

/// The command that was asked for, innermost, and its name with those around it.
struct Asked {
    const CLI::App* command;
    std::string name = "systole";

    explicit Asked(const CLI::App& app);
};

/// A hint: the name that is nearest, or what is said otherwise.
[[nodiscard]] std::string did_you_mean(const std::string& name,
                                       const std::vector<std::string>& known,
                                       const std::string& otherwise);

/// Throws InputError if there are words that nothing of the command takes.
void refuse_extras(const Asked& asked);

}  // namespace systole
