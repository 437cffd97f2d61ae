// What the README shows is what happens.

#include "tests/cli/shell.hpp"

#include <fstream>
#include <sstream>
#include <string>

namespace systole::test {
namespace {

using Readme = Shell;

/// The blocks fenced with ```<language>, joined.
std::string blocks(const std::string& language) {
    std::ifstream text{SYSTOLE_SOURCE "/README.md"};
    std::string all;
    bool in_block = false;
    bool wanted = false;
    for (std::string line; std::getline(text, line);) {
        if (line.rfind("```", 0) == 0) {
            in_block = !in_block;
            wanted = in_block && line == "```" + language;
        } else if (wanted) {
            all += line + "\n";
        }
    }
    return all;
}

TEST_F(Readme, HasCommandsThatRun) {
    std::istringstream lines{blocks("sh")};
    const std::string program = "scripts/systole ";
    int commands = 0;
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind(program, 0) != 0) {
            continue;
        }
        // Paths in the README are those of a clone.
        const auto setting =
            std::string{"ln -sfn '" SYSTOLE_SOURCE "/configs' configs; ln -sfn '"} + SYSTOLE_SOURCE
            "/workloads' workloads; ";
        const auto outcome = sh(setting + "systole " + line.substr(program.size()));
        EXPECT_EQ(outcome.status, 0) << line << "\n" << outcome.err;
        ++commands;
    }
    EXPECT_GE(commands, 13);
}

TEST_F(Readme, ShowsTheTableThatItsFirstCommandPrints) {
    const auto outcome = systole("run tpu_v1 mlp_1024x2048");
    std::istringstream shown{blocks("")};
    int lines = 0;
    for (std::string line; std::getline(shown, line) && line.find("chip.yaml") == std::string::npos;
         ++lines) {
        EXPECT_NE(outcome.out.find(line + "\n"), std::string::npos) << line;
    }
    EXPECT_GE(lines, 7);
}

TEST_F(Readme, HasAWorkloadThatRuns) {
    std::ofstream{place_ / "two_layers.yaml"} << blocks("yaml");
    const auto outcome = systole("run edge_32x32 two_layers.yaml");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
}

}  // namespace
}  // namespace systole::test
