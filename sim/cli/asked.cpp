#include "sim/cli/asked.hpp"

#include "models/base/diagnostics.hpp"

#include <CLI/CLI.hpp>

#include <utility>

namespace systole {
namespace {

[[noreturn]] void refuse(const std::string& where, std::string what, std::string hint) {
    throw InputError{{{{where}, std::move(what), std::move(hint)}}};
}

}  // namespace

Asked::Asked(const CLI::App& app) : command{&app} {
    while (!command->get_subcommands().empty()) {
        command = command->get_subcommands().front();
        name += " " + command->get_name();
    }
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& known,
                         const std::string& otherwise) {
    const auto near = nearest(name, known);
    return near.empty() ? otherwise : "did you mean '" + near + "'?";
}

/// CLI11 calls an option that it does not know an extra argument; we look for the one that was
/// meant.
void refuse_extras(const Asked& asked) {
    const CLI::App& command = *asked.command;
    const auto extras = command.remaining();
    if (extras.empty()) {
        return;
    }
    const auto& where = asked.name;
    const auto& first = extras.front();
    if (first.front() != '-') {
        std::vector<std::string> inner;
        for (const auto* each : command.get_subcommands([](const CLI::App*) { return true; })) {
            inner.push_back(each->get_name());
        }
        refuse(where, "there is no place for '" + first + "'",
               did_you_mean(first, inner, "see " + where + " --help"));
    }
    std::vector<std::string> known;
    for (const auto* option : command.get_options()) {
        for (const auto& name : option->get_lnames()) {
            known.push_back("--" + name);
        }
    }
    refuse(where, "unknown option '" + first + "'",
           did_you_mean(first.substr(0, first.find('=')), known, "see " + where + " --help"));
}

}  // namespace systole
