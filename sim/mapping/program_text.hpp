#pragma once

#include "models/core/program.hpp"

#include <string>
#include <vector>

namespace systole {

/// The programs of all cores, one line for each view and instruction:
///
///     core 0
///     view batch=1 height=28 …
///     load layer=0 view=-1 space=dram offset=0 local=0 runs=1 run=784 …
///     stream layer=0 view=0 west.kind=image … wait=0:loaded:2:input_wait
///
/// Every field of the instruction is there, so that read_programs() gets the same programs back.
[[nodiscard]] std::string write_programs(const std::vector<models::Program>& programs);

/// Reads what write_programs() wrote; blank lines and lines that begin with # are skipped. Throws
/// InputError, at the line of `file`, where the text is none.
[[nodiscard]] std::vector<models::Program> read_programs(const std::string& text,
                                                         const std::string& file);

}  // namespace systole
