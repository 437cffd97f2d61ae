#include "sim/config/document.hpp"

#include "sim/config/source_text.hpp"
#include "sim/config/yaml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

namespace systole {
namespace {

namespace fs = std::filesystem;

constexpr const char* extends_key = "extends";
constexpr const char* version_key = "schema_version";

[[noreturn]] void fail(const SourceLocation& where, std::string what, std::string hint = {}) {
    throw InputError{{{where, std::move(what), std::move(hint)}}};
}

/// Whether the two sections are of different kinds, so that the keys of one mean nothing in the
/// other.
bool differ_in_kind(const Node& base, const Node& over) {
    for (const char* chooser : {"kind", "model"}) {
        const Node* before = base.find(chooser);
        const Node* after = over.find(chooser);
        if (before != nullptr && after != nullptr && before->text != after->text) {
            return true;
        }
    }
    return false;
}

/// `base` with the values of `over` in it.
Node merge(Node base, Node over) {
    if (base.kind != Node::Kind::map || over.kind != Node::Kind::map ||
        differ_in_kind(base, over)) {
        return over;
    }
    for (auto& entry : over.entries) {
        const auto same =
            std::find_if(base.entries.begin(), base.entries.end(),
                         [&](const Node::Entry& other) { return other.key == entry.key; });
        if (same == base.entries.end()) {
            base.entries.push_back(std::move(entry));
        } else {
            same->key_at = entry.key_at;
            same->value = merge(std::move(same->value), std::move(entry.value));
        }
    }
    base.where = over.where;
    return base;
}

/// Removes a key of the document and returns its entry.
std::optional<Node::Entry> take(Node& root, const std::string& key) {
    const auto found = std::find_if(root.entries.begin(), root.entries.end(),
                                    [&](const Node::Entry& entry) { return entry.key == key; });
    if (found == root.entries.end()) {
        return std::nullopt;
    }
    Node::Entry entry = std::move(*found);
    root.entries.erase(found);
    return entry;
}

void check_version(Node& root, ReadContext& context) {
    const auto entry = take(root, version_key);
    if (!entry) {
        return;
    }
    int version = 0;
    const ReadContext no_names;
    const auto wrong = entry->value.kind != Node::Kind::scalar
                           ? Wrong{"expected integer, found " + description(entry->value), {}}
                           : Scalar<int>::parse(entry->value, no_names, version);
    const SourceLocation& where =
        entry->value.kind == Node::Kind::null ? entry->key_at : entry->value.where;
    if (wrong) {
        context.fault(where, fmt::format("'{}': {}", version_key, wrong->what), wrong->hint);
    } else if (version != schema_version) {
        context.fault(where,
                      fmt::format("'{}' must be {}, not {}", version_key, schema_version, version),
                      version > schema_version ? "the file was written for a later Systole" : "");
    }
}

/// Reads files that extend each other.
class Loader {
public:
    Loader(DocumentKind kind, fs::path data, ReadContext& context)
        : kind_{kind},
          data_{std::move(data)},
          context_{&context} {}

    Node load(const fs::path& file) { return parse(read_file(file), file); }

    Node parse(const std::string& text, const fs::path& file) {
        files_.push_back(file);
        chain_.push_back(file);
        Node root = parse_yaml(text, file.string(), context_->faults);
        check_version(root, *context_);
        if (const auto parent = take(root, extends_key)) {
            root = merge(load_parent(*parent, file), std::move(root));
        }
        chain_.pop_back();
        return root;
    }

