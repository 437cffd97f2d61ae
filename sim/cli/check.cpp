#include "sim/cli/commands.hpp"
#include "sim/report/energy.hpp"
#include "sim/report/output.hpp"
#include "sim/run/load.hpp"
#include "sim/workload/graph.hpp"
#include "sim/workload/load_network.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <set>
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
            static_cast<void>(load_technology(file, overrides, files));
            return;
        }
    }
}

}  // namespace

void check(const CheckRequest& request) {
    std::vector<Fault> faults;
    std::vector<std::optional<DocumentKind>> kinds;
    std::set<DocumentKind> documents;
    const auto note = [&faults](const InputError& error) {
        faults.insert(faults.end(), error.faults().begin(), error.faults().end());
    };
    for (const auto& file : request.files) {
        try {
            const auto kind = kind_of_document(file);
            kinds.emplace_back(kind);
            documents.insert(kind);
            if (kind == DocumentKind::chip) {
                documents.insert(DocumentKind::technology);
            }
        } catch (const InputError& error) {
            kinds.emplace_back();
            note(error);
        }
    }
    const auto overrides =
        faults.empty() ? parse_overrides(request.overrides, documents) : std::vector<Override>{};
    std::string good;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (const auto kind = kinds[i]) {
            try {
                check_document(*kind, request.files[i], overrides);
                good +=
                    fmt::format("{}: a {} without faults\n", request.files[i], to_string(*kind));
            } catch (const InputError& error) {
                note(error);
            }
        }
    }
    write_to_stdout(good);
    if (!faults.empty()) {
        throw InputError{std::move(faults)};
    }
}

}  // namespace systole
