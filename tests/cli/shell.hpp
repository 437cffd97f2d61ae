#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace systole::test {

/// What a program left behind.
struct Outcome {
    int status = -1;
    std::string out;
    std::string err;
};

/// Runs the real program from a directory that is empty at first and gone at last.
class Shell : public testing::Test {
protected:
    Shell() {
        auto name = (std::filesystem::temp_directory_path() / "systole_cli_XXXXXX").string();
        place_ = ::mkdtemp(name.data());
    }
    ~Shell() override { std::filesystem::remove_all(place_); }

    /// A command of a POSIX shell in which `systole` is our program.
    [[nodiscard]] Outcome sh(const std::string& command) const {
        const auto script = place_ / ".command";
        std::ofstream{script} << "cd '" << place_.string() << "' || exit 99\n"
                              << "systole() { '" SYSTOLE_PROGRAM "' \"$@\"; }\n"
                              << command << "\n";
        const auto out = place_ / ".out";
        const auto err = place_ / ".err";
        const auto line =
            "sh '" + script.string() + "' >'" + out.string() + "' 2>'" + err.string() + "'";
        const int status = std::system(line.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content(out), content(err)};
    }
    [[nodiscard]] Outcome systole(const std::string& arguments) const {
        return sh("systole " + arguments);
    }

    static std::string content(const std::filesystem::path& file) {
        std::ostringstream text;
        text << std::ifstream{file, std::ios::binary}.rdbuf();
        return text.str();
    }

    /// Files that a command left, hidden ones of its own included.
    [[nodiscard]] std::string files() const {
        std::string names;
        for (const auto& entry : std::filesystem::directory_iterator{place_}) {
            const auto name = entry.path().filename().string();
            if (name != ".command" && name != ".out" && name != ".err") {
                names += name + " ";
            }
        }
        return names;
    }

    std::filesystem::path place_;
};

}  // namespace systole::test
