#pragma once

#include "models/base/units.hpp"

#include <map>
#include <string>
#include <vector>

namespace systole::models {

/// What each exclusive resource did when, for a timeline. A lane is one resource: its spans do not
/// overlap.
class Trace {
public:
    struct Span {
        std::string name;
        int layer = 0;
        Cycles from;
        Cycles to;
    };

    void span(const std::string& lane, std::string name, int layer, Cycles from, Cycles to) {
        lanes_[lane].push_back({std::move(name), layer, from, to});
    }
    [[nodiscard]] const std::map<std::string, std::vector<Span>>& lanes() const { return lanes_; }

private:
    std::map<std::string, std::vector<Span>> lanes_;
};

}  // namespace systole::models
