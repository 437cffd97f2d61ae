#include "tests/fuzz/readers.hpp"

#include "models/base/schema.hpp"
#include "sim/config/document.hpp"
#include "tests/specimen.hpp"

#include <stdexcept>

namespace systole::test {
namespace {

void read_as_specimen(const std::string& text) {
    ReadContext context;
    // No folder of data: `extends` by a name finds nothing, and reads no other file.
    const auto document =
        parse_document(DocumentKind::chip, text, "fuzz.yaml", "/nonexistent", {}, context);
    const auto machine = read<Machine>(document.root, context);
    context.throw_if_faulty();

    // What was accepted can be written, and means the same when read again.
    const std::string written = to_yaml(to_node(machine));
    ReadContext again;
    const auto copy =
        parse_document(DocumentKind::chip, written, "again.yaml", "/nonexistent", {}, again);
    const std::string rewritten = to_yaml(to_node(read<Machine>(copy.root, again)));
    if (!again.faults.empty() || rewritten != written) {
        throw std::logic_error{"an accepted document does not survive writing:\n" + written};
    }
}

}  // namespace

bool is_accepted(const std::string& text) {
    try {
        read_as_specimen(text);
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

}  // namespace systole::test
