#include "tests/fuzz/mutator.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace systole::test {
namespace {

// What YAML and our schemas give a meaning to.
constexpr std::array<std::string_view, 64> tokens{":",
                                                  ": ",
                                                  "- ",
                                                  "[",
                                                  "]",
                                                  "{",
                                                  "}",
                                                  ",",
                                                  "\n",
                                                  "\n  ",
                                                  "#",
                                                  " #",
                                                  "\"",
                                                  "'",
                                                  "\\",
                                                  "&a ",
                                                  "*a",
                                                  "!!int ",
                                                  "!",
                                                  "|",
                                                  ">",
                                                  "|+2",
                                                  "? ",
                                                  "<<: ",
                                                  "---\n",
                                                  "...\n",
                                                  "%YAML",
                                                  "@",
                                                  "`",
                                                  "~",
                                                  "null",
                                                  "\t",
                                                  "no",
                                                  "off",
                                                  "y",
                                                  "true",
                                                  "010",
                                                  "1e3",
                                                  "0x10",
                                                  "-1",
                                                  "1.5",
                                                  ".nan",
                                                  ".inf",
                                                  "1e999",
                                                  "99999999999999999999",
                                                  "0",
                                                  "MiB",
                                                  " GHz",
                                                  " GB/s",
                                                  " cycles",
                                                  "kind",
                                                  "extends",
                                                  "repeat",
                                                  "parameters",
                                                  "layers",
                                                  "schema_version",
                                                  "\xff",
                                                  "\xc3",
                                                  "\xe2\x82\xac",
                                                  "\r",
                                                  "\r\n",
                                                  "\xef\xbb\xbf",
                                                  "*",
                                                  "&"};

class Change {
public:
    Change(std::string text, std::uint64_t seed) : text_{std::move(text)}, random_{seed} {}

    std::string run(const std::string& other) {
        const auto changes = 1 + below(1 + below(8));  // few, mostly
        for (std::size_t i = 0; i < changes; ++i) {
            once(other);
        }
        return std::move(text_);
    }

private:
    // std::uniform_int_distribution differs between libraries.
    std::size_t below(std::size_t n) {
        return n == 0 ? 0 : static_cast<std::size_t>(random_() % n);
    }

    /// Start and length of a random word or run of blanks and signs.
    std::pair<std::size_t, std::size_t> word() {
        const auto at = below(text_.size());
        const auto start = text_.find_last_of(" \n", at);
        const auto begin = start == std::string::npos ? 0 : start + 1;
        const auto end = std::min(text_.find_first_of(" \n", at), text_.size());
        return {begin, end > begin ? end - begin : 1};
    }
    std::pair<std::size_t, std::size_t> line() {
        const auto at = below(text_.size());
        const auto start = text_.rfind('\n', at);
        const auto begin = start == std::string::npos ? 0 : start + 1;
        const auto end = std::min(text_.find('\n', begin), text_.size());
        return {begin, std::min(end + 1, text_.size()) - begin};
    }

    static void flip(char& byte, std::size_t bit) {
        byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << bit));
    }

    void once(const std::string& other) {
        if (text_.empty()) {
            text_ = tokens[below(tokens.size())];
            return;
        }
        switch (below(10)) {
            case 0:  // a bit
                flip(text_[below(text_.size())], below(8));
                break;
            case 1:  // a byte
                text_[below(text_.size())] = static_cast<char>(below(256));
                break;
            case 2:
                text_.erase(below(text_.size()), 1 + below(4));
                break;
            case 3:
            case 4:
                text_.insert(below(text_.size() + 1), tokens[below(tokens.size())]);
                break;
            case 5: {
                const auto [begin, size] = word();
                text_.replace(begin, size, tokens[below(tokens.size())]);
                break;
            }
            case 6: {
                const auto [begin, size] = line();
                text_.erase(begin, size);
                break;
            }
            case 7: {  // a line somewhere else
                const auto [begin, size] = line();
                const auto copy = text_.substr(begin, size);
                text_.insert(line().first, copy);
                break;
            }
            case 8: {  // part of another document
                const auto begin = below(other.size());
                text_.insert(line().first, other.substr(begin, below(200)));
                break;
            }
            default:
                text_.resize(below(text_.size() + 1));
                break;
        }
    }

    std::string text_;
    std::mt19937_64 random_;
};

}  // namespace

std::string Mutator::make(std::uint64_t seed) const {
    std::mt19937_64 random{seed};
    const auto& corpus = random() % 2 == 0 ? good_ : faulty_;
    const auto& text = corpus[random() % corpus.size()];
    const auto& other = faulty_[random() % faulty_.size()];
    return Change{text, random()}.run(other);
}

}  // namespace systole::test
