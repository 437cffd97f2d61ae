#include "tests/support/program_checker.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace systole::test {

using models::Milestone;
using models::Queue;

namespace {

std::size_t at(std::int64_t i) {
    return static_cast<std::size_t>(i);
}

}  // namespace

ProgramChecker::ProgramChecker(const Graph& graph, const models::ChipConfig& chip,
                               const Mapping& mapping, std::uint64_t seed)
    : graph_{graph},
      chip_{chip},
      mapping_{mapping},
      random_{seed},
      order_{at(chip.cores)},
      cores_(at(chip.cores)),
      dram_(at(mapping.dram_used.count())),
      shared_(at(mapping.shared_used.count())),
      traffic_(graph.operators.size()) {
    if (const auto* array = std::get_if<models::SystolicConfig>(&chip.core.matrix)) {
        rows_ = array->rows;
        cols_ = array->cols;
        accumulators_ = array->accumulators;
        dataflow_ = array->dataflow;
    } else {
        const auto& simt = std::get<models::SimtConfig>(chip.core.matrix);
        cols_ = simt.cols;
        accumulators_ = simt.accumulators;
    }
    for (Core& core : cores_) {
        core.scratchpad.resize(at(chip.core.scratchpad.size.count()));
        core.sums.resize(at(accumulators_ * cols_));
    }
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const Tensor& tensor = graph.tensors[i];
        computed_.emplace_back(at(elements(tensor.shape)), 0);
        stored_.emplace_back(at(tensor.bytes()), 0);
        if (tensor.role != Tensor::Role::input && tensor.role != Tensor::Role::parameter) {
            continue;
        }
        for (std::int64_t byte = 0; byte < tensor.bytes(); ++byte) {
            dram_.at(at(mapping.placements[i].address + byte)).tag = {static_cast<TensorId>(i),
                                                                      byte};
        }
    }
}

void ProgramChecker::fault(const Step& step, const std::string& what) {
    if (faults_.size() < 8) {
        faults_.push_back(fmt::format("core {}, layer {}, {} {}: {}", step.core,
                                      step.instruction->layer,
                                      step.by.key % models::milestone_count, step.by.count, what));
    }
}

void ProgramChecker::expect(bool condition, const Step& step, const std::string& what) {
    if (!condition) {
        fault(step, what);
    }
}

bool ProgramChecker::ready(const models::Instruction& instruction) const {
    return std::all_of(instruction.waits.begin(), instruction.waits.end(),
                       [&](const models::Wait& wait) {
                           return order_.reached(wait.core, wait.milestone) >= wait.count;
                       });
}

std::vector<std::string> ProgramChecker::run() {
    struct Head {
        int core;
        Queue queue;
    };
    std::vector<Head> heads;
    while (faults_.empty()) {
        heads.clear();
        bool left = false;
        for (int core = 0; core < static_cast<int>(cores_.size()); ++core) {
            for (const Queue queue : {Queue::load, Queue::matrix, Queue::vector, Queue::store}) {
                const auto& list = mapping_.programs[at(core)].queue(queue);
                const std::size_t next = cores_[at(core)].next[static_cast<std::size_t>(queue)];
                left = left || next < list.size();
                if (next < list.size() && ready(list[next])) {
                    heads.push_back({core, queue});
                }
            }
        }
        if (heads.empty()) {
            if (left) {
                faults_.emplace_back("deadlock: no head of a queue can start");
            }
            break;
        }
        const Head head = heads[random_() % heads.size()];
        run_head(head.core, head.queue);
    }
    if (faults_.empty()) {
        check_at_end();
    }
    return faults_;
}

void ProgramChecker::run_head(int core, Queue queue) {
    const models::Program& program = mapping_.programs[at(core)];
    Step step;
    step.core = core;
    step.instruction =
        &program.queue(queue)[cores_[at(core)].next[static_cast<std::size_t>(queue)]++];
    step.op = &graph_.operators[at(step.instruction->layer)];
    if (step.instruction->view >= 0) {
        step.view = &program.views.at(at(step.instruction->view));
    }
    step.start = order_.start(core, queue, *step.instruction);
    const auto end = [&](Milestone milestone) {
        step.by = step.sums = order_.end(core, milestone, step.start);
    };
    switch (queue) {
        case Queue::load:
            end(Milestone::loaded);
            break;
        case Queue::vector:
            end(Milestone::computed);
            break;
        case Queue::store:
            end(Milestone::stored);
            break;
        case Queue::matrix:
            if (std::holds_alternative<models::Preload>(step.instruction->work)) {
                end(Milestone::preloaded);
            } else {
                end(Milestone::summed);
                step.by = order_.end(core, Milestone::streamed, step.start);
            }
    }
    std::visit([&](const auto& work) { execute(step, work); }, step.instruction->work);
}

ProgramChecker::Byte& ProgramChecker::scratchpad(const Step& step, std::int64_t address) {
    auto& bytes = cores_[at(step.core)].scratchpad;
    if (address < 0 || address >= static_cast<std::int64_t>(bytes.size())) {
        fault(step, fmt::format("scratchpad address {} does not exist", address));
        return bytes.front();
    }
    return bytes[at(address)];
}

