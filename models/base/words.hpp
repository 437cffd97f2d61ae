#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace systole {

/// One enumerator, the word it has in YAML, and what it means.
template <class E>
struct Word {
    E value;
    std::string_view word;
    std::string_view doc;
};

/// The words of an enumeration: specialised beside it, with every enumerator in `table`.
///
///     template <>
///     struct systole::Words<systole::models::Dataflow> {
///         static constexpr Word<models::Dataflow> table[] = {
///             {models::Dataflow::weight_stationary, "weight_stationary", "weights stay in the
///             PEs"}, {models::Dataflow::output_stationary, "output_stationary", "sums stay in the
///             PEs"}};
///     };
template <class E>
struct Words;

template <class E>
concept Worded = requires {
    Words<E>::table;
};

template <Worded E>
[[nodiscard]] std::string to_string(E value) {
    for (const auto& entry : Words<E>::table) {
        if (entry.value == value) {
            return std::string{entry.word};
        }
    }
    return "?";
}

template <Worded E>
[[nodiscard]] std::optional<E> parse_word(std::string_view text) {
    for (const auto& entry : Words<E>::table) {
        if (entry.word == text) {
            return entry.value;
        }
    }
    return std::nullopt;
}

}  // namespace systole
