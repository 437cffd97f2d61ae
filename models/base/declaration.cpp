#include "models/base/declaration.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace systole {
namespace {

/// The hint for a word that is none of `known`.
std::string suggestion(const std::string& word, const std::vector<std::string>& known,
                       const std::string& what) {
    if (const auto near = nearest(word, known); !near.empty()) {
        return fmt::format("did you mean '{}'?", near);
    }
    return known.empty() ? fmt::format("it has no {}", what)
                         : fmt::format("{}: {}", what, fmt::join(known, ", "));
}

std::vector<std::string> words_of(const std::vector<Alternative>& alternatives) {
    std::vector<std::string> words;
    words.reserve(alternatives.size());
    for (const auto& alternative : alternatives) {
        words.push_back(alternative.word);
    }
    return words;
}

const Alternative* find(const std::vector<Alternative>& alternatives, const std::string& word) {
    for (const auto& alternative : alternatives) {
        if (alternative.word == word) {
            return &alternative;
        }
    }
    return nullptr;
}

void fault_missing(const std::string& key, const std::string& doc, const Type& type,
                   const Place& place, ReadContext& context) {
    context.fault(place.where, fmt::format("missing key '{}{}'", place.absent, key),
                  fmt::format("{}: {}; {}", key, doc, type.name));
}

/// ", not 3": the value that failed a check, as the user would recognise it.
std::string refused_value(const Declaration::Field& field, const Node* given, const void* config,
                          const ReadContext& context) {
    if (given == nullptr) {
        const auto preset = field.write(config);
        return preset && preset->kind == Node::Kind::scalar
                   ? fmt::format(", not {} (its default)", preset->text)
                   : "";
    }
    if (given->kind != Node::Kind::scalar) {
        return {};
    }
    const auto name = context.names.find(given->text);
    const bool is_name = given->plain && !field.literal && name != context.names.end();
    return is_name ? fmt::format(", not {} ({})", given->text, name->second)
                   : fmt::format(", not {}", given->text);
}

void run_checks(const Declaration::Field& field, bool of_own_value, const Node* given,
                const Place& place, const void* config, ReadContext& context) {
    for (const auto& check : field.checks) {
        if (check.of_own_value == of_own_value && !check.holds(config)) {
            context.fault(
                given != nullptr ? given->where : place.where,
                fmt::format("'{}{}' {}{}", given != nullptr ? "" : place.absent, field.key,
                            check.reason, refused_value(field, given, config, context)));
        }
    }
}

}  // namespace

void fault_kind(const std::string& expected, const Node& node, const Place& place,
                ReadContext& context) {
    const bool is_null = node.kind == Node::Kind::null;
    const auto what = fmt::format("expected {}, found {}", expected, description(node));
    context.fault(is_null ? place.where : node.where,
                  place.name.empty() ? what : fmt::format("'{}': {}", place.name, what),
                  is_null && expected == "section" ? "write {} for a section without keys" : "");
}

void Declaration::read(const Node& node, const Place& place, void* config, ReadContext& context,
                       const std::string& tag) const {
    if (locate) {
        locate(config, place.where);
    }
    if (!tagged.empty()) {
        read_tagged(node, place, config, context);
        return;
    }
    if (node.kind != Node::Kind::map) {
        fault_kind("section", node, place, context);
        return;
    }
    const auto faults_before = context.faults.size();
    std::vector<const Node::Entry*> given(fields.size(), nullptr);
    for (const auto& entry : node.entries) {
        if (!tag.empty() && entry.key == tag) {
            continue;
        }
        const auto field = std::find_if(fields.begin(), fields.end(),
                                        [&](const Field& f) { return f.key == entry.key; });
        if (field == fields.end()) {
            std::vector<std::string> known;
            known.reserve(fields.size());
            for (const auto& f : fields) {
                known.push_back(f.key);
            }
            context.fault(entry.key_at, fmt::format("unknown key '{}'", entry.key),
                          suggestion(entry.key, known, "keys"));
        } else if (auto& place_of_field = given[static_cast<std::size_t>(field - fields.begin())];
                   place_of_field != nullptr) {
            context.fault(entry.key_at, fmt::format("duplicate key '{}'", entry.key));
        } else {
            place_of_field = &entry;
        }
    }
    for (std::size_t i = 0; i < fields.size(); ++i) {
        read_field(fields[i], given[i], place, config, context);
    }
    if (context.faults.size() != faults_before) {
        return;
    }
    for (std::size_t i = 0; i < fields.size(); ++i) {
        run_checks(fields[i], false, given[i] != nullptr ? &given[i]->value : nullptr, place,
                   config, context);
    }
}

