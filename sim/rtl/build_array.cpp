#include "sim/rtl/build_array.hpp"

#include "models/matrix_unit/array_library.h"
#include "sim/config/library.hpp"
#include "sim/report/digest.hpp"
#include "sim/rtl/command.hpp"
#include "sim/rtl/temporary_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <system_error>
#include <utility>
#include <vector>

namespace systole {
namespace {

namespace fs = std::filesystem;
using numerics::Format;

[[noreturn]] void refuse(const std::string& where, std::string what, std::string hint) {
    throw InputError{{{{where}, std::move(what), std::move(hint)}}};
}

/// The ports of a PE in bits, and how a floating one reads its operands.
struct Widths {
    int operand = 8;
    int exponent = 8;
    int mantissa = 7;
};

Widths widths_of(Format format) {
    switch (format) {
        case Format::fp16:
            return {16, 5, 10};
        case Format::bf16:
            return {16, 8, 7};
        case Format::fp32:
            return {32, 8, 23};
        case Format::int8:
        case Format::int32:
            break;
    }
    return {};
}

fs::path sources() {
    return data_directory() / "rtl";
}

std::vector<fs::path> modules() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator{sources()}) {
        if (entry.path().extension() == ".sv") {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// The output of a tool that is needed; its absence is told with the package that has it.
std::string ask(const std::vector<std::string>& words, const std::string& package) {
    const CommandResult result = run_command(words, nullptr);
    if (!result.found || result.status != 0) {
        refuse("--fidelity rtl",
               fmt::format("'{}' cannot be run: {}", fmt::join(words, " "),
                           result.found ? result.output : "there is no such program"),
               fmt::format("apt-get install {}; other fidelities do without it", package));
    }
    return result.output;
}

std::string verilator_root() {
    std::string root = ask({"verilator", "--getenv", "VERILATOR_ROOT"}, "verilator");
    root.erase(root.find_last_not_of(" \n") + 1);
    return root;
}

std::string compiler() {
    const char* chosen = std::getenv("CXX");
    return chosen != nullptr && *chosen != '\0' ? chosen : "g++";
}

std::string module_of(const ArraySpec& spec) {
    return spec.top.empty() && spec.pe ? spec.pe->stem().string() : spec.top;
}

bool saturates(const ArraySpec& spec) {
    return spec.design.overflow == models::Overflow::saturate;
}

std::vector<std::string> verilator_words(const ArraySpec& spec, const fs::path& directory) {
    const Widths widths = widths_of(spec.format);
    std::vector<std::string> words{"verilator",
                                   "--cc",
                                   "-O3",
                                   "--x-assign",
                                   "unique",
                                   "--x-initial",
                                   "unique",
                                   "--top-module",
                                   spec.whole ? "systolic_array" : "systolic_cell",
                                   "--prefix",
                                   "Vsystole",
                                   "--Mdir",
                                   directory,
                                   "-GACT_WIDTH=" + std::to_string(widths.operand),
                                   "-GWGT_WIDTH=" + std::to_string(widths.operand),
                                   fmt::format("-GPSUM_WIDTH={}", spec.design.sum_bits),
                                   fmt::format("-GLATENCY={}", spec.design.latency),
                                   fmt::format("-GSATURATE=1'b{:d}", saturates(spec)),
                                   fmt::format("-GSHADOW=1'b{:d}", spec.shadow)};
    if (spec.format != Format::int8) {
        words.insert(words.end(), {"-GFLOAT=1'b1", fmt::format("-GEXP={}", widths.exponent),
                                   fmt::format("-GMAN={}", widths.mantissa)});
    }
    if (spec.whole) {
        words.insert(words.end(),
                     {fmt::format("-GROWS={}", spec.rows), fmt::format("-GCOLS={}", spec.cols)});
    }
    if (spec.wave) {
        words.emplace_back("--trace-fst");
    }
    for (const auto& file : modules()) {
        words.push_back(file.string());
    }
    if (spec.pe) {
        words.emplace_back("-Wno-fatal");
        words.push_back("-DSYSTOLE_PE=" + module_of(spec));
        words.push_back(spec.pe->string());
    }
    return words;
}

/// One file that includes all that is to be compiled.
fs::path write_unit(const ArraySpec& spec, const fs::path& directory) {
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator{directory}) {
        if (entry.path().extension() == ".cpp") {
            files.push_back(entry.path().filename().string());
        }
    }
    std::sort(files.begin(), files.end());
    if (spec.wave) {
        // Before its templates are used.
        files.insert(files.begin(), "verilated_fst_c.cpp");
    }
    for (const char* more : {"verilated.cpp", "verilated_threads.cpp", "rtl/array_library.cpp"}) {
        files.emplace_back(more);
    }
    const fs::path unit = directory / "library.cc";
    std::ofstream out{unit};
    for (const auto& file : files) {
        out << "#include \"" << file << "\"\n";
    }
    return unit;
}

std::vector<std::string> compiler_words(const ArraySpec& spec, const fs::path& directory,
                                        const fs::path& target) {
    const Widths widths = widths_of(spec.format);
    const std::string include = verilator_root() + "/include";
    std::vector<std::string> words{compiler(),
                                   "-std=c++17",
                                   "-O1",
                                   "-shared",
                                   "-fPIC",
                                   "-w",
                                   "-I" + directory.string(),
                                   "-I" + include,
                                   "-I" + include + "/vltstd",
                                   "-I" + data_directory().string()};
    if (!spec.whole) {
        words.emplace_back("-DSYSTOLE_GRID");
    }
    if (spec.wave) {
        words.insert(words.end(), {"-DSYSTOLE_WAVE", "-DVM_TRACE=1", "-DVM_TRACE_FST=1"});
    }
    const auto define = [&](const std::string& name, const std::string& value) {
        words.push_back("-DSYSTOLE_" + name + "=" + value);
    };
    define("ROWS", std::to_string(spec.whole ? spec.rows : 0));
    define("COLS", std::to_string(spec.whole ? spec.cols : 0));
    define("ACT_WIDTH", std::to_string(widths.operand));
    define("WGT_WIDTH", std::to_string(widths.operand));
    define("PSUM_WIDTH", std::to_string(spec.design.sum_bits));
    define("LATENCY", std::to_string(spec.design.latency));
    define("SATURATE", saturates(spec) ? "1" : "0");
    define("SHADOW", spec.shadow ? "1" : "0");
    define("FORMAT", fmt::format("\"{}\"", numerics::to_string(spec.format)));
    words.insert(words.end(), {write_unit(spec, directory).string(), "-o", target.string()});
    if (spec.wave) {
        words.emplace_back("-lz");
    }
    return words;
}

/// What decides the bits of a library.
std::string key_of(const ArraySpec& spec) {
    std::string text = fmt::format("interface {} format {} rows {} cols {} shadow {} whole {}\n",
                                   SYSTOLE_ARRAY_INTERFACE, numerics::to_string(spec.format),
                                   spec.whole ? spec.rows : 0, spec.whole ? spec.cols : 0,
                                   spec.shadow, spec.whole);
    text += fmt::format("latency {} sum_bits {} saturates {} wave {}\n", spec.design.latency,
                        spec.design.sum_bits, saturates(spec), spec.wave);
    text += ask({"verilator", "--version"}, "verilator");
    text += ask({compiler(), "--version"}, "g++");
    auto files = modules();
    files.push_back(sources() / "array_library.cpp");
    for (const auto& file : files) {
        text += sha256_of_file(file) + "\n";
    }
    return sha256(text).substr(0, 32);
}

fs::path cache_directory() {
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string{value != nullptr ? value : ""};
    };
    const std::string given = variable("XDG_CACHE_HOME");
    const std::string home = variable("HOME");
    if (given.empty() && home.empty()) {
        refuse("--fidelity rtl", "there is no place for the built arrays",
               "set HOME or XDG_CACHE_HOME");
    }
    const fs::path path = (given.empty() ? fs::path{home} / ".cache" : fs::path{given}) / "systole";
    std::error_code error;
    fs::create_directories(path, error);
    if (error) {
        refuse(path.string(), "cannot be made: " + error.message(),
               "XDG_CACHE_HOME names another place for built arrays");
    }
    return path;
}

/// Holds a lock on a file as long as it lives.
class FileLock {
public:
    explicit FileLock(const fs::path& path)
        : descriptor_{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)} {
        while (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
        }
    }
    ~FileLock() {
        if (descriptor_ >= 0) {
            ::close(descriptor_);
        }
    }
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

private:
    int descriptor_;
};

