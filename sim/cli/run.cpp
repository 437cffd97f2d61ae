#include "models/base/interruption.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/interrupt.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/version.hpp"
#include "sim/report/csv.hpp"
#include "sim/report/digest.hpp"
#include "sim/report/json.hpp"
#include "sim/report/output.hpp"
#include "sim/report/text.hpp"
#include "sim/report/timeline.hpp"
#include "sim/rtl/fst_file.hpp"
#include "sim/rtl/rtl_arrays.hpp"
#include "sim/run/load.hpp"
#include "sim/run/memory_need.hpp"
#include "sim/run/simulate.hpp"
#include "sim/run/values.hpp"
#include "sim/workload/load_network.hpp"
#include "sim/workload/value_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>
#include <variant>

namespace systole {
namespace {

namespace fs = std::filesystem;

/// The files a run writes. They are opened before it, so that a long run is not in vain, and
/// appear all together after it.
struct Files {
    std::unique_ptr<PendingFile> out;
    std::unique_ptr<PendingFile> trace;
    std::unique_ptr<PendingFile> wave;
};

std::unique_ptr<PendingFile> open(const std::optional<std::string>& path) {
    return path ? std::make_unique<PendingFile>(*path) : nullptr;
}

[[noreturn]] void refuse(std::string what, std::string hint) {
    throw InputError{{{{"systole run"}, std::move(what), std::move(hint)}}};
}

bool is_a(DocumentKind kind, const std::string& name) {
    const auto names = list_documents(kind, data_directory());
    return std::find(names.begin(), names.end(), name) != names.end();
}

void check_wave(const RunRequest& request) {
    if (!request.wave) {
        if (request.wave_from != 0 || request.wave_cycles) {
            refuse("--wave-from and --wave-cycles choose a part of a waveform", "add --wave FILE");
        }
        return;
    }
    if (request.fidelity == "fast") {
        refuse("--wave needs the registers of every PE", "add --fidelity cycle");
    }
    const bool rtl = request.fidelity == "rtl";
    const auto extension = fs::path{*request.wave}.extension();
    if (extension == (rtl ? ".vcd" : ".fst")) {
        refuse(fmt::format("the waveform of --fidelity {} is {}", request.fidelity,
                           rtl ? "FST" : "VCD"),
               rtl ? "name it .fst" : "name it .vcd");
    }
}

void check(const RunRequest& request) {
    check_wave(request);
    if (request.pe && request.fidelity != "rtl") {
        refuse("--pe chooses the Verilog of the array", "add --fidelity rtl");
    }
    if (request.check && request.fidelity != "rtl") {
        refuse("--check compares the Verilog with the model", "add --fidelity rtl");
    }
    if (is_a(DocumentKind::workload, request.chip) && is_a(DocumentKind::chip, request.workload)) {
        refuse("'" + request.chip + "' is a workload and '" + request.workload + "' a chip",
               "the chip comes first: systole run " + request.workload + " " + request.chip);
    }
    std::vector<std::string> names;
    for (const auto& output : {request.out, request.trace, request.wave}) {
        if (output) {
            if (output->empty()) {
                refuse("an output has no name", "name the file, or leave the option out");
            }
            names.push_back(*output);
        }
    }
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) {
        refuse("two outputs have the name '" + *twice + "'", "give each its own file");
    }
}

models::Fidelity fidelity_of(const RunRequest& request) {
    return request.fidelity == "rtl"     ? models::Fidelity::rtl
           : request.fidelity == "cycle" ? models::Fidelity::cycle
                                         : models::Fidelity::fast;
}

/// The Verilog array holds a stationary operand.
void check_rtl(const models::ChipConfig& chip) {
    const auto* array = std::get_if<models::SystolicConfig>(&chip.core.matrix);
    if (array == nullptr || array->dataflow == models::Dataflow::output_stationary) {
        refuse(fmt::format("--fidelity rtl: chip '{}' has {}", chip.name,
                           array == nullptr ? "no systolic array" : "an output-stationary array"),
               "the Verilog is that of a weight- or input-stationary one");
    }
}

std::string written(const Result& result, const RunRequest& request) {
    auto format = request.format;
    if (format.empty() && request.out) {
        const auto extension = fs::path{*request.out}.extension();
        format = extension == ".json" ? "json" : extension == ".csv" ? "csv" : "table";
    }
    if (format == "json") {
        return to_json(result);
    }
    return format == "csv" ? to_csv(result) : to_text(result, {.roofline = request.roofline});
}

Manifest manifest_of(const RunRequest& request, const LoadedChip& chip,
                     const LoadedNetwork& network) {
    Manifest manifest{version(),        commit, request.command, request.seed,
                      request.fidelity, {},     chip.document(), document_of(network.network)};
    for (const auto* files : {&chip.files, &network.files}) {
        for (const auto& file : *files) {
            manifest.inputs.push_back({file.string(), sha256_of_file(file)});
        }
    }
    return manifest;
}

/// Tensors with more elements are in the files of --values-out, and nowhere else.
void keep_small_tensors(std::vector<TensorValues>& tensors) {
    std::erase_if(tensors, [](const TensorValues& tensor) {
        return tensor.values.size() > std::size_t{4096};
    });
}

/// Integers as their codes: the result says what one is worth.
std::string npy_of(TensorValues tensor) {
    if (numerics::is_integer(tensor.format)) {
        for (auto& value : tensor.values) {
            value /= tensor.step;
        }
    }
    return to_npy({tensor.shape, tensor.values}, tensor.format);
}

void write_values(const std::string& directory, const std::vector<TensorValues>& tensors) {
    std::error_code error;
    fs::create_directory(directory, error);  // where it cannot be made, the first file says why
    for (const auto& tensor : tensors) {
        auto name = tensor.name;
        std::replace(name.begin(), name.end(), '/', '_');
        PendingFile file{fs::path{directory} / (name + ".npy")};
        file.write(npy_of(tensor));
        file.commit();
    }
}

std::vector<std::string> layer_names(const Result& result) {
    std::vector<std::string> names;
    names.reserve(result.layers.size());
    for (const auto& layer : result.layers) {
        names.push_back(layer.name);
    }
    return names;
}

void keep_wave(const RunRequest& request, Files& files) {
    if (!files.wave) {
        return;
    }
    if (fidelity_of(request) == models::Fidelity::rtl) {
        commit_fst(*files.wave);
    } else {
        files.wave->commit();
    }
}

/// What to do about an array that is not as the model is, to see why.
std::string with_advice(const models::ArrayFault& fault, const RunRequest& request) {
    if (request.wave) {
        return fmt::format("{}\n  waveform: {}", fault.what(), *request.wave);
    }
    constexpr std::int64_t before = 20;
    const std::int64_t from = std::max<std::int64_t>(0, fault.cycle().count() - before);
    return fmt::format(
        "{}\n  again, with a waveform: {} --wave difference.fst --wave-from {} --wave-cycles {}",
        fault.what(), request.command, from, fault.cycle().count() - from + 5);
}

void write_outputs(const RunRequest& request, const Result& result, const models::Trace& trace,
                   Files& files) {
    if (files.trace) {
        files.trace->write(to_trace_json(trace, layer_names(result)));
        files.trace->commit();
    }
    keep_wave(request, files);
    const auto text = written(result, request);
    if (files.out) {
        files.out->write(text);
        files.out->commit();
    } else {
        write_to_stdout(text);
    }
}

}  // namespace

