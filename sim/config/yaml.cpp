#include "sim/config/yaml.hpp"

#include "sim/config/source_text.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

namespace systole {
namespace {

constexpr std::string_view plain_tag = "?";
constexpr std::string_view quoted_tag = "!";

/// Makes nodes of the parser's events. yaml-cpp's own nodes are not used: they hide duplicate keys
/// and lose whether a scalar was quoted.
class NodeBuilder : public YAML::EventHandler {
public:
    NodeBuilder(const SourceText& source, std::vector<Fault>& faults)
        : source_{&source},
          faults_{&faults} {}

    [[nodiscard]] Node take_root() { return std::move(root_); }
    [[nodiscard]] int documents() const { return documents_; }

    void OnDocumentStart(const YAML::Mark& mark) override;
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override;
    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open(Node::list({}, at(mark)), tag, anchor);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        open(Node::map(at(mark)), tag, anchor);
    }
    void OnMapEnd() override { close(); }

private:
    struct Open {
        Node node;
        YAML::anchor_t anchor;
        std::size_t nodes_before;
        std::size_t bytes_before;
        std::size_t height = 1;  ///< collections from here down to the deepest value
        bool has_key = false;
        bool key_is_refused = false;
        std::string key = {};
        SourceLocation key_at = {};
        std::set<std::string> keys = {};
    };
    struct Anchored {
        Node node;
        std::size_t nodes = 0;
        std::size_t bytes = 0;
        std::size_t height = 0;
    };

    [[nodiscard]] std::size_t offset(const YAML::Mark& mark) const {
        return source_->offset(mark.line, mark.column);
    }
    [[nodiscard]] SourceLocation at(const YAML::Mark& mark) const {
        return source_->at(offset(mark));
    }
    [[nodiscard]] bool expects_key() const {
        return !stack_.empty() && stack_.back().node.kind == Node::Kind::map &&
               !stack_.back().has_key;
    }
    [[noreturn]] static void fail(SourceLocation where, std::string what, std::string hint = {}) {
        throw InputError{{{std::move(where), std::move(what), std::move(hint)}}};
    }

    void open(Node node, const std::string& tag, YAML::anchor_t anchor);
    void close();
    void take_key(const Node& key);
    void put(Node node, std::size_t height = 0);
    void check_depth(std::size_t height, const SourceLocation& where) const;
    void count(std::size_t nodes, std::size_t bytes, const SourceLocation& where);
    void check_tag(const std::string& tag, const SourceLocation& where);
    [[nodiscard]] std::string null_text(std::size_t offset) const;
    void check_quotes(std::size_t offset) const;

