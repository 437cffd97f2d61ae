#include "models/base/diagnostics.hpp"
#include "models/base/interruption.hpp"
#include "sim/cli/asked.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/interrupt.hpp"
#include "sim/cli/version.hpp"
#include "sim/report/output.hpp"

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <new>
#include <string>
#include <system_error>
#include <vector>

namespace systole {
namespace {

enum Status {
    done = 0,
    fault_found = 1,
    wrong_input = 2,
    defect = 70,
    no_memory = 71,
    killed = 128
};

[[noreturn]] void refuse(const std::string& where, std::string what, std::string hint) {
    throw InputError{{{{where}, std::move(what), std::move(hint)}}};
}

/// Words of an enumeration, one of which an option takes.
CLI::Option* add_choice(CLI::App* command, const std::string& name, std::string& target,
                        const std::vector<std::string>& words, const std::string& doc) {
    return command->add_option(name, target, doc)
        ->type_name(fmt::format("{}", fmt::join(words, "|")))
        ->check([words](const std::string& word) {
            return std::find(words.begin(), words.end(), word) != words.end()
                       ? ""
                       : "'" + word + "' is none of " + fmt::format("{}", fmt::join(words, ", "));
        });
}

std::function<std::string(const std::string&)> at_least(std::int64_t low) {
    return [low](const std::string& text) {
        std::int64_t value = 0;
        const char* end = text.data() + text.size();
        const auto [rest, error] = std::from_chars(text.data(), end, value);
        return error == std::errc{} && rest == end && value >= low
                   ? ""
                   : fmt::format("'{}' is no integer from {} to {}", text, low,
                                 std::numeric_limits<std::int64_t>::max());
    };
}

void add_overrides(CLI::App* command, std::vector<std::string>& overrides) {
    command
        ->add_option("--set", overrides,
                     "sets a value of a document: chip.core.matrix.rows=64, workload.batch=8")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
}

CLI::App* add_run(CLI::App& app, RunRequest& request) {
    auto* command = app.add_subcommand("run", "simulates a network on a chip");
    command->add_option("CHIP", request.chip, "a name of `systole list chips`, or a file")
        ->required()
        ->type_name("");
    command
        ->add_option("WORKLOAD", request.workload, "a name of `systole list workloads`, or a file")
        ->required()
        ->type_name("");
    add_choice(command, "--fidelity", request.fidelity, {"fast", "cycle", "rtl"},
               "how the matrix unit is simulated; the answer is the same");
    add_overrides(command, request.overrides);
    command->add_flag("--values", request.values,
                      "carries the numbers through the chip (small runs do so anyway)");
    command->add_option("--seed", request.seed, "of the numbers that nobody gave")
        ->type_name("N")
        ->check(at_least(0))
        ->capture_default_str();
    add_choice(command, "--format", request.format, {"table", "json", "csv"},
               "of the result; otherwise as --out is named");
    command->add_option("--out", request.out, "where the result goes, instead of standard output")
        ->type_name("FILE");
    command->add_flag("--roofline", request.roofline, "draws the roofline into the table");
    command->add_option("--values-out", request.values_out, "writes the outputs as .npy files")
        ->type_name("DIRECTORY");
    command->add_option("--trace", request.trace, "timeline for ui.perfetto.dev, 1 µs a cycle")
        ->type_name("FILE");
    command->add_option("--pe", request.pe, "library of a PE for --fidelity rtl, instead of ours")
        ->type_name("FILE");
    command->add_flag("--check", request.check,
                      "compares every Verilog PE with the model in every cycle");
    command
        ->add_option("--wave", request.wave,
                     "waveform of core 0's array (VCD, or FST for --fidelity rtl)")
        ->type_name("FILE");
    command->add_option("--wave-from", request.wave_from, "its first cycle")
        ->type_name("CYCLE")
        ->check(at_least(0));
    command->add_option("--wave-cycles", request.wave_cycles, "how many cycles of it")
        ->type_name("N")
        ->check(at_least(1));
    command->add_flag("-q,--quiet", request.quiet, "no progress on standard error");
    command->add_flag("-v,--verbose", request.verbose, "tells how fast the simulation was");
    command->footer(
        "Examples:\n"
        "  systole run tpu_v1 mlp_1024x2048\n"
        "  systole run tiny_4x4 course/2_1_perceptron --fidelity cycle\n"
        "  systole run tpu_v1 gemm --set workload.m=512 --set chip.clock='1 GHz' --format json");
    return command;
}

CLI::App* add_check(CLI::App& app, CheckRequest& request) {
    auto* command = app.add_subcommand("check", "tells every fault of documents, with its place");
    command->add_option("FILE", request.files, "chips, workloads and technologies")
        ->required()
        ->type_name("");
    add_overrides(command, request.overrides);
    command->footer("Example:\n  systole check tpu_v1 lenet5");
    return command;
}

CLI::App* add_list(CLI::App& app, ListRequest& request) {
    auto* command = app.add_subcommand("list", "names what there is");
    add_choice(command, "TOPIC", request.what,
               {"chips", "workloads", "operators", "formats", "units"}, "all of them if absent");
    command->footer("Example:\n  systole list chips");
    return command;
}

CLI::App* add_show(CLI::App& app, ShowRequest& request) {
    auto* command =
        app.add_subcommand("show", "what a document comes to, without simulating anything");
    command->add_option("DOCUMENT", request.first, "a chip or a workload")
        ->required()
        ->type_name("");
    command->add_option("WORKLOAD", request.second, "to be laid out on the chip")->type_name("");
    add_overrides(command, request.overrides);
    command->add_flag("--mapping", request.mapping,
                      "how the workload is laid out on the chip (the default)");
    command->add_flag("--program", request.program, "the instructions of each core");
    add_choice(command, "--format", request.format, {"table", "json"}, "of the answer")
        ->capture_default_str();
    command->footer(
        "Examples:\n"
        "  systole show tpu_v1\n"
        "  systole show lenet5\n"
        "  systole show tpu_v1 lenet5 --mapping\n"
        "  systole show tiny_4x4 course/2_1_perceptron --program");
    return command;
}

/// What `pe build` and `pe check` have in common.
void add_pe(CLI::App* command, PeRequest& request) {
    command->add_option("FILE", request.file, "a PE in Verilog, see rtl/README.md")
        ->required()
        ->type_name("");
    command->add_option("--top", request.top, "its module, if it is not named as the file")
        ->type_name("NAME");
    add_choice(command, "--format", request.format, {"int8", "bf16", "fp16", "fp32"},
               "of its operands (the chip's, or int8)");
    command->add_option("--chip", request.chip, "whose array it is for")->type_name("CHIP");
    command
        ->add_option("--weight-buffers", request.weight_buffers,
                     "weight registers of a PE (the chip's, or 2)")
        ->type_name("1|2")
        ->check(CLI::Range(1, 2));
    command
        ->add_option("--latency", request.latency,
                     "cycles from an activation to its sum (the chip's, or 1)")
        ->type_name("N")
        ->check(CLI::Range(1, 64));
    command->add_option("--sum-bits", request.sum_bits, "of integer sums (the chip's, or 32)")
        ->type_name("N")
        ->check(CLI::Range(16, 32));
    add_choice(command, "--overflow", request.overflow, {"wrap", "saturate"},
               "of integer sums (the chip's, or wrap)");
}

CLI::App* add_pe_build(CLI::App& pe, PeRequest& request) {
    auto* command = pe.add_subcommand("build", "makes a library for `run --fidelity rtl --pe`");
    add_pe(command, request);
    command->add_option("--rows", request.rows, "of an array to be built as a whole")
        ->check(at_least(1));
    command->add_option("--cols", request.cols, "of it")->check(at_least(1));
    command->add_option("-o,--out", request.out, "the library")->required()->type_name("FILE");
    command->add_flag("--wave", request.wave, "for `run --wave`: it can write waveforms");
    command->footer("Example:\n  systole pe build rtl/systolic_pe.sv --chip edge_32x32 -o pe.so");
    return command;
}

CLI::App* add_pe_check(CLI::App& pe, PeRequest& request) {
    auto* command = pe.add_subcommand("check", "compares a PE with what an array asks of it");
    add_pe(command, request);
    command->add_option("--seed", request.seed, "of the random work")
        ->check(at_least(0))
        ->capture_default_str();
    command->add_option("--cycles", request.cycles, "of random work for each array")
        ->check(at_least(1))
        ->capture_default_str();
    command->add_option("--wave", request.wave_file, "waveform (FST) around the first difference")
        ->type_name("FILE");
    command->footer(
        "Examples:\n"
        "  systole pe check rtl/systolic_pe.sv\n"
        "  systole pe check my_pe.sv --latency 2 --wave difference.fst");
    return command;
}

/// A word as a POSIX shell takes it.
std::string quoted(const std::string& word) {
    const auto is_plain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string{"_-+=./:,@%"}.find(c) != std::string::npos;
    };
    if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) {
        return word;
    }
    std::string text = "'";
    for (const char c : word) {
        text += c == '\'' ? std::string{"'\\''"} : std::string(1, c);
    }
    return text + "'";
}

