#pragma once

#include "models/base/words.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace systole {

/// The kinds of document; each has its folder in the data directory.
enum class DocumentKind { chip, workload, technology };

template <>
struct Words<DocumentKind> {
    static constexpr Word<DocumentKind> table[] = {
        {DocumentKind::chip, "chip", "the hardware: configs/*.yaml"},
        {DocumentKind::workload, "workload", "the network: workloads/**.yaml"},
        {DocumentKind::technology, "technology", "energies: configs/technology/*.yaml"}};
};

/// Where `configs/` and `workloads/` are: $SYSTOLE_DATA, or ../share/systole beside the program, or
/// the source tree it was built from.
[[nodiscard]] std::filesystem::path data_directory();

/// The names of all documents of a kind under `data`, sorted: "tpu_v1", "course/2_1_perceptron".
[[nodiscard]] std::vector<std::string> list_documents(DocumentKind kind,
                                                      const std::filesystem::path& data);

/// The file that the user means: a path, or a name found under `data`. Throws InputError with the
/// nearest name where there is none.
[[nodiscard]] std::filesystem::path find_document(DocumentKind kind, const std::string& name,
                                                  const std::filesystem::path& data);

}  // namespace systole