void Declaration::read_field(const Field& field, const Node::Entry* given, const Place& place,
                             void* config, ReadContext& context) const {
    const auto faults_before = context.faults.size();
    if (given != nullptr) {
        if (field.locate) {
            field.locate(config, given->value.where);
        }
        const bool names_applied =
            std::exchange(context.names_apply, context.names_apply && !field.literal);
        field.read(given->value, {field.key, given->key_at}, config, context);
        context.names_apply = names_applied;
    } else if (field.required) {
        fault_missing(field.key, field.doc, field.type, place, context);
    } else if (field.type.kind == Type::Kind::section && !field.optional &&
               field.type.section().tagged.empty()) {
        field.read(Node::map(place.where),
                   {field.key, place.where, fmt::format("{}{}.", place.absent, field.key)}, config,
                   context);
    }
    if (context.faults.size() == faults_before) {
        run_checks(field, true, given != nullptr ? &given->value : nullptr, place, config, context);
    }
}

void Declaration::read_tagged(const Node& node, const Place& place, void* config,
                              ReadContext& context) const {
    const auto words = words_of(tagged);
    const bool is_word = node.kind == Node::Kind::scalar;
    const bool is_map = node.kind == Node::Kind::map && node.entries.size() == 1;
    if (!is_word && !is_map) {
        const auto what = node.kind == Node::Kind::map
                              ? fmt::format("a map of {} keys", node.entries.size())
                              : description(node);
        context.fault(
            node.where, fmt::format("'{}': expected one word, found {}", place.name, what),
            fmt::format("write one of {}, and its keys inside it", fmt::join(words, ", ")));
        return;
    }
    const std::string& word = is_word ? node.text : node.entries.front().key;
    const SourceLocation& where = is_word ? node.where : node.entries.front().key_at;
    const Alternative* chosen = find(tagged, word);
    if (chosen == nullptr) {
        context.fault(where, fmt::format("unknown word '{}'", word),
                      suggestion(word, words, "words"));
        return;
    }
    if (locate) {
        locate(config, where);
    }
    // `- flatten` and `- flatten:` are the section without keys.
    const Node* inside = is_word ? nullptr : &node.entries.front().value;
    const bool is_bare =
        inside == nullptr || (inside->kind == Node::Kind::null && inside->text.empty());
    chosen->section().read(is_bare ? Node::map(where) : *inside, {word, where},
                           chosen->emplace(variant(config)), context);
}

void read_choice(const std::string& tag, const std::vector<Alternative>& alternatives,
                 const Node& node, const Place& place, void* variant, ReadContext& context) {
    if (node.kind != Node::Kind::map) {
        fault_kind("section", node, place, context);
        return;
    }
    const auto words = words_of(alternatives);
    const Node* chooser = node.find(tag);
    if (chooser == nullptr) {
        context.fault(place.where, fmt::format("missing key '{}'", tag),
                      fmt::format("{}: one of {}", tag, fmt::join(words, ", ")));
        return;
    }
    if (chooser->kind != Node::Kind::scalar) {
        fault_kind("one of " + fmt::format("{}", fmt::join(words, ", ")), *chooser,
                   {tag, place.where}, context);
        return;
    }
    const Alternative* chosen = find(alternatives, chooser->text);
    if (chosen == nullptr) {
        context.fault(chooser->where, fmt::format("unknown {} '{}'", tag, chooser->text),
                      suggestion(chooser->text, words, "words"));
        return;
    }
    const auto times = std::count_if(node.entries.begin(), node.entries.end(),
                                     [&](const Node::Entry& entry) { return entry.key == tag; });
    if (times > 1) {
        context.fault(place.where, fmt::format("duplicate key '{}'", tag));
    }
    chosen->section().read(node, place, chosen->emplace(variant), context, tag);
}

Node write_choice(const std::string& tag, const std::vector<Alternative>& alternatives,
                  const void* variant) {
    for (const auto& alternative : alternatives) {
        if (const void* held = alternative.get(variant); held != nullptr) {
            Node node = Node::map();
            node.add(tag, Node::scalar(alternative.word), alternative.doc);
            for (auto& entry : alternative.section().write(held).entries) {
                node.entries.push_back(std::move(entry));
            }
            return node;
        }
    }
    return {};
}

Node Declaration::write(const void* config) const {
    Node node = Node::map();
    if (!tagged.empty()) {
        // variant() only passes from the struct to its member, which writing does not change.
        const void* held_in = variant(const_cast<void*>(config));
        for (const auto& alternative : tagged) {
            if (const void* held = alternative.get(held_in); held != nullptr) {
                Node section = alternative.section().write(held);
                if (section.entries.empty()) {
                    return Node::scalar(alternative.word);
                }
                node.add(alternative.word, std::move(section));
                return node;
            }
        }
        return {};
    }
    for (const auto& field : fields) {
        if (auto value = field.write(config)) {
            node.add(field.key, std::move(*value), field.doc);
        }
    }
    return node;
}

std::vector<Type::Alternative> documented(const std::vector<Alternative>& all) {
    std::vector<Type::Alternative> documents;
    documents.reserve(all.size());
    for (const auto& alternative : all) {
        documents.push_back({alternative.word, alternative.doc, alternative.section});
    }
    return documents;
}

}  // namespace systole
