#include "models/base/node.hpp"

#include "tests/yaml_support.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>

namespace systole {
namespace {

TEST(Node, NamesWhatItHolds) {
    EXPECT_EQ(description(Node{}), "nothing");
    EXPECT_EQ(description(Node::list()), "a list");
    EXPECT_EQ(description(Node::map()), "a map");
    EXPECT_EQ(description(Node::scalar("12")), "'12'");
    EXPECT_EQ(description(test::parse("~")), "'~', which means nothing");
}

TEST(Node, FindsKeysOfAMapOnly) {
    Node node = Node::map();
    node.add("a", Node::scalar("1")).add("b", Node::scalar("2"));
    ASSERT_NE(node.find("b"), nullptr);
    EXPECT_EQ(node.find("b")->text, "2");
    EXPECT_EQ(node.find("c"), nullptr);
    EXPECT_EQ(Node::scalar("a").find("a"), nullptr);
}

TEST(Node, KnowsTheOtherMeaningsOfPlainText) {
    for (const char* text : {"y", "N", "yes", "No", "ON", "off", "true", "False"}) {
        EXPECT_EQ(other_meaning(text), "a truth value") << text;
    }
    for (const char* text :
         {"0", "-1", "+1", "1.5", ".5", "1e3", "0x1F", "0o7", "1_000", ".inf", "-.INF", ".NaN"}) {
        EXPECT_EQ(other_meaning(text), "a number") << text;
    }
    for (const char* text : {"", "~", "null", "NULL"}) {
        EXPECT_EQ(other_meaning(text), "nothing") << text;
    }
    for (const char* text : {"fc1", "24 MiB", "a", "nope", "e", "-", ".", "x1"}) {
        EXPECT_EQ(other_meaning(text), "") << text;
    }
}

TEST(Node, WritesCommentsBehindKeysAndLongOnesAbove) {
    Node inner = Node::map();
    inner.add("rows", Node::scalar("8"), "reduction");
    inner.add("kernel", Node::list({Node::scalar("3"), Node::scalar("5")}), std::string(90, 'x'));
    Node layers = Node::list({Node::scalar("relu"), inner});
    Node root = Node::map();
    root.add("core", inner, "one of them").add("layers", layers).add("none", Node::map());
    EXPECT_EQ(to_yaml(root),
              "core:  # one of them\n"
              "  rows: 8  # reduction\n"
              "  # " +
                  std::string(90, 'x') +
                  "\n"
                  "  kernel: [3, 5]\n"
                  "layers:\n"
                  "  - relu\n"
                  "  - rows: 8  # reduction\n"
                  "    # " +
                  std::string(90, 'x') +
                  "\n"
                  "    kernel: [3, 5]\n"
                  "none: {}\n");
}

class RandomNodes {
public:
    explicit RandomNodes(unsigned seed) : random_{seed} {}

    Node make(int depth) {
        switch (depth == 0 ? 0 : below(4)) {
            case 0:
            case 1:
                return below(12) == 0 ? Node{} : Node::quoted(text());
            case 2: {
                Node list = Node::list();
                for (unsigned i = below(4); i > 0; --i) {
                    list.items.push_back(make(depth - 1));
                }
                return list;
            }
            default: {
                Node map = Node::map();
                for (unsigned i = below(4); i > 0; --i) {
                    if (const auto key = text(); map.find(key) == nullptr) {
                        map.add(key, make(depth - 1), below(3) == 0 ? "a comment" : "");
                    }
                }
                return map;
            }
        }
    }

private:
    unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

    std::string text() {
        static constexpr std::array<const char*, 40> pieces{
            "a",  "B7", " ",   "  ",  "-",   "- ", ":",  ": ", "#", " #",
            "'",  "\"", "\\",  "\n",  "\t",  "[",  "]",  "{",  "}", ",",
            "&x", "*x", "!t",  "|",   ">",   "%",  "@",  "`",  "~", "null",
            "no", "10", "1e3", "---", "...", "?",  "<<", "=",  "ä", "\xe2\x82\xac"};
        std::string text;
        for (unsigned i = below(5); i > 0; --i) {
            text += pieces[below(pieces.size())];
        }
        return text;
    }

    std::mt19937 random_;
};

void expect_equal(const Node& a, const Node& b) {
    ASSERT_EQ(a.kind, b.kind);
    if (a.kind == Node::Kind::scalar) {
        EXPECT_EQ(a.text, b.text);
        EXPECT_TRUE(!b.plain || other_meaning(b.text).empty()) << b.text;
    }
    ASSERT_EQ(a.items.size(), b.items.size());
    for (std::size_t i = 0; i < a.items.size(); ++i) {
        expect_equal(a.items[i], b.items[i]);
    }
    ASSERT_EQ(a.entries.size(), b.entries.size());
    for (std::size_t i = 0; i < a.entries.size(); ++i) {
        EXPECT_EQ(a.entries[i].key, b.entries[i].key);
        expect_equal(a.entries[i].value, b.entries[i].value);
    }
}

TEST(Node, ReadsBackWhatItWrites) {
    for (unsigned seed = 1; seed <= 2000; ++seed) {
        SCOPED_TRACE(seed);
        const Node node = RandomNodes{seed}.make(5);
        const auto text = to_yaml(node);
        SCOPED_TRACE(text);
        try {
            expect_equal(node, test::parse(text));
        } catch (const InputError& e) {
            ADD_FAILURE() << e.what();
        }
        if (testing::Test::HasFailure()) {
            return;
        }
    }
}

}  // namespace
}  // namespace systole