void run(const RunRequest& request) {
    check(request);
    const auto overrides = parse_overrides(
        request.overrides, {DocumentKind::chip, DocumentKind::workload, DocumentKind::technology});
    const LoadedChip loaded = load_chip(request.chip, overrides);
    const LoadedNetwork network = load_network(request.workload, overrides);
    const Graph graph = build_graph(network.network, native_format(loaded.chip));
    Files files{open(request.out), open(request.trace), open(request.wave)};
    const Mapping mapping = map_graph(graph, loaded.chip, &stop_requested());

    models::Trace trace;
    models::RunOptions options;
    options.fidelity = fidelity_of(request);
    if (options.fidelity == models::Fidelity::rtl) {
        check_rtl(loaded.chip);
        options.rtl = rtl_arrays({request.pe, request.check, &stop_requested(), [&request] {
                                      if (!request.quiet && ::isatty(STDERR_FILENO) == 1) {
                                          fmt::print(stderr, "building the array, once …\n");
                                      }
                                  }});
    }
    options.values = request.values || request.check || request.wave || request.values_out ||
                     is_small(graph, mapping);
    options.trace = files.trace ? &trace : nullptr;
    options.stop = &stop_requested();
    if (files.wave) {
        if (options.fidelity == models::Fidelity::rtl) {
            check_fst_target(*files.wave);
        }
        options.wave = {files.wave->path(), Cycles{request.wave_from},
                        request.wave_cycles ? Cycles{*request.wave_cycles} : never};
    }
    check_memory(graph, loaded.chip, mapping, options);
    Simulation simulation;
    const auto start = std::chrono::steady_clock::now();
    try {
        Progress progress{graph, !request.quiet};
        options.layer_ended = [&](int layer, Cycles now) { progress.layer_ended(layer, now); };
        simulation = simulate(graph, loaded.chip, mapping, options,
                              static_cast<std::uint64_t>(request.seed));
    } catch (const models::ArrayFault& fault) {
        keep_wave(request, files);
        throw SimulationFault{with_advice(fault, request)};
    }
    check_stop(&stop_requested(), "after the run");
    if (request.wave_from > 0 && Cycles{request.wave_from} >= simulation.record.cycles) {
        refuse(fmt::format("the run ends before the waveform begins: it has {} cycles",
                           simulation.record.cycles.count()),
               "--wave-from must be below that");
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;

    Result result = make_result(graph, loaded.chip, loaded.technology, mapping, simulation.record);
    result.manifest = manifest_of(request, loaded, network);
    if (request.values_out) {
        write_values(*request.values_out, simulation.tensors);
    }
    result.tensors = std::move(simulation.tensors);
    keep_small_tensors(result.tensors);
    write_outputs(request, result, trace, files);
    if (request.verbose) {
        fmt::print(stderr, "systole: {} cycles simulated in {:.3f} s\n", result.totals.cycles,
                   taken.count());
    }
}

}  // namespace systole
