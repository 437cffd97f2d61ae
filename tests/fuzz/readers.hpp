#pragma once

#include <string>

namespace systole::test {

/// Whether the readers of documents took the text. A text that they refuse must be refused by an
/// InputError that names a place or a file for each fault; all else leaves as it is thrown.
bool is_accepted(const std::string& text);

}  // namespace systole::test
