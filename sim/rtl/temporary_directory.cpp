#include "sim/rtl/temporary_directory.hpp"

#include "models/base/diagnostics.hpp"

#include <stdlib.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace systole {

namespace fs = std::filesystem;

TemporaryDirectory::TemporaryDirectory(const fs::path& place) {
    std::string name = (place / ".systole.XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
        throw InputError{{{{place.string()},
                           "cannot write: " + std::generic_category().message(errno),
                           "the directory must be there, and writable"}}};
    }
    path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

}  // namespace systole