/// The command line, to be typed again.
std::string typed(int argc, char** argv) {
    std::string text = "systole";
    for (int i = 1; i < argc; ++i) {
        text += " " + quoted(argv[i]);
    }
    return text;
}

/// Parses the command line and does what it says.
int dispatch(int argc, char** argv) {
    CLI::App app{"Cycle-accurate simulator for AI accelerators."};
    app.name("systole");
    app.footer(
        "Example:\n  systole run tpu_v1 mlp_1024x2048\n\n"
        "`systole COMMAND --help` tells more of each.");
    bool show_version = false;
    app.add_flag("--version", show_version, "tells the version");
    RunRequest run_request;
    CheckRequest check_request;
    ListRequest list_request;
    ShowRequest show_request;
    run_request.command = typed(argc, argv);
    auto* run_command = add_run(app, run_request);
    auto* check_command = add_check(app, check_request);
    auto* list_command = add_list(app, list_request);
    auto* show_command = add_show(app, show_request);
    PeRequest pe_request;
    auto* pe_command = app.add_subcommand("pe", "builds and checks PEs in Verilog");
    pe_command->require_subcommand(0, 1);
    auto* build_command = add_pe_build(*pe_command, pe_request);
    auto* pe_check_command = add_pe_check(*pe_command, pe_request);
    const std::vector<CLI::App*> commands{run_command, check_command, list_command, show_command,
                                          pe_command};
    std::vector<std::string> names;
    for (auto* command : commands) {
        command->allow_extras();
        names.push_back(command->get_name());
    }
    build_command->allow_extras();
    pe_check_command->allow_extras();
    if (const std::string first = argc > 1 ? argv[1] : "";
        !first.empty() && first.front() != '-' &&
        std::find(names.begin(), names.end(), first) == names.end()) {
        refuse("systole", "unknown command '" + first + "'",
               did_you_mean(first, names, "see systole --help"));
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        const auto asked = app.get_subcommands();
        write_to_stdout((asked.empty() ? app.help() : asked.front()->help("systole")) + "\n");
        return done;
    } catch (const CLI::ParseError& error) {
        const Asked asked{app};
        refuse(asked.name, error.what(), "see " + asked.name + " --help");
    }
    refuse_extras(Asked{app});
    if (show_version) {
        write_to_stdout(fmt::format("systole {} ({})\n", version(), commit));
    } else if (run_command->parsed()) {
        run(run_request);
    } else if (check_command->parsed()) {
        check(check_request);
    } else if (list_command->parsed()) {
        list(list_request);
    } else if (show_command->parsed()) {
        show(show_request);
    } else if (build_command->parsed()) {
        build_pe(pe_request);
    } else if (pe_check_command->parsed()) {
        return check_pe(pe_request) ? done : fault_found;
    } else {
        fmt::print(stderr, "{}\n", app.help());
        return wrong_input;
    }
    return done;
}

