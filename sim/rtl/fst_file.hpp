#pragma once

#include "sim/report/output.hpp"

namespace systole {

/// Throws InputError unless a waveform in FST can be put there: it needs a file of its own.
void check_fst_target(const PendingFile& file);

/// Commits a file that an array has written. Throws InputError unless it is a waveform to its end:
/// what writes it does not tell of a full disk.
void commit_fst(PendingFile& file);

}  // namespace systole
