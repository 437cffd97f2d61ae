#include "sim/config/library.hpp"

#include "models/base/diagnostics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace systole {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> folders_of_others{"technology", "hbm", "schema",
                                                            "sweeps"};

fs::path folder(DocumentKind kind) {
    switch (kind) {
        case DocumentKind::chip:
            return "configs";
        case DocumentKind::workload:
            return "workloads";
        case DocumentKind::technology:
            return fs::path{"configs"} / "technology";
    }
    return {};
}

bool is_yaml(const fs::path& path) {
    return path.extension() == ".yaml" || path.extension() == ".yml";
}

bool is_file(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error);
}

}  // namespace

fs::path data_directory() {
    std::error_code error;
    if (const char* given = std::getenv("SYSTOLE_DATA"); given != nullptr && *given != '\0') {
        if (!fs::is_directory(given, error)) {
            throw InputError{{{{"SYSTOLE_DATA"},
                               fmt::format("'{}' is not a directory", given),
                               "name the directory that holds configs/ and workloads/"}}};
        }
        return given;
    }
    const auto program = fs::read_symlink("/proc/self/exe", error);
    auto installed = program.parent_path().parent_path() / "share" / "systole";
    if (!error && fs::is_directory(installed / "configs", error)) {
        return installed;
    }
    return SYSTOLE_SOURCE_DIR;
}

std::vector<std::string> list_documents(DocumentKind kind, const fs::path& data) {
    std::vector<std::string> names;
    std::error_code error;
    const auto top = data / folder(kind);
    fs::recursive_directory_iterator entry{top, error};
    for (; !error && entry != fs::recursive_directory_iterator{}; entry.increment(error)) {
        const auto name = entry->path().filename().string();
        if (entry->is_directory(error)) {
            if (std::find(folders_of_others.begin(), folders_of_others.end(), name) !=
                folders_of_others.end()) {
                entry.disable_recursion_pending();
            }
        } else if (is_yaml(entry->path())) {
            names.push_back(entry->path().lexically_relative(top).replace_extension().string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

fs::path find_document(DocumentKind kind, const std::string& name, const fs::path& data) {
    if (is_yaml(name)) {
        return name;  // a path; the reader says what is wrong with it
    }
    for (const char* extension : {".yaml", ".yml"}) {
        const auto path = data / folder(kind) / (name + extension);
        if (!name.empty() && is_file(path)) {
            const auto relative = path.lexically_proximate(fs::current_path());
            return *relative.begin() == ".." ? path : relative;
        }
    }
    std::error_code error;
    if (!name.empty() && fs::exists(name, error)) {
        return name;
    }
    const auto known = list_documents(kind, data);
    const auto near = nearest(name, known);
    throw InputError{{{{name},
                       fmt::format("there is no {} of this name, nor a file", to_string(kind)),
                       near.empty() ? fmt::format("there are {}", fmt::join(known, ", "))
                                    : fmt::format("did you mean '{}'?", near)}}};
}

}  // namespace systole
