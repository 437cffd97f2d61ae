#include "tests/cli/shell.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <utility>

// What goes wrong outside of the simulator leaves a message, a status and nothing half-written.

namespace systole {
namespace {

class Trouble : public test::Shell {
protected:
    void expect_refusal(const test::Outcome& outcome, const std::string& message) const {
        EXPECT_EQ(outcome.status, 2);
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(outcome.err, message);
    }
};

const std::string full = ": error: cannot write: No space left on device\n";

TEST_F(Trouble, TellsOfAFullStandardOutput) {
    expect_refusal(sh("systole run tpu_v1 lenet5 > /dev/full"), "standard output" + full);
    expect_refusal(sh("systole list > /dev/full"), "standard output" + full);
    expect_refusal(sh("systole run --help > /dev/full"), "standard output" + full);
}

TEST_F(Trouble, TellsOfAClosedStandardOutput) {
    expect_refusal(sh("systole list chips >&-"),
                   "standard output: error: cannot write: Bad file descriptor\n");
    // A file that is opened meanwhile must not take the place of standard output.
    const auto outcome = sh("systole run tiny_4x4 lenet5 --trace t.json >&-");
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(content(place_ / "t.json").find("MACs in"), std::string::npos);
}

TEST_F(Trouble, EndsQuietlyWhenNobodyReads) {
    const auto outcome = sh("{ systole show tiny_4x4 lenet5 --program; echo $? > status; } | true");
    EXPECT_EQ(content(place_ / "status"), "141\n");
    EXPECT_EQ(outcome.err, "");
}

TEST_F(Trouble, TellsOfAFullDevice) {
    expect_refusal(systole("run tpu_v1 lenet5 --out /dev/full"), "/dev/full" + full);
    expect_refusal(systole("run tpu_v1 lenet5 --trace /dev/full"), "/dev/full" + full);
}

TEST_F(Trouble, LeavesNothingOfAFileThatDoesNotFit) {
    const auto outcome = sh("ulimit -f 1; systole run tpu_v1 lenet5 --out r.json");
    expect_refusal(outcome, "r.json: error: cannot write: File too large\n");
    EXPECT_EQ(files(), "");
}

TEST_F(Trouble, KeepsTheOldFileWhenTheNewOneDoesNotFit) {
    std::ofstream{place_ / "r.json"} << "old";
    EXPECT_EQ(sh("ulimit -f 1; systole run tpu_v1 lenet5 --out r.json").status, 2);
    EXPECT_EQ(content(place_ / "r.json"), "old");
    EXPECT_EQ(files(), "r.json ");
}

TEST_F(Trouble, NamesADirectoryThatIsNotThere) {
    for (const auto* option : {"--out", "--trace", "--wave"}) {
        expect_refusal(
            systole(std::string{"run tiny_4x4 lenet5 --fidelity cycle "} + option + " absent/file"),
            "absent/file: error: cannot write: No such file or directory\n"
            "  hint: its directory must be there before the run\n");
    }
}

TEST_F(Trouble, RefusesAPlaceThatIsReadOnly) {
    if (::geteuid() == 0) {
        GTEST_SKIP() << "root may write everywhere";
    }
    const auto outcome =
        sh("mkdir fixed; chmod 555 fixed; "
           "systole run tpu_v1 lenet5 --out fixed/r.json");
    expect_refusal(outcome, "fixed/r.json: error: cannot write: Permission denied\n");
}

/// The signal comes when the run has opened its files, and long before its end.
TEST_F(Trouble, StopsCleanlyWhenInterrupted) {
    for (const auto& [signal, status] :
         {std::pair{"INT", 130}, std::pair{"TERM", 143}, std::pair{"HUP", 129}}) {
        const std::string command =
            "'" SYSTOLE_PROGRAM
            "' run scalesim_256 gemm --fidelity cycle"
            " --set workload.m=2000000 --set workload.n=4096 --set workload.k=4096"
            " --out r.json --trace t.json &\n"
            "while ! ls .t.json.*.partial > /dev/null 2>&1; do sleep 0.02; done\n"
            "sleep 0.3\n"
            "kill -";
        const auto outcome = sh(command + signal + " $!\nwait $!");
        EXPECT_EQ(outcome.status, status);
        EXPECT_EQ(outcome.out, "");
        EXPECT_NE(outcome.err.find("nothing was written\n"), std::string::npos) << outcome.err;
        EXPECT_EQ(files(), "");
    }
}

}  // namespace
}  // namespace systole
