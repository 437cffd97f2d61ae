#include "tests/fuzz/readers.hpp"

#include "models/base/schema.hpp"
#include "models/chip_config.hpp"
#include "models/technology/technology.hpp"
#include "sim/config/document.hpp"
#include "sim/workload/graph.hpp"
#include "sim/workload/network.hpp"
#include "tests/specimen.hpp"

#include <array>
#include <stdexcept>

namespace systole::test {
namespace {

template <class C>
void read_as(DocumentKind kind, const std::string& text) {
    ReadContext context;
    // No folder of data: `extends` by a name finds nothing, and reads no other file.
    const auto document = parse_document(kind, text, "fuzz.yaml", "/nonexistent", {}, context);
    const auto config = read<C>(document.root, context);
    context.throw_if_faulty();

    // What was accepted can be written, and means the same when read again.
    const std::string written = to_yaml(to_node(config));
    ReadContext again;
    const auto copy = parse_document(kind, written, "again.yaml", "/nonexistent", {}, again);
    const std::string rewritten = to_yaml(to_node(read<C>(copy.root, again)));
    if (!again.faults.empty() || rewritten != written) {
        throw std::logic_error{"an accepted document does not survive writing:\n" + written};
    }
}

/// A workload, as far as its graph.
void build_network(DocumentKind kind, const std::string& text) {
    read_as<Network>(kind, text);
    ReadContext context;
    const auto document = parse_document(kind, text, "fuzz.yaml", "/nonexistent", {}, context);
    const auto network = read_network(document.root, "fuzz", context);
    static_cast<void>(build_graph(network, Format::int8));
}

/// A reader of documents: each text is given to all.
struct Reader {
    void (*read)(DocumentKind kind, const std::string& text);
    DocumentKind kind;
};
constexpr std::array<Reader, 4> readers{{
    {&read_as<Machine>, DocumentKind::chip},
    {&read_as<models::ChipConfig>, DocumentKind::chip},
    {&read_as<models::Technology>, DocumentKind::technology},
    {&build_network, DocumentKind::workload},
}};

bool is_accepted_by(const Reader& reader, const std::string& text) {
    try {
        reader.read(reader.kind, text);
        return true;
    } catch (const InputError& e) {
        if (e.faults().empty()) {
            throw std::logic_error{"refused without a fault"};
        }
        for (const auto& fault : e.faults()) {
            if (fault.where.file.empty() || fault.what.empty()) {
                throw std::logic_error{"a fault without a place or a text: " + to_string(fault)};
            }
        }
        return false;
    }
}

}  // namespace

bool is_accepted(const std::string& text) {
    bool accepted = false;
    for (const auto& reader : readers) {
        accepted = is_accepted_by(reader, text) || accepted;
    }
    return accepted;
}

}  // namespace systole::test