/// Says which port is missing or of another size, in place of Verilator's word on our own file.
void check_ports(const ArraySpec& spec, const std::string& said) {
    const std::string module = module_of(spec);
    std::vector<Fault> faults;
    const auto find = [&](const char* pattern, const auto& tell) {
        const std::regex shape{pattern};
        for (std::sregex_iterator match{said.begin(), said.end(), shape}, end; match != end;
             ++match) {
            faults.push_back(tell(*match));
        }
    };
    const SourceLocation where{spec.pe.value_or("").string()};
    find("Pin not found: '(\\w+)'", [&](const std::smatch& match) {
        return Fault{where, fmt::format("module '{}' has no port '{}'", module, match.str(1)),
                     "rtl/README.md lists the ports of a PE"};
    });
    find(
        "put port connection '(\\w+)' expects (\\d+) bits on the pin connection.*generates (\\d+) "
        "bits",
        [&](const std::smatch& match) {
            return Fault{
                where,
                fmt::format("port '{}' of module '{}' has {} bits", match.str(1), module,
                            match.str(2)),
                fmt::format("for {} it has {}{}", numerics::to_string(spec.format), match.str(3),
                            match.str(1).starts_with("psum") && numerics::is_integer(spec.format)
                                ? "; --sum-bits declares another width"
                                : "")};
        });
    find("Cannot find file containing module: '(\\w+)'", [&](const std::smatch& match) {
        return Fault{where, fmt::format("there is no module '{}'", match.str(1)),
                     match.str(1) == module ? "--top names the module of the PE" : ""};
    });
    if (!faults.empty()) {
        throw InputError{std::move(faults)};
    }
}

}  // namespace

