#pragma once

#include "models/base/scalar.hpp"

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace systole {

/// Where a value stands among its neighbours: what a fault calls it, and where it points to.
struct Place {
    std::string name;         ///< "rows", "stride[1]", "parameters.m"; empty for a document
    SourceLocation where;     ///< of its key, if it has one
    std::string absent = {};  ///< "core.matrix." for keys of sections which are not written
};

/// One of the sections that a variant may hold, chosen by its word.
struct Alternative {
    std::string word;
    std::string doc;
    const Declaration& (*section)();
    std::function<void*(void* variant)> emplace;
    std::function<const void*(const void* variant)> get;  ///< nullptr when it holds another
};

/// What a described section consists of, without its C++ type: `Schema<C>` fills it, and reading,
/// writing, the JSON Schema and the parameter table use it.
class Declaration {
public:
    struct Check {
        std::function<bool(const void*)> holds;
        std::string reason;
        bool of_own_value = false;  ///< does not look at other fields
    };
    struct Field {
        std::string key;
        std::string doc;
        Type type;
        std::function<void(const Node&, const Place&, void*, ReadContext&)> read;
        std::function<std::optional<Node>(const void*)> write;
        bool required = false;
        bool optional = false;  ///< may stay without any value
        bool literal = false;   ///< declared names do not stand for integers here
        std::vector<Check> checks = {};
        std::function<void(void*, const SourceLocation&)> locate = {};
    };

    /// Reads a section and records its faults; `tag` is a key that the caller has read already.
    void read(const Node& node, const Place& place, void* config, ReadContext& context,
              const std::string& tag = {}) const;
    [[nodiscard]] Node write(const void* config) const;

    std::deque<Field> fields = {};  ///< a deque: handles point into it
    /// Not empty: the section is one of these, written `- word: {…}` or `- word`.
    std::vector<Alternative> tagged = {};
    std::function<void*(void*)> variant = {};
    std::function<void(void*, const SourceLocation&)> locate = {};
    std::function<Node()> defaults = {};  ///< a default-constructed section, written

private:
    void read_field(const Field& field, const Node::Entry* given, const Place& place, void* config,
                    ReadContext& context) const;
    void read_tagged(const Node& node, const Place& place, void* config,
                     ReadContext& context) const;
};

/// A map in which the word of the key `tag` says which alternative the other keys belong to.
void read_choice(const std::string& tag, const std::vector<Alternative>& alternatives,
                 const Node& node, const Place& place, void* variant, ReadContext& context);
[[nodiscard]] Node write_choice(const std::string& tag,
                                const std::vector<Alternative>& alternatives, const void* variant);

[[nodiscard]] std::vector<Type::Alternative> documented(const std::vector<Alternative>& all);

/// "'rows': expected integer, found a list".
void fault_kind(const std::string& expected, const Node& node, const Place& place,
                ReadContext& context);

}  // namespace systole
