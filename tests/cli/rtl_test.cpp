#include "tests/cli/shell.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace systole {
namespace {

using Json = nlohmann::json;

class Rtl : public test::Shell {
protected:
    /// All that a run finds out, which must not depend on its fidelity.
    [[nodiscard]] std::string answer(const std::string& arguments,
                                     const std::string& fidelity) const {
        const auto outcome =
            systole("run " + arguments + " --values --format json --fidelity " + fidelity);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        Json result = Json::parse(outcome.out);
        result.erase("manifest");
        EXPECT_FALSE(result.at("tensors").empty());
        return result.dump();
    }
    void expect_refusal(const std::string& command, const std::string& what) const {
        const auto outcome = sh(command);
        EXPECT_EQ(outcome.status, 2);
        EXPECT_NE(outcome.err.find(what), std::string::npos) << outcome.err;
        EXPECT_EQ(outcome.out, "");
    }
};

TEST_F(Rtl, AnswersAsTheOtherFidelitiesDo) {
    for (const std::string workload : {"course/2_1_perceptron", "mlp_784_128_10", "lenet5"}) {
        SCOPED_TRACE(workload);
        const auto fast = answer("tiny_4x4 " + workload, "fast");
        EXPECT_EQ(answer("tiny_4x4 " + workload, "cycle"), fast);
        EXPECT_EQ(answer("tiny_4x4 " + workload, "rtl"), fast);
    }
    for (const std::string workload : {"mlp_784_128_10", "lenet5"}) {
        SCOPED_TRACE(workload);
        EXPECT_EQ(answer("scalesim_16 " + workload, "rtl"),
                  answer("scalesim_16 " + workload, "fast"));
    }
    EXPECT_EQ(answer("edge_32x32 lenet5 --check", "rtl"), answer("edge_32x32 lenet5", "fast"));
}

TEST_F(Rtl, BuildsAndRunsAPeOfTheUser) {
    const std::string pe = SYSTOLE_SOURCE "/tests/rtl_faults/";
    EXPECT_EQ(
        systole("pe build '" + pe + "conforming.sv' --chip tiny_4x4 --format int8 -o pe.so").out,
        "pe.so: a PE of int8 in an array of 4×4\n");
    const std::string run =
        "run tiny_4x4 lenet5 --set workload.format=int8 --fidelity rtl --pe pe.so";
    const auto checked = systole(run + " --check");
    EXPECT_EQ(checked.status, 0) << checked.err;
    EXPECT_EQ(systole("pe build '" + pe + "own_sum.sv' -o pe.so").out,
              "pe.so: a PE of int8, for arrays of any size\n");
    const auto wrong = systole(run + " --check --out r.json");
    EXPECT_EQ(wrong.status, 1);
    EXPECT_NE(wrong.err.find("PE (0, 0): psum_out is "), std::string::npos) << wrong.err;
    EXPECT_EQ(files(), "pe.so ");
    expect_refusal("systole run tiny_4x4 lenet5 --fidelity rtl --pe pe.so",
                   "pe.so: error: its PE multiplies int8, and the network asks for fp32\n");
    const auto verdict = systole("pe check '" + pe + "own_sum.sv' --cycles 500");
    EXPECT_EQ(verdict.status, 1);
    EXPECT_NE(verdict.out.find("own_sum.sv: cycle "), std::string::npos) << verdict.out;
    EXPECT_NE(verdict.out.find("again: systole pe check "), std::string::npos) << verdict.out;
}

/// What a difference tells to be typed again does show it.
TEST_F(Rtl, ShowsADifferenceInAWaveform) {
    const std::string pe = SYSTOLE_SOURCE "/tests/rtl_faults/own_sum.sv";
    EXPECT_EQ(systole("pe build '" + pe + "' -o pe.so").status, 0);
    const std::string run =
        "run tiny_4x4 gemm --set workload.format=int8 --set workload.m=4 --fidelity rtl --check";
    const auto first = systole(run + " --pe pe.so");
    EXPECT_EQ(first.status, 1);
    const std::string again = "again, with a waveform: ";
    const auto at = first.err.find(again);
    ASSERT_NE(at, std::string::npos) << first.err;
    expect_refusal("systole " + run + " --pe pe.so --wave difference.fst",
                   "pe.so: error: it was built without waveforms\n"
                   "  hint: systole pe build --wave\n");
    EXPECT_EQ(files(), "pe.so ");
    EXPECT_EQ(systole("pe build '" + pe + "' --wave -o pe.so").status, 0);
    const auto second = sh(first.err.substr(at + again.size()));
    EXPECT_EQ(second.status, 1);
    EXPECT_NE(second.err.find("waveform: difference.fst\n"), std::string::npos) << second.err;
    EXPECT_NE(files().find("difference.fst "), std::string::npos);

    const auto verdict = systole("pe check '" + pe + "' --cycles 500 --wave pe.fst");
    EXPECT_EQ(verdict.status, 1);
    EXPECT_NE(verdict.out.find("waveform: pe.fst\n"), std::string::npos) << verdict.out;
    EXPECT_NE(files().find("pe.fst "), std::string::npos);
}

TEST_F(Rtl, RefusesAWaveformThatItCannotWrite) {
    const std::string run = "systole run tiny_4x4 course/2_1_perceptron --fidelity ";
    expect_refusal(run + "rtl --wave neuron.vcd", "the waveform of --fidelity rtl is FST");
    expect_refusal(run + "cycle --wave neuron.fst", "the waveform of --fidelity cycle is VCD");
    expect_refusal(run + "rtl --wave /dev/null", "/dev/null: error: this is a device or a pipe");
    expect_refusal(run + "rtl --wave absent/neuron.fst", "absent/neuron.fst: error: cannot write");
    expect_refusal("systole pe check '" SYSTOLE_SOURCE
                   "/tests/rtl_faults/own_sum.sv' "
                   "--wave /dev/null",
                   "/dev/null: error: this is a device or a pipe");
    EXPECT_EQ(files(), "");
}

/// The chip says what the PE was built for, or the run is refused.
TEST_F(Rtl, HoldsAPeAgainstItsDeclaration) {
    const std::string pe = "'" SYSTOLE_SOURCE "/tests/rtl_choices/extra_stage.sv'";
    EXPECT_EQ(systole("pe build " + pe + " --latency 2 -o pe.so").out,
              "pe.so: a PE of int8, for arrays of any size, with a latency of 2 cycles\n");
    const std::string run = "tiny_4x4 gemm --set workload.format=int8 --set workload.m=4";
    expect_refusal(
        "systole run " + run + " --fidelity rtl --pe pe.so",
        "pe.so: error: its PE was declared with latency: 2, and the chip has latency: 1\n"
        "  hint: --set chip.core.matrix.pe.latency=2, or build the PE for the chip\n");
    const std::string declared = run + " --set chip.core.matrix.pe.latency=2";
    EXPECT_EQ(answer(declared + " --pe pe.so --check", "rtl"), answer(declared, "fast"));
    EXPECT_NE(answer(declared, "fast"), answer(run, "fast"));
    const auto undeclared = systole("pe check " + pe);
    EXPECT_EQ(undeclared.status, 1);
    EXPECT_NE(undeclared.out.find("it conforms when that is declared: --latency 2\n"),
              std::string::npos)
        << undeclared.out;
    expect_refusal("systole pe check " + pe + " --format bf16 --sum-bits 20",
                   "--sum-bits and --overflow are of integer sums");
}

TEST_F(Rtl, RefusesLibrariesOfAnotherKind) {
    const std::string run =
        "systole run tiny_4x4 gemm --set workload.format=int8 --fidelity rtl --pe ";
    EXPECT_EQ(systole("pe build '" SYSTOLE_SOURCE
                      "/tests/rtl_faults/conforming.sv' --rows 2 --cols 3 -o small.so")
                  .status,
              0);
    expect_refusal(run + "small.so",
                   "small.so: error: it holds an array of 2×3, and the chip has one of 4×4\n");
    EXPECT_EQ(
        sh("printf '#include \"models/matrix_unit/array_library.h\"\n"
           "static const SystoleArrayLibrary old{1};\nextern \"C\" const "
           "SystoleArrayLibrary* systole_array_library_entry() { return &old; }\n' > old.cpp; "
           "g++ -w -shared -fPIC -I'" SYSTOLE_SOURCE "' old.cpp -o old.so")
            .status,
        0);
    expect_refusal(run + "old.so",
                   "old.so: error: this library has version 1 of the interface, and this Systole "
                   "version 2\n  hint: build it again with `systole pe build`\n");
}

TEST_F(Rtl, RefusesLibrariesThatAreNone) {
    expect_refusal("systole run tiny_4x4 lenet5 --fidelity rtl --pe absent.so",
                   "absent.so: error: cannot be loaded: ");
    expect_refusal("systole run tiny_4x4 lenet5 --pe pe.so", "add --fidelity rtl");
    expect_refusal("systole run tiny_4x4 lenet5 --check", "add --fidelity rtl");
    expect_refusal("systole run von_neumann lenet5 --fidelity rtl",
                   "--fidelity rtl: chip 'von_neumann' has no systolic array");
    expect_refusal(
        "systole run scalesim_8 lenet5 --fidelity rtl "
        "--set chip.core.matrix.dataflow=output_stationary",
        "chip 'scalesim_8' has an output-stationary array");
}

/// While the compiler is at work.
TEST_F(Rtl, StopsABuildAtOnce) {
    const auto outcome =
        sh("XDG_CACHE_HOME=. '" SYSTOLE_PROGRAM
           "' run scalesim_16 lenet5 --fidelity rtl --out r.json &\n"
           "while ! ls systole/.systole.*/library.cc > /dev/null 2>&1; do sleep 0.02; done\n"
           "kill -INT $!\nwait $!");
    EXPECT_EQ(outcome.status, 130);
    EXPECT_EQ(outcome.err, "systole: interrupted while an array was built; nothing was written\n");
    EXPECT_EQ(files(), "systole ");
    EXPECT_EQ(sh("ls -A systole").out, "lock\n");
}

TEST_F(Rtl, BuildsOnceForTwoRunsAtOnce) {
    const std::string run = "XDG_CACHE_HOME=. '" SYSTOLE_PROGRAM
                            "' run scalesim_8 gemm --fidelity rtl --set workload.m=4 --format json";
    const auto outcome = sh(run + " > a & " + run +
                            " > b; wait $!; ls systole | wc -l; "
                            "grep -c '\"macs\"' a b");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out.substr(0, 2), "2\n") << outcome.out;  // the library, and the lock
}

TEST_F(Rtl, SaysWhatIsMissing) {
    const std::string run = "'" SYSTOLE_PROGRAM "' run tiny_4x4 lenet5 --fidelity rtl";
    expect_refusal("mkdir empty; PATH=empty XDG_CACHE_HOME=. " + run,
                   "'verilator --version' cannot be run: there is no such program\n"
                   "  hint: apt-get install verilator; other fidelities do without it\n");
    expect_refusal("CXX=no-such-compiler XDG_CACHE_HOME=. " + run,
                   "'no-such-compiler --version' cannot be run");
    expect_refusal(
        "printf 'module broken (input clk;\\nendmodule\\n' > broken.sv; "
        "systole pe build broken.sv -o pe.so",
        "broken.sv:1:");
    expect_refusal("systole pe build absent.sv -o pe.so", "absent.sv");
    EXPECT_EQ(files().find("pe.so"), std::string::npos);
}

}  // namespace
}  // namespace systole
