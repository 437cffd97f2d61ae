#pragma once

#include <string>

namespace systole::test {

/// Whether any reader of documents took the text. One that refuses it must throw an InputError that
/// names a place or a file for each fault; all else leaves as it is thrown.
bool is_accepted(const std::string& text);

}  // namespace systole::test
