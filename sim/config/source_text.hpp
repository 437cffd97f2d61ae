#pragma once

#include "models/base/diagnostics.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace systole {

/// The text of a document, known to be something a YAML parser may see, and its lines.
class SourceText {
public:
    static constexpr std::size_t max_size = std::size_t{16} << 20;

    /// Throws InputError where the text is too large, not UTF-8, holds control characters, is
    /// indented by tabs, or has no content.
    SourceText(std::string text, std::string name);

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] const std::string& name() const { return name_; }

    /// The place of a byte. Columns count characters, not bytes.
    [[nodiscard]] SourceLocation at(std::size_t offset) const;
    /// The offset of a byte by line and byte column, both from 0; clamped to the text.
    [[nodiscard]] std::size_t offset(int line, int column) const;

private:
    void check_encoding() const;
    void check_indentation() const;

    std::string text_;
    std::string name_;
    std::vector<std::size_t> line_starts_;
    // Places are asked for in order: a line is not counted again from its start each time.
    mutable std::size_t counted_to_ = 0;
    mutable int counted_ = 0;
};

}  // namespace systole
