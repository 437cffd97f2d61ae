#include "sim/config/parameter_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace systole {
namespace {

class Lister {
public:
    void list(const Declaration& declaration, const std::string& prefix);
    [[nodiscard]] std::vector<Parameter> take_rows() { return std::move(rows_); }

private:
    void list_inside(const Type& type, const std::string& path);

    std::vector<Parameter> rows_;
    std::vector<const Declaration*> open_;  ///< the sections that the current one stands in
};

std::string preset_text(const Declaration::Field& field, const Node& defaults) {
    if (field.required) {
        return "required";
    }
    const Node* preset = defaults.find(field.key);
    const bool is_short = preset != nullptr &&
                          (preset->kind == Node::Kind::scalar || preset->kind == Node::Kind::list);
    std::string text = is_short ? to_yaml(*preset) : "";
    if (!text.empty()) {
        text.pop_back();  // the line break
    }
    return text;
}

void Lister::list(const Declaration& declaration, const std::string& prefix) {
    if (std::find(open_.begin(), open_.end(), &declaration) != open_.end()) {
        return;
    }
    open_.push_back(&declaration);
    for (const auto& alternative : declaration.tagged) {
        const auto path = fmt::format("{}{}", prefix, alternative.word);
        rows_.push_back({path, "section", "", alternative.doc});
        list(alternative.section(), path + ".");
    }
    const Node defaults = declaration.defaults();
    for (const auto& field : declaration.fields) {
        std::string doc = field.doc;
        for (const auto& check : field.checks) {
            doc += "; " + check.reason;
        }
        rows_.push_back({prefix + field.key, field.type.name, preset_text(field, defaults), doc});
        list_inside(field.type, prefix + field.key);
    }
    open_.pop_back();
}

void Lister::list_inside(const Type& type, const std::string& path) {
    if (type.kind == Type::Kind::section) {
        list(type.section(), path + ".");
    }
    for (const auto& alternative : type.alternatives) {
        rows_.push_back(
            {fmt::format("{}.{}", path, type.tag), alternative.word, "", alternative.doc});
        list(alternative.section(), path + ".");
    }
    for (const auto& element : type.element) {
        list_inside(element, path + (type.kind == Type::Kind::map ? ".<name>" : "[]"));
    }
}

}  // namespace

std::vector<Parameter> parameter_table(const Declaration& root) {
    Lister lister;
    lister.list(root, "");
    return lister.take_rows();
}

std::string to_markdown(const std::vector<Parameter>& parameters) {
    std::string text = "| key | type | default | meaning |\n|---|---|---|---|\n";
    for (const auto& parameter : parameters) {
        text += fmt::format("| `{}` | {} | {} | {} |\n", parameter.path, parameter.type,
                            parameter.preset, parameter.doc);
    }
    return text;
}

}  // namespace systole
