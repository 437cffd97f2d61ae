#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace systole::test {

/// Holds a document against the part of JSON Schema that our schemas use: type, const, enum,
/// required, properties and items. Written from the specification (draft 2020-12).
class JsonSchemaCheck {
public:
    using Json = nlohmann::json;

    /// What is wrong, each with its place in the document.
    static std::vector<std::string> faults(const Json& schema, const Json& document) {
        JsonSchemaCheck check;
        check.visit(schema, document, "$");
        return check.faults_;
    }

private:
    static bool is(const std::string& type, const Json& value) {
        return (type == "object" && value.is_object()) || (type == "array" && value.is_array()) ||
               (type == "string" && value.is_string()) ||
               (type == "boolean" && value.is_boolean()) || (type == "null" && value.is_null()) ||
               (type == "number" && value.is_number()) ||
               (type == "integer" && value.is_number_integer());
    }

    void visit(const Json& schema, const Json& value, const std::string& at) {
        if (schema.contains("type")) {
            const auto& type = schema["type"];
            bool fits = false;
            const Json types = type.is_array() ? type : Json::array({type});
            for (const auto& one : types) {
                fits = fits || is(one.get<std::string>(), value);
            }
            if (!fits) {
                faults_.push_back(at + " is no " + type.dump());
            }
        }
        if (schema.contains("const") && schema["const"] != value) {
            faults_.push_back(at + " is not " + schema["const"].dump());
        }
        if (schema.contains("enum")) {
            bool fits = false;
            for (const auto& one : schema["enum"]) {
                fits = fits || one == value;
            }
            if (!fits) {
                faults_.push_back(at + " is none of " + schema["enum"].dump());
            }
        }
        const Json required = schema.value("required", Json::array());
        for (const auto& key : required) {
            if (!value.contains(key.get<std::string>())) {
                faults_.push_back(at + " has no " + key.get<std::string>());
            }
        }
        const Json properties = schema.value("properties", Json::object());
        for (const auto& [key, property] : properties.items()) {
            if (value.contains(key)) {
                visit(property, value[key], at + "." + key);
            }
        }
        if (schema.contains("items") && value.is_array()) {
            for (std::size_t i = 0; i < value.size(); ++i) {
                visit(schema["items"], value[i], at + "[" + std::to_string(i) + "]");
            }
        }
    }

    std::vector<std::string> faults_;
};

}  // namespace systole::test