bool better_whole(std::int64_t rows, std::int64_t cols) {
    return checked_multiply(rows, cols) <= 256;
}

void build_array(const ArraySpec& spec, const fs::path& target, const std::atomic<bool>* stop) {
    const fs::path beside = target.has_parent_path() ? target.parent_path() : ".";
    if (std::error_code error; spec.pe && !fs::is_regular_file(*spec.pe, error)) {
        refuse(spec.pe->string(), "there is no such file", "a PE in Verilog, see rtl/README.md");
    }
    const TemporaryDirectory workshop{beside};
    static_cast<void>(ask({"verilator", "--version"}, "verilator"));
    static_cast<void>(ask({compiler(), "--version"}, "g++"));
    const CommandResult verilated = run_command(verilator_words(spec, workshop.path()), stop);
    if (spec.pe) {
        check_ports(spec, verilated.output);
    }
    if (verilated.status != 0) {
        refuse(spec.pe ? spec.pe->string() : sources().string(),
               "Verilator refuses it:\n" + verilated.output, "");
    }
    const fs::path library = workshop.path() / "library.so";
    const CommandResult compiled =
        run_command(compiler_words(spec, workshop.path(), library), stop);
    if (spec.wave && compiled.output.find("zlib.h") != std::string::npos) {
        refuse("--wave", "waveforms are compressed with zlib, which the compiler does not find",
               "apt-get install zlib1g-dev");
    }
    if (compiled.status != 0) {
        refuse(spec.pe ? spec.pe->string() : sources().string(),
               "the compiler refuses what Verilator made of it:\n" + compiled.output, "");
    }
    std::error_code error;
    fs::rename(library, target, error);
    if (error) {
        refuse(target.string(), "cannot write: " + error.message(), "");
    }
}

fs::path cached_array(const ArraySpec& spec, const std::atomic<bool>* stop,
                      const std::function<void()>& building) {
    const fs::path directory = cache_directory();
    const fs::path library = directory / (key_of(spec) + ".so");
    if (!fs::exists(library)) {
        const FileLock lock{directory / "lock"};
        if (!fs::exists(library)) {
            if (building) {
                building();
            }
            build_array(spec, library, stop);
        }
    }
    return library;
}

}  // namespace systole
