#include "sim/config/json_schema.hpp"

#include "sim/config/document.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace systole {
namespace {

using Json = nlohmann::ordered_json;

class Generator {
public:
    explicit Generator(bool names) : names_{names} {}

    /// The keys of a section as an object; in a partial one no key is required.
    Json object(const Declaration& declaration, bool partial);

    /// Shared definitions, which the objects refer to; complete once all have been asked for.
    Json take_definitions();

private:
    struct Use {
        const Declaration* section;
        bool partial;
        auto operator<=>(const Use&) const = default;
    };

    Json type(const Type& type, bool partial, const std::string& key);
    Json integer(const Type& type) const;
    Json reference(const Declaration& section, bool partial, const std::string& key);
    Json choice(const Type& type, bool partial);
    Json tagged(const Declaration& declaration);

    bool names_;
    std::map<Use, std::string> known_;
    std::vector<std::pair<std::string, Use>> pending_;
    Json definitions_ = Json::object();
};

Json number_of(const std::string& text) {
    return Json::parse(text);
}

void add_bounds(Json& schema, const Type& type) {
    if (!type.minimum.empty()) {
        schema["minimum"] = number_of(type.minimum);
    }
    if (!type.maximum.empty()) {
        schema["maximum"] = number_of(type.maximum);
    }
}

/// A written value as JSON; quantities are texts.
Json value_of(const Node& node, const Type& type) {
    switch (node.kind) {
        case Node::Kind::null:
            return nullptr;
        case Node::Kind::scalar: {
            const bool is_word =
                std::any_of(type.words.begin(), type.words.end(),
                            [&](const Word<int>& word) { return word.word == node.text; });
            const bool is_json =
                !is_word && (type.kind == Type::Kind::integer || type.kind == Type::Kind::number ||
                             type.kind == Type::Kind::boolean);
            return is_json ? number_of(node.text) : Json(node.text);
        }
        case Node::Kind::list: {
            Json list = Json::array();
            for (const auto& item : node.items) {
                list.push_back(
                    value_of(item, type.element.empty() ? Type{} : type.element.front()));
            }
            return list;
        }
        case Node::Kind::map:
            break;
    }
    return nullptr;
}

/// Whether a section cannot be left out, nor written without keys.
bool needs_keys(const Declaration& declaration) {
    return std::any_of(
        declaration.fields.begin(), declaration.fields.end(), [](const Declaration::Field& field) {
            const bool is_read_when_absent =
                field.type.kind == Type::Kind::section && !field.optional;
            return field.required || (is_read_when_absent && needs_keys(field.type.section()));
        });
}

std::string described(const Declaration::Field& field) {
    std::string text = field.doc;
    for (const auto& check : field.checks) {
        text += "; " + check.reason;
    }
    return text;
}

Json words_of(const Type& type) {
    Json words = Json::array();
    for (const auto& word : type.words) {
        words.push_back(word.word);
    }
    return {{"enum", words}};
}

/// A number, and what may stand for it: a declared name, a word such as `unlimited`.
Json Generator::integer(const Type& type) const {
    Json number = {{"type", "integer"}};
    add_bounds(number, type);
    Json forms = Json::array({number});
    if (names_) {
        forms.push_back({{"type", "string"}, {"pattern", "^[A-Za-z_][A-Za-z0-9_]*$"}});
    }
    if (!type.words.empty()) {
        forms.push_back(words_of(type));
    }
    return forms.size() == 1 ? number : Json{{"anyOf", forms}};
}

Json Generator::type(const Type& type, bool partial, const std::string& key) {
    Json schema = Json::object();
    switch (type.kind) {
        case Type::Kind::integer:
            return integer(type);
        case Type::Kind::number:
            schema["type"] = "number";
            add_bounds(schema, type);
            return schema;
        case Type::Kind::boolean:
            schema["type"] = "boolean";
            return schema;
        case Type::Kind::text:
            schema["type"] = "string";
            if (!type.pattern.empty()) {
                schema["pattern"] = type.pattern;
            }
            return schema;
        case Type::Kind::quantity:
            schema["type"] = "string";
            schema["pattern"] = type.pattern;
            return schema;
        case Type::Kind::word:
            return words_of(type);
        case Type::Kind::list: {
            // A list is replaced as a whole, so that what is in it is complete.
            const Json item = this->type(type.element.front(), false, key);
            schema["type"] = "array";
            schema["items"] = item;
            return type.or_one ? Json{{"anyOf", {item, schema}}} : schema;
        }
        case Type::Kind::map:
            schema["type"] = "object";
            schema["additionalProperties"] = this->type(type.element.front(), partial, key);
            return schema;
        case Type::Kind::section:
            return reference(type.section(), partial, key);
        case Type::Kind::choice:
            return choice(type, partial);
        case Type::Kind::either:
            for (const auto& form : type.element) {
                schema["anyOf"].push_back(this->type(form, partial, key));
            }
            return schema;
    }
    return schema;
}

Json Generator::reference(const Declaration& section, bool partial, const std::string& key) {
    const Use use{&section, partial};
    auto found = known_.find(use);
    if (found == known_.end()) {
        std::string name = partial ? key + "_part" : key;
        for (int i = 2; definitions_.contains(name); ++i) {
            name = fmt::format("{}_{}{}", key, i, partial ? "_part" : "");
        }
        definitions_[name] = nullptr;
        pending_.emplace_back(name, use);
        found = known_.emplace(use, name).first;
    }
    return {{"$ref", "#/$defs/" + found->second}};
}

Json Generator::choice(const Type& type, bool partial) {
    Json schema = {{"oneOf", Json::array()}};
    for (const auto& alternative : type.alternatives) {
        Json one = object(alternative.section(), partial);
        Json properties = {
            {type.tag, {{"const", alternative.word}, {"description", alternative.doc}}}};
        properties.update(one["properties"]);
        one["properties"] = properties;
        Json required = Json::array({type.tag});
        for (const auto& key : one.value("required", Json::array())) {
            required.push_back(key);
        }
        if (partial) {
            one.erase("required");
        } else {
            one["required"] = required;
        }
        schema["oneOf"].push_back(one);
    }
    if (partial) {
        // Without its word a part may fit several alternatives.
        return {{"anyOf", schema["oneOf"]}};
    }
    return schema;
}

Json Generator::tagged(const Declaration& declaration) {
    Json words = Json::array();
    Json properties = Json::object();
    for (const auto& alternative : declaration.tagged) {
        Json inside = reference(alternative.section(), false, alternative.word);
        if (!needs_keys(alternative.section())) {
            words.push_back(alternative.word);
            inside = {{"anyOf", {inside, {{"type", "null"}}}}};
        }
        inside["description"] = alternative.doc;
        properties[alternative.word] = inside;
    }
    Json map = {{"type", "object"},
                {"properties", properties},
                {"additionalProperties", false},
                {"minProperties", 1},
                {"maxProperties", 1}};
    if (words.empty()) {
        return map;
    }
    return {{"anyOf", {{{"enum", words}}, map}}};
}

Json Generator::object(const Declaration& declaration, bool partial) {
    if (!declaration.tagged.empty()) {
        return tagged(declaration);
    }
    const Node defaults = declaration.defaults();
    Json properties = Json::object();
    Json required = Json::array();
    for (const auto& field : declaration.fields) {
        const bool names = std::exchange(names_, names_ && !field.literal);
        Json property = type(field.type, partial, field.key);
        names_ = names;
        property["description"] = described(field);
        const Node* preset = defaults.find(field.key);
        const bool is_needed_section = field.type.kind == Type::Kind::section && !field.optional &&
                                       needs_keys(field.type.section());
        if (field.required || is_needed_section) {
            required.push_back(field.key);
        } else if (preset != nullptr &&
                   (preset->kind == Node::Kind::scalar || !preset->items.empty())) {
            property["default"] = value_of(*preset, field.type);
        }
        properties[field.key] = std::move(property);
    }
    Json schema = {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
    if (!required.empty() && !partial) {
        schema["required"] = required;
    }
    return schema;
}

Json Generator::take_definitions() {
    while (!pending_.empty()) {
        const auto [name, use] = pending_.back();
        pending_.pop_back();
        definitions_[name] = object(*use.section, use.partial);
    }
    return std::move(definitions_);
}

}  // namespace

std::string json_schema(const Declaration& root, const JsonSchemaOptions& options) {
    Generator generator{options.names};
    const auto document = [&](bool partial) {
        Json schema = generator.object(root, partial);
        Json properties = {
            {"schema_version",
             {{"const", schema_version}, {"description", "of the rules the file is written for"}}}};
        if (partial) {
            properties["extends"] = {{"type", "string"},
                                     {"description", "file or name that gives all other values"}};
        }
        properties.update(schema["properties"]);
        schema["properties"] = properties;
        return schema;
    };
    Json whole = document(false);
    Json part = document(true);
    Json definitions = generator.take_definitions();
    definitions["document"] = std::move(whole);
    definitions["document_part"] = std::move(part);
    const Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                         {"title", options.title},
                         {"if", {{"required", {"extends"}}}},
                         {"then", {{"$ref", "#/$defs/document_part"}}},
                         {"else", {{"$ref", "#/$defs/document"}}},
                         {"$defs", definitions}};
    return schema.dump(2) + "\n";
}

}  // namespace systole
