#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace systole {

/// Where a value was written. Lines and columns count from 1; 0 means "not in a file" (`--set`, a
/// default).
struct SourceLocation {
    std::string file;
    int line = 0;
    int column = 0;
};

/// One fault in the user's input: where, what, and what to write instead.
struct Fault {
    SourceLocation where;
    std::string what;
    std::string hint;
};

[[nodiscard]] std::string to_string(const Fault& fault);

/// The user's input is wrong (exit status 2). Carries every fault found, not only the first.
class InputError : public std::runtime_error {
public:
    explicit InputError(std::vector<Fault> faults);
    [[nodiscard]] const std::vector<Fault>& faults() const { return faults_; }

private:
    std::vector<Fault> faults_;
};

/// The simulation itself found a fault: a deadlock, a mismatch (exit status 1).
class SimulationFault : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A defect of Systole (exit status 70).
class InternalError : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

/// The name in `candidates` nearest to `name` by edit distance, or "" when none is near.
[[nodiscard]] std::string nearest(const std::string& name,
                                  const std::vector<std::string>& candidates);

[[noreturn]] void fail_assertion(const char* condition, const char* file, int line,
                                 const char* what);

}  // namespace systole

/// What must hold if Systole has no defect; checked in every build.
#define SYSTOLE_ASSERT(condition, what) \
    ((condition) ? static_cast<void>(0) \
                 : ::systole::fail_assertion(#condition, __FILE__, __LINE__, what))