    [[nodiscard]] std::vector<fs::path> take_files() { return std::move(files_); }

private:
    Node load_parent(const Node::Entry& parent, const fs::path& file) {
        const SourceLocation& where =
            parent.value.kind == Node::Kind::null ? parent.key_at : parent.value.where;
        if (parent.value.kind != Node::Kind::scalar || parent.value.text.empty()) {
            fail(where, fmt::format("'{}': expected a file or a name, found {}", extends_key,
                                    description(parent.value)));
        }
        const fs::path target = locate(parent.value.text, where, file);
        for (const auto& other : chain_) {
            std::error_code error;
            if (fs::equivalent(other, target, error)) {
                fail(where, fmt::format("'{}' goes round in a circle: '{}' is extended by itself",
                                        extends_key, target.string()));
            }
        }
        Node root = load(target);
        if (root.kind != Node::Kind::map) {
            fail({target.string(), 1, 1},
                 fmt::format("expected section, found {}", description(root)));
        }
        return root;
    }

    /// A path is meant from the folder of the file that names it.
    fs::path locate(const std::string& name, const SourceLocation& where, const fs::path& file) {
        std::error_code error;
        auto beside = file.parent_path() / name;
        const bool is_path = beside.extension() == ".yaml" || beside.extension() == ".yml";
        if (is_path && !fs::exists(beside, error)) {
            fail(where, fmt::format("'{}': there is no file '{}'", extends_key, beside.string()),
                 "a path goes from this file's folder; one that is shipped goes by its name, as "
                 "tpu_v1");
        }
        if (is_path) {
            return beside;
        }
        try {
            return find_document(kind_, name, data_);
        } catch (const InputError& e) {
            const Fault& fault = e.faults().front();
            fail(where, fmt::format("'{}': '{}': {}", extends_key, name, fault.what), fault.hint);
        }
    }

    DocumentKind kind_;
    fs::path data_;
    ReadContext* context_;
    std::vector<fs::path> files_;
    std::vector<fs::path> chain_;
};

/// Faulty values are left to the schema; their names are known, so that each fault is told once.
void declare_names(const Node& root, ReadContext& context) {
    const Node* parameters = root.find("parameters");
    if (parameters == nullptr || parameters->kind != Node::Kind::map) {
        return;
    }
    const ReadContext no_names;
    for (const auto& entry : parameters->entries) {
        std::int64_t value = 1;
        if (entry.value.kind == Node::Kind::scalar) {
            static_cast<void>(Scalar<std::int64_t>::parse(entry.value, no_names, value));
        }
        context.names[entry.key] = value;
    }
}

Document finish(DocumentKind kind, Node root, std::vector<fs::path> files,
                const std::vector<Override>& overrides, ReadContext& context) {
    for (const auto& change : overrides) {
        if (change.document == kind) {
            apply(change, root, context.faults);
        }
    }
    declare_names(root, context);
    return {std::move(root), std::move(files)};
}

}  // namespace

std::string read_file(const fs::path& path) {
    const SourceLocation where{path.string()};
    std::error_code error;
    if (fs::is_directory(path, error)) {
        fail(where, "is a directory, not a file");
    }
    errno = 0;
    std::ifstream file{path, std::ios::binary};
    if (!file) {
        fail(where, fmt::format("cannot be read: {}", std::strerror(errno)));
    }
    // One byte more than may be, from a pipe too: what is larger is refused by its reader.
    std::string text;
    constexpr std::size_t block = 65'536;
    while (file && text.size() <= SourceText::max_size) {
        const auto size = text.size();
        text.resize(size + block);
        file.read(text.data() + size, block);
        text.resize(size + static_cast<std::size_t>(file.gcount()));
    }
    if (file.bad()) {
        fail(where, "cannot be read to its end");
    }
    return text;
}

Document parse_document(DocumentKind kind, const std::string& text, const fs::path& file,
                        const fs::path& data, const std::vector<Override>& overrides,
                        ReadContext& context) {
    Loader loader{kind, data, context};
    Node root = loader.parse(text, file);
    return finish(kind, std::move(root), loader.take_files(), overrides, context);
}

Document load_document(DocumentKind kind, const std::string& name,
                       const std::vector<Override>& overrides, ReadContext& context) {
    const auto data = data_directory();
    const auto file = find_document(kind, name, data);
    return parse_document(kind, read_file(file), file, data, overrides, context);
}

}  // namespace systole
