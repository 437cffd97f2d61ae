#include "sim/config/source_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace systole {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// Bytes of the character at `offset`, or 0 where none is encoded well (Unicode 15, table 3-7).
std::size_t character_size(std::string_view text, std::size_t offset) {
    const auto byte = [&](std::size_t i) {
        return offset + i < text.size() ? static_cast<unsigned char>(text[offset + i]) : 0U;
    };
    const auto continues = [&](std::size_t i) { return (byte(i) & 0xc0U) == 0x80U; };
    const unsigned first = byte(0);
    if (first < 0x80) {
        return 1;
    }
    if (first >= 0xc2 && first <= 0xdf) {
        return continues(1) ? 2 : 0;
    }
    if (first >= 0xe0 && first <= 0xef) {
        const bool is_shortest = first != 0xe0 || byte(1) >= 0xa0;
        const bool is_surrogate = first == 0xed && byte(1) >= 0xa0;
        return continues(1) && continues(2) && is_shortest && !is_surrogate ? 3 : 0;
    }
    if (first >= 0xf0 && first <= 0xf4) {
        const bool is_shortest = first != 0xf0 || byte(1) >= 0x90;
        const bool is_in_range = first != 0xf4 || byte(1) < 0x90;
        return continues(1) && continues(2) && continues(3) && is_shortest && is_in_range ? 4 : 0;
    }
    return 0;
}

bool is_printable(std::string_view text, std::size_t offset) {
    const auto byte = static_cast<unsigned char>(text[offset]);
    if (byte == '\r') {
        return offset + 1 < text.size() && text[offset + 1] == '\n';
    }
    return byte == '\n' || byte == '\t' || (byte >= 0x20 && byte != 0x7f);
}

/// Whether a line holds neither a key nor a value.
bool is_blank(std::string_view line) {
    const auto first = line.find_first_not_of(" \t\r");
    return first == std::string_view::npos || line[first] == '#' || line == "---" ||
           line == "---\r" || line == "..." || line == "...\r";
}

}  // namespace

SourceText::SourceText(std::string text, std::string name)
    : text_{std::move(text)},
      name_{std::move(name)},
      line_starts_{0} {
    if (text_.size() > max_size) {
        throw InputError{
            {{{name_},
              fmt::format("the file has {} bytes, more than {} MiB", text_.size(), max_size >> 20),
              "large values belong in .npy or .csv files"}}};
    }
    if (std::string_view{text_}.starts_with(byte_order_mark)) {
        text_.erase(0, byte_order_mark.size());
    }
    for (std::size_t i = 0; i < text_.size(); ++i) {
        if (text_[i] == '\n') {
            line_starts_.push_back(i + 1);
        }
    }
    check_encoding();
    check_indentation();
}

void SourceText::check_encoding() const {
    for (std::size_t i = 0; i < text_.size();) {
        const auto size = character_size(text_, i);
        if (size == 0) {
            throw InputError{{{at(i),
                               fmt::format("byte 0x{:02x} at offset {} is not UTF-8",
                                           static_cast<unsigned char>(text_[i]), i),
                               "save the file as UTF-8"}}};
        }
        if (size == 1 && !is_printable(text_, i)) {
            throw InputError{{{at(i),
                               fmt::format("control character 0x{:02x} at offset {}",
                                           static_cast<unsigned char>(text_[i]), i),
                               "save the file as UTF-8 text"}}};
        }
        i += size;
    }
}

void SourceText::check_indentation() const {
    std::vector<Fault> faults;
    bool has_content = false;
    for (const auto start : line_starts_) {
        const auto end = std::min(text_.find('\n', start), text_.size());
        const std::string_view line{text_.data() + start, end - start};
        if (is_blank(line)) {
            continue;
        }
        has_content = true;
        const auto margin = line.substr(0, line.find_first_not_of(" \t"));
        if (const auto tab = margin.find('\t'); tab != std::string_view::npos) {
            faults.push_back({at(start + tab), "a tab in the indentation", "indent with spaces"});
        }
    }
    if (!has_content) {
        faults.push_back({{name_}, "the file is empty", {}});
    }
    if (!faults.empty()) {
        throw InputError{std::move(faults)};
    }
}

SourceLocation SourceText::at(std::size_t offset) const {
    const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
    const auto line = static_cast<std::size_t>(next - line_starts_.begin());
    const auto start = line_starts_[line - 1];
    if (counted_to_ < start || counted_to_ > offset) {
        counted_to_ = start;
        counted_ = 0;
    }
    for (; counted_to_ < std::min(offset, text_.size()); ++counted_to_) {
        const bool continues = (static_cast<unsigned char>(text_[counted_to_]) & 0xc0U) == 0x80U;
        counted_ += continues ? 0 : 1;
    }
    return {name_, static_cast<int>(line), counted_ + 1};
}

std::size_t SourceText::offset(int line, int column) const {
    if (line < 0 || column < 0) {
        return 0;
    }
    const auto row = std::min(static_cast<std::size_t>(line), line_starts_.size() - 1);
    return std::min(line_starts_[row] + static_cast<std::size_t>(column), text_.size());
}

}  // namespace systole
