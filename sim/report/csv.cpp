#include "sim/report/csv.hpp"

#include "sim/report/figures.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace systole {
namespace {

/// RFC 4180: a field with a comma, a quote or a line break stands in quotes.
std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
        return text;
    }
    std::string field = "\"";
    for (const char c : text) {
        field += c == '"' ? "\"\"" : std::string(1, c);
    }
    return field + "\"";
}

struct ToField {
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
    std::string operator()(double value) const { return fmt::format("{}", value); }
    std::string operator()(const std::string& value) const { return quoted(value); }
};

std::string header() {
    std::string line = "name,op";
    for (const auto& figure : figures()) {
        line += "," + figure.key;
    }
    for (int i = 0; i < component_count; ++i) {
        line += fmt::format(",energy_{}_j", to_string(static_cast<Component>(i)));
    }
    for (int i = 0; i < models::cause_count; ++i) {
        line += fmt::format(",cycles_{}", models::to_string(static_cast<models::Cause>(i)));
    }
    return line + "\n";
}

std::string row(const std::string& name, const std::string& op, const Figures& values) {
    std::string line = quoted(name) + "," + quoted(op);
    for (const auto& figure : figures()) {
        line += "," + std::visit(ToField{}, figure.value(values));
    }
    for (const auto energy : values.energy.by) {
        line += known(energy) ? fmt::format(",{}", 1e-12 * energy.count()) : ",";
    }
    for (const auto cycles : values.cycles_by) {
        line += fmt::format(",{}", cycles.count());
    }
    return line + "\n";
}

}  // namespace

std::string to_csv(const Result& result) {
    std::string text = header();
    for (const auto& layer : result.layers) {
        text += row(layer.name, layer.op, layer.figures);
    }
    return text;
}

}  // namespace systole
