#pragma once

#include "models/base/schema.hpp"
#include "sim/config/yaml.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace systole::test {

/// "3:7 what | hint", as the tests of the configuration write a fault of one file.
inline std::string brief(const Fault& fault) {
    return fmt::format("{}:{} {}{}{}", fault.where.line, fault.where.column, fault.what,
                       fault.hint.empty() ? "" : " | ", fault.hint);
}

inline std::vector<std::string> brief(const std::vector<Fault>& faults) {
    std::vector<std::string> texts;
    texts.reserve(faults.size());
    for (const auto& fault : faults) {
        texts.push_back(brief(fault));
    }
    return texts;
}

/// Parses a text that has no faults.
inline Node parse(const std::string& text) {
    std::vector<Fault> faults;
    Node node = parse_yaml(text, "test.yaml", faults);
    if (!faults.empty()) {
        throw InputError{faults};
    }
    return node;
}

/// The faults that reading `C` from a text finds, in the order of the report.
template <class C>
std::vector<std::string> faults_in(const std::string& text, ReadContext context = {}) {
    try {
        const Node node = parse_yaml(text, "test.yaml", context.faults);
        static_cast<void>(read<C>(node, context));
        context.throw_if_faulty();
    } catch (const InputError& e) {
        return brief(e.faults());
    }
    return {};
}

}  // namespace systole::test