ProgramChecker::Byte& ProgramChecker::memory(const Step& step, models::Address address) {
    auto& bytes = address.space == models::Space::dram ? dram_ : shared_;
    if (address.offset < 0 || address.offset >= static_cast<std::int64_t>(bytes.size())) {
        fault(step, fmt::format("memory address {} does not exist", address.offset));
        return dram_.front();
    }
    return bytes[at(address.offset)];
}

ProgramChecker::Sum& ProgramChecker::sum(const Step& step, std::int64_t row, std::int64_t col) {
    auto& sums = cores_[at(step.core)].sums;
    if (row < 0 || row >= accumulators_ || col < 0 || col >= cols_) {
        fault(step, fmt::format("accumulator {}, {} does not exist", row, col));
        return sums.front();
    }
    return sums[at(row * cols_ + col)];
}

ProgramChecker::Tag ProgramChecker::read(const Step& step, Byte& byte) {
    if (const char* race = byte.guard.read(step.start, step.by)) {
        fault(step, fmt::format("a byte of tensor {} {}", byte.tag.tensor, race));
    }
    return byte.tag;
}

void ProgramChecker::write(const Step& step, Byte& byte, const Tag& tag) {
    if (const char* race = byte.guard.write(step.start, step.by)) {
        fault(step, fmt::format("a byte of tensor {} {}", byte.tag.tensor, race));
    }
    byte.tag = tag;
}

ProgramChecker::Tag ProgramChecker::element(const Step& step, std::int64_t address, Format format) {
    const std::int64_t size = numerics::bytes_of(format);
    const Tag first = read(step, scratchpad(step, address));
    expect(first.offset % size == 0, step, "an element is read across its bounds");
    for (std::int64_t i = 1; i < size; ++i) {
        expect(read(step, scratchpad(step, address + i)) == Tag{first.tensor, first.offset + i},
               step, "an element is torn");
    }
    return {first.tensor, first.offset / size};
}

void ProgramChecker::execute(Step& step, const models::Load& load) {
    const models::Transfer& t = load.transfer;
    Traffic& traffic = traffic_[at(step.instruction->layer)];
    for (std::int64_t run = 0; run < t.runs; ++run) {
        for (std::int64_t i = 0; i < t.run; ++i) {
            models::Address from = t.memory;
            from.offset += run * t.memory_stride + i;
            const Tag tag = read(step, memory(step, from));
            expect(tag.tensor >= 0, step, "a Load reads memory that holds nothing");
            write(step, scratchpad(step, t.local + run * t.local_stride + i), tag);
            if (from.space == models::Space::dram && tag.tensor >= 0) {
                const bool parameter = graph_.tensor(tag.tensor).role == Tensor::Role::parameter;
                ++(parameter ? traffic.weights : traffic.input);
            }
        }
    }
}

void ProgramChecker::execute(Step& step, const models::Store& store) {
    const models::Transfer& t = store.transfer;
    const Tensor& result = graph_.tensor(step.op->output);
    const Placement& home = mapping_.placements[at(step.op->output)];
    const std::int64_t size = numerics::bytes_of(result.format);
    if (store.sums) {
        const auto& sums = *store.sums;
        expect(t.runs == (store.transposed ? sums.cols : sums.rows) &&
                   t.run == size * (store.transposed ? sums.rows : sums.cols),
               step, "a Store of sums does not move its tile");
    }
    for (std::int64_t run = 0; run < t.runs; ++run) {
        for (std::int64_t i = 0; i < t.run; ++i) {
            Tag tag;
            if (store.sums) {
                const std::int64_t other = i / size;
                Sum& from = sum(step, store.sums->row + (store.transposed ? other : run),
                                store.transposed ? run : other);
                const std::int64_t element = finished(step, from);
                computed_[at(step.op->output)].at(at(element)) += i % size == 0 ? 1 : 0;
                tag = {step.op->output, element * size + i % size};
            } else {
                tag = read(step, scratchpad(step, t.local + run * t.local_stride + i));
            }
            models::Address to = t.memory;
            to.offset += run * t.memory_stride + i;
            expect(
                tag.tensor == step.op->output && to.offset == home.address + tag.offset &&
                    (to.space == models::Space::shared) == (home.home == Placement::Home::shared),
                step, "a Store writes a byte to a place that is not its own");
            write(step, memory(step, to), tag);
            if (faults_.empty()) {
                ++stored_[at(step.op->output)].at(at(tag.offset));
            }
            traffic_[at(step.instruction->layer)].output += to.space == models::Space::dram ? 1 : 0;
        }
    }
}

void ProgramChecker::check_at_end() {
    for (const Operator& op : graph_.operators) {
        const auto once = [](int count) { return count == 1; };
        const auto& computed = computed_[at(op.output)];
        const auto& stored = stored_[at(op.output)];
        if (!std::all_of(computed.begin(), computed.end(), once)) {
            faults_.push_back(fmt::format("layer '{}': not each result is made once", op.name));
        }
        const bool on_chip = mapping_.placements[at(op.output)].home == Placement::Home::scratchpad;
        if (on_chip && graph_.tensor(op.output).role == Tensor::Role::output) {
            faults_.push_back(fmt::format("layer '{}': a result never leaves the chip", op.name));
        }
        if (!on_chip && !std::all_of(stored.begin(), stored.end(), once)) {
            faults_.push_back(fmt::format("layer '{}': not each result is stored once", op.name));
        }
    }
}

}  // namespace systole::test