    const SourceText* source_;
    std::vector<Fault>* faults_;
    Node root_;
    int documents_ = 0;
    std::vector<Open> stack_;
    std::map<YAML::anchor_t, Anchored> anchors_;
    std::size_t nodes_ = 0;
    std::size_t bytes_ = 0;
};

void NodeBuilder::OnDocumentStart(const YAML::Mark& mark) {
    if (++documents_ == 1) {
        return;
    }
    // yaml-cpp takes whatever it could not read for the start of another document.
    const std::string_view rest = std::string_view{source_->text()}.substr(offset(mark));
    if (rest.starts_with("---")) {
        fail(at(mark), "a second document in the file", "one file holds one document");
    }
    fail(at(mark), "text after the end of the document",
         "the value before it is complete; quote it if the text belongs to it");
}

void NodeBuilder::count(std::size_t nodes, std::size_t bytes, const SourceLocation& where) {
    nodes_ += nodes;
    bytes_ += bytes;
    if (nodes_ > max_nodes || bytes_ > SourceText::max_size) {
        fail(where,
             fmt::format(
                 "the document holds more than {} values or {} MiB of text, aliases expanded",
                 max_nodes, SourceText::max_size >> 20),
             "large values belong in .npy or .csv files");
    }
}

void NodeBuilder::check_tag(const std::string& tag, const SourceLocation& where) {
    if (!tag.empty() && tag != plain_tag && tag != quoted_tag) {
        constexpr std::string_view standard = "tag:yaml.org,2002:";
        const bool is_standard = tag.starts_with(standard);
        faults_->push_back({where,
                            fmt::format("tag '{}{}'", is_standard ? "!!" : "",
                                        is_standard ? tag.substr(standard.size()) : tag),
                            "tags are not used here: the type of a value follows from its key"});
    }
}

/// yaml-cpp reports `~`, `null` and an empty value alike; an empty one is marked where the next
/// token begins.
std::string NodeBuilder::null_text(std::size_t offset) const {
    const std::string_view rest = std::string_view{source_->text()}.substr(offset);
    for (const std::string_view word : {"~", "null", "Null", "NULL"}) {
        if (rest.starts_with(word)) {
            const auto after = rest.substr(word.size());
            const auto next = after.find_first_not_of(' ');
            const bool is_key = next != std::string_view::npos && after[next] == ':';
            const bool ends = after.empty() || std::string_view{" \n\r\t,]}"}.find(after.front()) !=
                                                   std::string_view::npos;
            return ends && !is_key ? std::string{word} : std::string{};
        }
    }
    return {};
}

void NodeBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
    Node node;
    auto begin = offset(mark);
    node.text = null_text(begin);
    if (node.text.empty() && !stack_.empty()) {
        // Point at what the value is missing behind: the key, or the dash or comma of the item.
        const auto before = source_->text().find_last_not_of(" \n\r", begin == 0 ? 0 : begin - 1);
        begin = before == std::string::npos ? begin : before;
    }
    node.where = source_->at(begin);
    count(1, 0, node.where);
    if (expects_key()) {
        fail(node.where, "a key is missing", "write `key: value`");
    }
    if (anchor != YAML::NullAnchor) {
        anchors_[anchor] = {node, 1, 0};
    }
    put(std::move(node));
}

void NodeBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
    const auto where = at(mark);
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
        fail(where, "an alias inside the value that it stands for");
    }
    if (expects_key()) {
        fail(where, "an alias as a key", "write the key out");
    }
    check_depth(found->second.height, where);
    count(found->second.nodes, found->second.bytes, where);
    put(found->second.node, found->second.height);
}

/// Bounds yaml-cpp's recursion too: it calls us at every level, and the exception unwinds it.
void NodeBuilder::check_depth(std::size_t height, const SourceLocation& where) const {
    if (stack_.size() + height > max_depth) {
        fail(where, fmt::format("values nested deeper than {}", max_depth));
    }
}

void NodeBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                           const std::string& value) {
    auto node = tag == quoted_tag ? Node::quoted(value, at(mark)) : Node::scalar(value, at(mark));
    count(1, value.size(), node.where);
    check_tag(tag, node.where);
    if (!node.plain) {
        check_quotes(offset(mark));
    }
    if (anchor != YAML::NullAnchor) {
        anchors_[anchor] = {node, 1, value.size()};
    }
    if (expects_key()) {
        take_key(node);
    } else {
        put(std::move(node));
    }
}

/// yaml-cpp takes the end of the text for a closing quote.
void NodeBuilder::check_quotes(std::size_t offset) const {
    const std::string& text = source_->text();
    // The mark stands before an anchor or a tag.
    auto begin = text.find_first_not_of(" \n\r\t", offset);
    while (begin != std::string::npos && (text[begin] == '&' || text[begin] == '!')) {
        begin = text.find_first_not_of(" \n\r\t", text.find_first_of(" \n\r\t", begin));
    }
    if (begin == std::string::npos || (text[begin] != '"' && text[begin] != '\'')) {
        return;
    }
    const char quote = text[begin];
    for (auto i = begin + 1; i < text.size(); ++i) {
        const bool is_escape = text[i] == '\\' && quote == '"';
        const bool is_doubled = quote == '\'' && text.compare(i, 2, "''") == 0;
        if (is_escape || is_doubled) {
            ++i;
        } else if (text[i] == quote) {
            return;
        }
    }
    fail(source_->at(begin), "the closing quote is missing");
}

