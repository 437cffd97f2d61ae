#pragma once

#include "models/base/units.hpp"
#include "models/core/counters.hpp"
#include "models/core/program.hpp"
#include "models/core/trace.hpp"
#include "models/core/unit.hpp"
#include "models/matrix_unit/matrix_unit.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace systole::test {

/// An instruction for the matrix queue, issued `delay` cycles after the one before it was, or as
/// soon after that as the unit takes it. Until it may be issued the queue waits for `cause`.
struct Issue {
    models::Instruction instruction;
    std::int64_t delay = 0;
    models::Cause cause = models::Cause::weight_stall;
};

/// A matrix unit alone, between a scratchpad, accumulators and a queue.
struct Rig {
    models::MatrixConfig config;
    std::int64_t accumulator_cols = 0;
    std::int64_t accumulator_rows = 0;
    std::int64_t width = 32;  ///< of the scratchpad's ports, bytes
    std::vector<models::ConvView> views;
    std::vector<std::byte> scratchpad{};  ///< empty: time only
    std::optional<models::WaveConfig> wave{};
};

struct Outcome {
    std::vector<std::tuple<std::int64_t, models::Milestone>> milestones;
    std::vector<std::int64_t> issued;  ///< cycle of each instruction
    std::int64_t end = 0;              ///< cycle of the last event
    std::int64_t settled = 0;          ///< cycle up to which the ledger goes
    models::CycleLedger ledger;
    models::Counters counters;
    std::vector<std::vector<std::uint32_t>> sums;  ///< all rows of the accumulators
    std::map<std::string, std::vector<std::tuple<std::string, std::int64_t, std::int64_t>>> spans;
    bool idle = false;

    bool operator==(const Outcome&) const = default;
    [[nodiscard]] std::int64_t last(models::Milestone milestone) const;
};

/// Runs the program in a SystemC context of its own. A fault of the unit is thrown. `rtl` makes the
/// arrays of Fidelity::rtl.
Outcome run(const Rig& rig, models::Fidelity fidelity, const std::vector<Issue>& program,
            const models::PeArrayMaker& rtl = {});

[[nodiscard]] std::string to_text(const Outcome& outcome);

}  // namespace systole::test
