#pragma once

namespace systole {

/// Of the release this is, or is on the way to: "0.1.0".
[[nodiscard]] inline const char* version() {
    return SYSTOLE_VERSION;
}

/// The commit that was built, "-dirty" behind it if the files were not its own; "unknown" outside
/// of a repository. Written by commit.cmake.
extern const char* const commit;

}  // namespace systole
