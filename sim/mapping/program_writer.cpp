#include "sim/mapping/program_writer.hpp"

#include "models/base/interruption.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace systole::mapping {
namespace {

using models::Milestone;

std::size_t index(Milestone milestone) {
    return static_cast<std::size_t>(milestone);
}
std::size_t index(int core) {
    return static_cast<std::size_t>(core);
}

auto fields(const models::ConvView& v) {
    return std::tie(v.batch, v.height, v.width, v.channels, v.kernel_height, v.kernel_width,
                    v.stride_height, v.stride_width, v.pad_top, v.pad_left, v.dilation_height,
                    v.dilation_width, v.out_height, v.out_width, v.out_channels, v.groups,
                    v.format);
}

}  // namespace

models::Queue queue_of(const models::Instruction& instruction) {
    if (std::holds_alternative<models::Load>(instruction.work)) {
        return models::Queue::load;
    }
    if (std::holds_alternative<models::Vector>(instruction.work)) {
        return models::Queue::vector;
    }
    if (std::holds_alternative<models::Store>(instruction.work)) {
        return models::Queue::store;
    }
    return models::Queue::matrix;
}

ProgramWriter::ProgramWriter(int cores, std::int64_t limit, std::function<void(int)> too_many,
                             const std::atomic<bool>* stop)
    : programs_(index(cores)),
      cores_(index(cores)),
      limit_{limit},
      too_many_{std::move(too_many)},
      stop_{stop} {
    for (Core& core : cores_) {
        for (auto& waited : core.waited) {
            waited.resize(index(cores));
        }
    }
}

int ProgramWriter::view(int core, const models::ConvView& view) {
    auto& views = programs_[index(core)].views;
    // A layer uses few views, and asks for the ones it added last.
    for (std::size_t i = views.size(); i-- > 0;) {
        if (fields(views[i]) == fields(view)) {
            return static_cast<int>(i);
        }
    }
    views.push_back(view);
    return static_cast<int>(views.size() - 1);
}

AccessMap& ProgramWriter::map(int core, Access::Place place) {
    switch (place) {
        case Access::Place::scratchpad:
            return cores_[index(core)].scratchpad;
        case Access::Place::accumulators:
            return cores_[index(core)].accumulators;
        case Access::Place::dram:
            return dram_;
        case Access::Place::shared:
            break;
    }
    return shared_;
}

Moment ProgramWriter::end_of(int core, const models::Instruction& instruction,
                             Access::Place place) const {
    const auto milestone = [&] {
        switch (queue_of(instruction)) {
            case models::Queue::load:
                return Milestone::loaded;
            case models::Queue::vector:
                return Milestone::computed;
            case models::Queue::store:
                return Milestone::stored;
            case models::Queue::matrix:
                break;
        }
        if (std::holds_alternative<models::Preload>(instruction.work)) {
            return Milestone::preloaded;
        }
        return place == Access::Place::accumulators ? Milestone::summed : Milestone::streamed;
    }();
    return {core, milestone, cores_[index(core)].counts[index(milestone)] + 1};
}

void ProgramWriter::note(int core, models::Queue queue, models::Instruction& instruction,
                         const std::vector<Moment>& after, models::Cause cause) {
    auto& waited = cores_[index(core)].waited[static_cast<std::size_t>(queue)];
    for (const Moment& moment : after) {
        // Streams and their sums keep their order in the array.
        if (queue == models::Queue::matrix && moment.core == core &&
            moment.milestone == Milestone::summed) {
            continue;
        }
        std::int64_t& known = waited[index(moment.core)][index(moment.milestone)];
        if (moment.count <= known) {
            continue;
        }
        known = moment.count;
        auto same = std::find_if(
            instruction.waits.begin(), instruction.waits.end(), [&](const models::Wait& wait) {
                return wait.core == moment.core && wait.milestone == moment.milestone;
            });
        if (same == instruction.waits.end()) {
            instruction.waits.push_back({moment.core, moment.milestone, moment.count, cause});
        } else {
            same->count = moment.count;
            same->cause = cause;
        }
    }
}

void ProgramWriter::add(int core, models::Instruction instruction,
                        std::span<const Access> accesses) {
    if (++instructions_ > limit_) {
        too_many_(instruction.layer);
    }
    check_stop(stop_, "while the program was written");
    const models::Queue queue = queue_of(instruction);
    std::vector<Moment> after;
    for (const Access& access : accesses) {
        after.clear();
        const Moment by = end_of(core, instruction, access.place);
        AccessMap& accessed = map(core, access.place);
        if (access.write) {
            accessed.write(access.first, access.end, access.generation, by, after);
        } else {
            accessed.read(access.first, access.end, by, after);
        }
        note(core, queue, instruction, after, access.cause);
    }
    Counts& counts = cores_[index(core)].counts;
    ++counts[index(end_of(core, instruction, Access::Place::scratchpad).milestone)];
    if (std::holds_alternative<models::Stream>(instruction.work)) {
        ++counts[index(Milestone::summed)];
    }
    programs_[index(core)].queue(queue).push_back(std::move(instruction));
}

}  // namespace systole::mapping
