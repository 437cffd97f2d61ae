#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace systole {

/// What the user asked for on the command line, one struct and one function for each command.
/// Results go to standard output, everything else to standard error. Faults are thrown.

struct RunRequest {
    std::string command;  ///< as it was typed
    std::string chip;
    std::string workload;
    std::string fidelity = "fast";
    std::vector<std::string> overrides;
    bool values = false;
    std::int64_t seed = 1;
    std::string format;  ///< table, json, csv; empty: as the name of `out` says
    std::optional<std::string> out;
    std::optional<std::string> trace;
    std::optional<std::string> values_out;
    std::optional<std::string> pe;  ///< a library of `systole pe build`
    bool check = false;             ///< in lockstep with the model
    std::optional<std::string> wave;
    std::int64_t wave_from = 0;
    std::optional<std::int64_t> wave_cycles;
    bool roofline = false;
    bool quiet = false;
    bool verbose = false;
};
void run(const RunRequest& request);

struct PeRequest {
    std::string file;
    std::string top;     ///< its module; empty: as the file is named
    std::string format;  ///< empty: the chip's, or int8
    std::optional<std::string> chip;
    std::optional<std::int64_t> rows;
    std::optional<std::int64_t> cols;
    std::optional<std::int64_t> weight_buffers;
    std::optional<std::int64_t> latency;
    std::optional<std::int64_t> sum_bits;
    std::string overflow;  ///< empty: the chip's, or wrap
    std::string out;
    bool wave = false;                     ///< build: the library can write waveforms
    std::optional<std::string> wave_file;  ///< check: of the first difference
    std::int64_t seed = 1;
    std::int64_t cycles = 20'000;
};
void build_pe(const PeRequest& request);
/// Whether the PE conforms.
[[nodiscard]] bool check_pe(const PeRequest& request);

struct CheckRequest {
    std::vector<std::string> files;
    std::vector<std::string> overrides;
};
/// Throws InputError with the faults of all files.
void check(const CheckRequest& request);

struct ListRequest {
    std::string what;  ///< chips, workloads, operators, formats, units; empty: all
};
void list(const ListRequest& request);

struct ShowRequest {
    std::string first;
    std::string second;  ///< empty, or the workload to lay out on the chip
    std::vector<std::string> overrides;
    bool mapping = false;
    bool program = false;
    std::string format = "table";
};
void show(const ShowRequest& request);

}  // namespace systole
