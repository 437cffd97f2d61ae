#include "sim/workload/npy_header.hpp"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

namespace systole {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t alignment = 64;

[[noreturn]] void fail(const std::string& what) {
    throw std::invalid_argument{what};
}

/// The literal of a Python dictionary with the three keys that NEP 1 asks for, in any order.
class HeaderText {
public:
    explicit HeaderText(std::string_view text) : text_{text} {}

    NpyHeader parse() {
        expect('{');
        while (!take('}')) {
            const auto key = string();
            expect(':');
            value_of(key);
            if (!take(',')) {
                expect('}');
                break;
            }
        }
        skip_space();
        if (at_ != text_.size()) {
            fail("the header has text behind its dictionary");
        }
        if (!has_descr_ || !has_order_ || !has_shape_) {
            fail("the header lacks 'descr', 'fortran_order' or 'shape'");
        }
        return std::move(header_);
    }

private:
    void value_of(const std::string& key) {
        if (key == "descr") {
            first_time(has_descr_, key);
            skip_space();
            if (peek() == '[') {
                fail("arrays of structures are not read");
            }
            header_.descr = string();
        } else if (key == "fortran_order") {
            first_time(has_order_, key);
            header_.fortran_order = boolean();
        } else if (key == "shape") {
            first_time(has_shape_, key);
            header_.shape = tuple();
        } else {
            fail("the header has an unknown key");
        }
    }

    static void first_time(bool& seen, const std::string& key) {
        if (seen) {
            fail(fmt::format("the header has '{}' twice", key));
        }
        seen = true;
    }

    [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    void skip_space() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' ||
                                      text_[at_] == '\t' || text_[at_] == '\r')) {
            ++at_;
        }
    }

    bool take(char c) {
        skip_space();
        const bool is_there = peek() == c && at_ < text_.size();
        at_ += is_there ? 1 : 0;
        return is_there;
    }

    void expect(char c) {
        if (!take(c)) {
            fail(fmt::format("the header lacks a '{}' at its byte {}", c, at_ + 1));
        }
    }

    std::string string() {
        skip_space();
        const char quote = peek();
        if (quote != '\'' && quote != '"') {
            fail(fmt::format("the header lacks a quoted text at its byte {}", at_ + 1));
        }
        const auto end = text_.find(quote, at_ + 1);
        if (end == std::string_view::npos) {
            fail("a text in the header does not end");
        }
        const auto text = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        return std::string{text};
    }

    bool boolean() {
        skip_space();
        for (const bool value : {false, true}) {
            const std::string_view word = value ? "True" : "False";
            if (text_.substr(at_).starts_with(word)) {
                at_ += word.size();
                return value;
            }
        }
        fail("'fortran_order' is neither True nor False");
    }

    std::vector<std::int64_t> tuple() {
        std::vector<std::int64_t> sizes;
        expect('(');
        while (!take(')')) {
            skip_space();
            std::int64_t size = 0;
            const char* const begin = text_.data() + at_;
            const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), size);
            if (error != std::errc{} || size < 0) {
                fail("'shape' is not a tuple of sizes");
            }
            at_ += static_cast<std::size_t>(end - begin);
            sizes.push_back(size);
            if (!take(',')) {
                expect(')');
                break;
            }
        }
        return sizes;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    NpyHeader header_;
    bool has_descr_ = false;
    bool has_order_ = false;
    bool has_shape_ = false;
};

std::size_t little_endian(std::string_view bytes) {
    std::size_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        value |= std::size_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    }
    return value;
}

}  // namespace

NpyHeader parse_npy_header(std::string_view bytes) {
    if (!bytes.starts_with(magic)) {
        fail("is not a .npy file: it does not begin with \\x93NUMPY");
    }
    if (bytes.size() < magic.size() + 2) {
        fail("is cut off in its header");
    }
    const int major = static_cast<unsigned char>(bytes[magic.size()]);
    const int minor = static_cast<unsigned char>(bytes[magic.size() + 1]);
    if (major < 1 || major > 3 || minor != 0) {
        fail(fmt::format("has version {}.{}; versions 1.0, 2.0 and 3.0 are read", major, minor));
    }
    const std::size_t length_bytes = major == 1 ? 2 : 4;
    const std::size_t begin = magic.size() + 2 + length_bytes;
    if (bytes.size() < begin) {
        fail("is cut off in its header");
    }
    const auto length = little_endian(bytes.substr(begin - length_bytes, length_bytes));
    if (length > bytes.size() - begin) {
        fail("is cut off in its header");
    }
    auto header = HeaderText{bytes.substr(begin, length)}.parse();
    header.size = begin + length;
    return header;
}

std::string npy_header(const NpyHeader& header) {
    std::string shape;
    for (const auto size : header.shape) {
        shape += fmt::format("{}, ", size);
    }
    if (header.shape.size() > 1) {
        shape.resize(shape.size() - 2);
    } else if (header.shape.size() == 1) {
        shape.pop_back();  // a tuple of one keeps its comma
    }
    std::string text = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}",
                                   header.descr, header.fortran_order ? "True" : "False", shape);
    const std::size_t before = magic.size() + 4;
    const std::size_t unpadded = before + text.size() + 1;
    text.append((alignment - unpadded % alignment) % alignment, ' ');
    text += '\n';
    std::string result{magic};
    result += {'\x01', '\x00', static_cast<char>(text.size() % 256),
               static_cast<char>(text.size() / 256)};
    return result + text;
}

}  // namespace systole
