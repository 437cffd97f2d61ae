#include "sim/cli/commands.hpp"
#include "sim/report/energy.hpp"
#include "sim/report/output.hpp"
#include "sim/run/load.hpp"
#include "sim/workload/graph.hpp"
#include "sim/workload/load_network.hpp"

#include <fmt/format.h>

#include <utility>

namespace systole {
namespace {

/// Reads the document with all that it refers to. Throws InputError.
void check_document(DocumentKind kind, const std::string& file,
                    const std::vector<Override>& overrides) {
    switch (kind) {
        case DocumentKind::chip: {
            const auto loaded = load_chip(file, overrides);
            const EnergyModel energy{loaded.chip, loaded.technology};
            return;
        }
        case DocumentKind::workload: {
            // Shapes do not depend on the format, which only a chip can choose.
            const auto network = load_network(file, overrides);
            static_cast<void>(build_graph(network.network, Format::int8));
            return;
        }
        case DocumentKind::technology: {
            std::vector<std::filesystem::path> files;
            static_cast<void>(load_technology(file, files));
            return;
        }
    }
}

}  // namespace

void check(const CheckRequest& request) {
    const auto overrides = parse_overrides(request.overrides);
    std::vector<Fault> faults;
    std::string good;
    for (const auto& file : request.files) {
        try {
            const auto kind = kind_of_document(file);
            check_document(kind, file, overrides);
            good += fmt::format("{}: a {} without faults\n", file, to_string(kind));
        } catch (const InputError& error) {
            faults.insert(faults.end(), error.faults().begin(), error.faults().end());
        }
    }
    write_to_stdout(good);
    if (!faults.empty()) {
        throw InputError{std::move(faults)};
    }
}

}  // namespace systole
