#pragma once

#include "models/base/units.hpp"
#include "sim/workload/graph.hpp"

#include <cstdint>
#include <vector>

namespace systole {

/// One line on standard error, if that is a terminal: how many layers are done, at which cycle, and
/// the share of the MACs in them. It is gone when the object is.
class Progress {
public:
    Progress(const Graph& graph, bool wanted);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void layer_ended(int layer, Cycles now);

private:
    std::vector<std::int64_t> macs_up_to_;  ///< of the layers up to each
    bool shown_;
};

}  // namespace systole
