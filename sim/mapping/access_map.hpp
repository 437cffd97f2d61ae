#pragma once

#include "models/core/program.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace systole::mapping {

/// The moment at which `core` has counted `count` of `milestone`.
struct Moment {
    int core = 0;
    models::Milestone milestone{};
    std::int64_t count = 0;
};

/// Adds `moment`, unless `moments` holds one that implies it: counts of one core and milestone only
/// grow.
void join(std::vector<Moment>& moments, const Moment& moment);

/// Who wrote and who reads each part of an address range, in the order in which a program that did
/// one thing after the other would do it. From this order follow the waits that keep its meaning
/// when the queues of the cores run side by side.
class AccessMap {
public:
    /// [first, end) is read until `by`; `after` receives what must have been reached before.
    void read(std::int64_t first, std::int64_t end, const Moment& by, std::vector<Moment>& after);

    /// [first, end) is written until `by`. Writes of one `generation` together make one content, in
    /// any order; the first of another generation ends the life of what was there. Generations are
    /// not 0.
    void write(std::int64_t first, std::int64_t end, std::int64_t generation, const Moment& by,
               std::vector<Moment>& after);

private:
    struct Part {
        std::int64_t end = 0;
        std::int64_t generation = 0;
        std::vector<Moment> before;  ///< what each writer of this generation waits for
        std::vector<Moment> writers;
        std::vector<Moment> readers;
        bool written_after_read = false;  ///< so that waiting for the readers is not enough
    };
    using Parts = std::map<std::int64_t, Part>;

    void split(std::int64_t at);
    Parts::iterator begin_at(std::int64_t first, std::int64_t end);

    Parts parts_;
};

}  // namespace systole::mapping
