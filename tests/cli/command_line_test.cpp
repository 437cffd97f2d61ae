#include "tests/cli/shell.hpp"
#include "tests/support/golden.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace systole {
namespace {

class CommandLine : public test::Shell {
protected:
    void expect_refusal(const std::string& arguments, const std::string& message) const {
        const auto outcome = systole(arguments);
        EXPECT_EQ(outcome.status, 2) << arguments;
        EXPECT_EQ(outcome.out, "") << arguments;
        EXPECT_EQ(outcome.err, message) << arguments;
    }
};

const std::vector<std::string> commands{"run", "check", "list", "show"};

TEST_F(CommandLine, HelpsOnStandardOutput) {
    for (const auto& command : commands) {
        const auto help = systole(command + " --help");
        EXPECT_EQ(help.status, 0);
        EXPECT_EQ(help.err, "");
        test::expect_golden("help_" + command + ".txt", help.out);
    }
    test::expect_golden("help.txt", systole("--help").out);
}

TEST_F(CommandLine, HasExamplesThatRun) {
    int examples = 0;
    auto with_examples = commands;
    with_examples.emplace_back();
    for (const auto& command : with_examples) {
        std::istringstream help{systole(command + " --help").out};
        for (std::string line; std::getline(help, line);) {
            if (line.rfind("  systole ", 0) == 0) {
                const auto outcome = sh(line);
                EXPECT_EQ(outcome.status, 0) << line << "\n" << outcome.err;
                EXPECT_NE(outcome.out, "") << line;
                ++examples;
            }
        }
    }
    EXPECT_GE(examples, 9);
}

TEST_F(CommandLine, HelpsOnStandardErrorWhenNothingIsAsked) {
    const auto outcome = systole("");
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, systole("--help").out);
}

TEST_F(CommandLine, TellsItsVersion) {
    const auto outcome = systole("--version");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.out.rfind("systole " SYSTOLE_VERSION " (", 0), 0U) << outcome.out;
}

TEST_F(CommandLine, NamesTheNearestCommandAndOption) {
    expect_refusal("rn tpu_v1 gemm",
                   "systole: error: unknown command 'rn'\n  hint: did you mean 'run'?\n");
    expect_refusal("frobnicate",
                   "systole: error: unknown command 'frobnicate'\n  hint: see systole --help\n");
    expect_refusal("run tpu_v1 gemm --fidelty cycle",
                   "systole run: error: unknown option '--fidelty'\n"
                   "  hint: did you mean '--fidelity'?\n");
    expect_refusal("list --chips",
                   "systole list: error: unknown option '--chips'\n"
                   "  hint: see systole list --help\n");
}

TEST_F(CommandLine, NamesTheNearestChipAndWorkload) {
    expect_refusal("run von_neuman gemm",
                   "von_neuman: error: there is no chip of this name, nor a file\n"
                   "  hint: did you mean 'von_neumann'?\n");
    expect_refusal("run tpu_v1 lenet",
                   "lenet: error: there is no workload of this name, nor a "
                   "file\n  hint: did you mean 'lenet5'?\n");
    expect_refusal("show lenet",
                   "lenet: error: no such file, chip or workload\n"
                   "  hint: did you mean 'lenet5'?\n");
}

TEST_F(CommandLine, RefusesWhatIsMissingOrTooMuch) {
    expect_refusal("run",
                   "systole run: error: CHIP is required\n"
                   "  hint: see systole run --help\n");
    expect_refusal("run tpu_v1",
                   "systole run: error: WORKLOAD is required\n"
                   "  hint: see systole run --help\n");
    expect_refusal("run tpu_v1 gemm lenet5",
                   "systole run: error: there is no place for 'lenet5'\n"
                   "  hint: see systole run --help\n");
    expect_refusal("check",
                   "systole check: error: FILE is required\n"
                   "  hint: see systole check --help\n");
}

TEST_F(CommandLine, RefusesValuesThatOptionsCannotTake) {
    const std::string hint = "\n  hint: see systole run --help\n";
    expect_refusal("run tpu_v1 gemm --fidelity slow",
                   "systole run: error: --fidelity: 'slow' is none of fast, cycle, rtl" + hint);
    expect_refusal("run tpu_v1 gemm --format xml",
                   "systole run: error: --format: 'xml' is none of table, json, csv" + hint);
    expect_refusal(
        "run tpu_v1 gemm --seed -1",
        "systole run: error: --seed: '-1' is no integer from 0 to 9223372036854775807" + hint);
    expect_refusal(
        "run tpu_v1 gemm --seed 1.5",
        "systole run: error: --seed: '1.5' is no integer from 0 to 9223372036854775807" + hint);
    expect_refusal(
        "run tpu_v1 gemm --wave-cycles 0",
        "systole run: error: --wave-cycles: '0' is no integer from 1 to 9223372036854775807" +
            hint);
}

TEST_F(CommandLine, RefusesOptionsThatDoNotGoTogether) {
    expect_refusal("run tiny_4x4 lenet5 --wave w.vcd",
                   "systole run: error: --wave needs the registers of every PE\n"
                   "  hint: add --fidelity cycle\n");
    expect_refusal("run tiny_4x4 lenet5 --wave-from 3",
                   "systole run: error: --wave-from and --wave-cycles choose a part of a waveform\n"
                   "  hint: add --wave FILE\n");
    expect_refusal("run tiny_4x4 lenet5 --out same --trace same",
                   "systole run: error: two outputs have the name 'same'\n"
                   "  hint: give each its own file\n");
    expect_refusal("show tiny_4x4 --program",
                   "systole show: error: --program needs a chip and a workload\n"
                   "  hint: systole show tiny_4x4 course/2_1_perceptron --program\n");
    expect_refusal("show lenet5 tpu_v1",
                   "systole show: error: 'lenet5' is a workload, not a chip\n"
                   "  hint: the chip comes first, then the workload\n");
    EXPECT_EQ(files(), "");
}

TEST_F(CommandLine, RefusesOverridesThatNameNothing) {
    expect_refusal("run tpu_v1 gemm --set chip.core.matrix.rws=3",
                   "--set chip.core.matrix.rws=3: error: unknown key 'rws'\n"
                   "  hint: did you mean 'rows'?\n");
}

}  // namespace
}  // namespace systole