/// A file must not get the number of a closed standard stream: what is meant for that stream would
/// land in it. Writing to such a stream stays the error it was.
void occupy_closed_streams() {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
        if (::fcntl(stream, F_GETFD) < 0) {
            static_cast<void>(::open("/dev/null", O_RDONLY));
        }
    }
}

int guarded(int argc, char** argv) {
    try {
        return dispatch(argc, argv);
    } catch (const InputError& error) {
        fmt::print(stderr, "{}", error.what());
        return wrong_input;
    } catch (const SimulationFault& error) {
        fmt::print(stderr, "systole: {}\n", error.what());
        return fault_found;
    } catch (const Interrupted& error) {
        fmt::print(stderr, "systole: {}; nothing was written\n", error.what());
        return killed + stop_signal();
    } catch (const std::bad_alloc&) {
        fmt::print(stderr,
                   "systole: error: out of memory; nothing was written\n"
                   "  hint: a larger array or more accumulators make shorter programs; --values "
                   "and --fidelity cycle take memory of their own\n");
        return no_memory;
    } catch (const std::exception& error) {
        fmt::print(stderr,
                   "systole: a defect of the simulator: {}\n"
                   "please report it with this command and its files: {}\n",
                   error.what(), typed(argc, argv));
        return defect;
    }
}

}  // namespace
}  // namespace systole

// libsystemc.so refers to it; our main never calls it.
extern "C" int sc_main(int, char**) {
    return 0;
}

int main(int argc, char** argv) {
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    systole::occupy_closed_streams();
    systole::catch_signals();
    return systole::guarded(argc, argv);
}
