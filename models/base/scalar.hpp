#pragma once

#include "models/base/node.hpp"
#include "models/base/units.hpp"
#include "models/base/words.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace systole {

class Declaration;

/// A time that the configuration may give in either way; which of them is kept.
using Duration = std::variant<Cycles, Seconds>;

/// Whole cycles of `clock` that cover a duration.
[[nodiscard]] Cycles cycles_in(const Duration& duration, Hertz clock);

/// What a reading may look up, and the faults it has found so far.
struct ReadContext {
    std::map<std::string, std::int64_t> names = {};  ///< what an integer may be called
    std::vector<Fault> faults = {};
    bool names_apply = true;

    void fault(SourceLocation where, std::string what, std::string hint = {});
    /// Throws InputError, by place in the file, if any fault was recorded.
    void throw_if_faulty();
};

/// Why a scalar cannot be taken, and what to write instead.
struct Wrong {
    std::string what;
    std::string hint;
};

/// A configuration type as documentation, JSON Schema and messages name it.
struct Type {
    enum class Kind {
        integer,
        number,
        boolean,
        text,
        word,
        quantity,
        list,
        map,
        section,
        choice,
        either,  ///< any of the types in `element`
    };
    struct Alternative {
        std::string word;
        std::string doc;
        const Declaration& (*section)();
    };

    Kind kind = Kind::text;
    std::string name = {};     ///< "integer", "size (B, KiB, MiB, GiB, TiB)" …
    std::string pattern = {};  ///< quantity, text: the regular expression it matches
    std::string minimum = {};  ///< as written; empty where there is none
    std::string maximum = {};
    std::vector<Word<int>> words = {};     ///< word, or beside an integer: what may stand
    std::vector<Type> element = {};        ///< list, map: one, the type of an item; either: all
    bool or_one = false;                   ///< list: a lone item may stand for a list of one
    const Declaration& (*section)() = {};  ///< section: its declaration, made at first use
    std::string tag = {};                  ///< choice: the key whose word chooses
    std::vector<Alternative> alternatives = {};
};

/// How a C++ type is written as one YAML scalar. Another type becomes a scalar by a specialisation
/// with these three functions.
template <class T>
struct Scalar;

template <class T>
concept ScalarType = requires {
    Scalar<T>::type();
};

template <class T>
struct PlainScalar {
    [[nodiscard]] static std::optional<Wrong> parse(const Node& node, const ReadContext& context,
                                                    T& value);
    [[nodiscard]] static Node write(const T& value);
    [[nodiscard]] static Type type();
};

template <>
struct Scalar<int> : PlainScalar<int> {};
template <>
struct Scalar<std::int64_t> : PlainScalar<std::int64_t> {};
template <>
struct Scalar<double> : PlainScalar<double> {};
template <>
struct Scalar<bool> : PlainScalar<bool> {};
template <>
struct Scalar<std::string> : PlainScalar<std::string> {};
template <>
struct Scalar<Bytes> : PlainScalar<Bytes> {};
template <>
struct Scalar<Cycles> : PlainScalar<Cycles> {};
template <>
struct Scalar<Hertz> : PlainScalar<Hertz> {};
template <>
struct Scalar<Seconds> : PlainScalar<Seconds> {};
template <>
struct Scalar<Duration> : PlainScalar<Duration> {};
template <>
struct Scalar<BytesPerSecond> : PlainScalar<BytesPerSecond> {};
template <>
struct Scalar<Picojoules> : PlainScalar<Picojoules> {};

/// Index of the node's word among `words`, or the reason why it is none of them.
[[nodiscard]] std::optional<Wrong> parse_word(const Node& node, const std::vector<Word<int>>& words,
                                              std::size_t& index);
[[nodiscard]] Type word_type(std::vector<Word<int>> words);

template <Worded E>
struct Scalar<E> {
    static std::optional<Wrong> parse(const Node& node, const ReadContext&, E& value) {
        std::size_t index = 0;
        auto wrong = parse_word(node, words(), index);
        if (!wrong) {
            value = Words<E>::table[index].value;
        }
        return wrong;
    }
    static Node write(const E& value) { return Node::scalar(to_string(value)); }
    static Type type() { return word_type(words()); }

private:
    static std::vector<Word<int>> words() {
        std::vector<Word<int>> all;
        for (const auto& entry : Words<E>::table) {
            all.push_back({static_cast<int>(all.size()), entry.word, entry.doc});
        }
        return all;
    }
};

}  // namespace systole