void NodeBuilder::open(Node node, const std::string& tag, YAML::anchor_t anchor) {
    if (expects_key()) {
        // An open bracket whose line does not close it looks like this, too.
        const char* const end = node.kind == Node::Kind::list ? "]" : "}";
        fail(node.where, fmt::format("{} as a key", description(node)),
             fmt::format("a key is a word; if none is meant, a '{}' is missing", end));
    }
    check_depth(1, node.where);
    check_tag(tag, node.where);
    const auto nodes_before = nodes_;
    const auto bytes_before = bytes_;
    count(1, 0, node.where);
    stack_.push_back({std::move(node), anchor, nodes_before, bytes_before});
}

void NodeBuilder::close() {
    Open closed = std::move(stack_.back());
    stack_.pop_back();
    if (closed.anchor != YAML::NullAnchor) {
        anchors_[closed.anchor] = {closed.node, nodes_ - closed.nodes_before,
                                   bytes_ - closed.bytes_before, closed.height};
    }
    put(std::move(closed.node), closed.height);
}

void NodeBuilder::take_key(const Node& key) {
    Open& map = stack_.back();
    map.has_key = true;
    map.key = key.text;
    map.key_at = key.where;
    map.key_is_refused = true;
    if (key.plain && key.text == "<<") {
        faults_->push_back({key.where, "merge key '<<'",
                            "use `extends:` for a whole file, or write the keys out"});
    } else if (!map.keys.insert(key.text).second) {
        faults_->push_back({key.where, fmt::format("duplicate key '{}'", key.text), {}});
    } else {
        map.key_is_refused = false;
    }
}

void NodeBuilder::put(Node node, std::size_t height) {
    if (stack_.empty()) {
        root_ = std::move(node);
        return;
    }
    Open& parent = stack_.back();
    parent.height = std::max(parent.height, height + 1);
    if (parent.node.kind == Node::Kind::list) {
        parent.node.items.push_back(std::move(node));
        return;
    }
    parent.has_key = false;
    if (!parent.key_is_refused) {
        parent.node.entries.push_back(
            {std::move(parent.key), std::move(parent.key_at), std::move(node), {}});
    }
}

/// What the most frequent complaints of yaml-cpp come from.
std::string hint_for(const std::string& complaint) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> hints{{
        {"illegal map value", "a value that holds ': ' needs quotes"},
        {"end of map not found",
         "the keys of a section begin in one column, and nothing follows a quoted value"},
        {"end of sequence not found", "the items of a list begin in one column"},
        {"end of map flow not found", "a '}' is missing, or a ',' before this"},
        {"end of sequence flow not found", "a ']' is missing, or a ',' before this"},
        {"unknown token", "a value that begins with a sign such as @ or ` needs quotes"},
    }};
    for (const auto& [text, hint] : hints) {
        if (complaint == text) {
            return std::string{hint};
        }
    }
    return {};
}

}  // namespace

Node parse_yaml(std::string text, const std::string& name, std::vector<Fault>& faults) {
    const SourceText source{std::move(text), name};
    NodeBuilder builder{source, faults};
    try {
        std::istringstream stream{source.text()};
        YAML::Parser parser{stream};
        parser.HandleNextDocument(builder);
        parser.HandleNextDocument(builder);  // throws from the builder if there is another
    } catch (const YAML::Exception& e) {
        std::string complaint = e.msg;
        const auto where = e.mark.is_null() ? SourceLocation{name}
                                            : source.at(source.offset(e.mark.line, e.mark.column));
        throw InputError{{{where, "not YAML: " + complaint, hint_for(complaint)}}};
    }
    if (builder.documents() == 0) {
        throw InputError{{{{name}, "the file is empty", {}}}};
    }
    return builder.take_root();
}

}  // namespace systole
