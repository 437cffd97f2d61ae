#pragma once

#include "models/accelerator.hpp"
#include "models/chip_config.hpp"
#include "models/technology/technology.hpp"
#include "sim/mapping/mapper.hpp"
#include "sim/report/result.hpp"
#include "sim/workload/graph.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace systole::test {

/// Figures that are easy to reckon with: a power of two everywhere.
inline models::Technology sample_technology() {
    models::Technology technology;
    technology.name = "sample";
    technology.operations.int8 = {Picojoules{2}, Picojoules{1}};
    technology.operations.int32 = {Picojoules{16}, Picojoules{4}};
    technology.operations.fp32 = {Picojoules{32}, Picojoules{8}};
    technology.sram = {{Bytes{1024}, Picojoules{16}}, {Bytes{4096}, Picojoules{32}}};
    technology.memory.ddr = Picojoules{512};
    return technology;
}

/// 2 cores of 4×4 PEs at 1 GHz: 32 MACs a cycle, 64 GFLOP/s. 16 GB/s: the ridge is at 4.
inline models::ChipConfig sample_chip() {
    models::ChipConfig chip;
    chip.name = "sample_chip";
    chip.clock = Hertz{1e9};
    chip.cores = 2;
    models::SystolicConfig array;
    array.rows = 4;
    array.cols = 4;
    array.accumulators = 256;
    array.formats = {Format::int8, Format::fp32};
    chip.core.matrix = array;
    chip.core.vector.lanes = 4;
    chip.core.scratchpad = {Bytes{16384}, 4, Bytes{16}};
    chip.memory.bandwidth = BytesPerSecond{16e9};
    chip.technology = "sample";
    return chip;
}

/// A dense layer of 4096 int8 MACs, and a pool without any.
inline Graph sample_graph() {
    Graph graph;
    graph.name = "sample_net";
    graph.description = "two layers";
    graph.tensors.push_back({"x", {16, 16}, Format::int8, Tensor::Role::input, 1.0, {}});
    graph.tensors.push_back({"y", {16, 16}, Format::int8, Tensor::Role::activation, 1.0, {}});
    graph.tensors.push_back({"z", {16, 4}, Format::int8, Tensor::Role::output, 1.0, {}});
    Operator dense;
    dense.name = "dense1";
    dense.op = "dense";
    dense.output = 1;
    dense.macs = 4096;
    Operator pool;
    pool.name = "pool, the last";
    pool.op = "max_pool";
    pool.kind = Operator::Kind::pool;
    pool.output = 2;
    graph.operators = {dense, pool};
    return graph;
}

inline models::CycleLedger ledger(
    std::initializer_list<std::pair<models::Cause, std::int64_t>> spent) {
    models::CycleLedger ledger;
    for (const auto& [cause, cycles] : spent) {
        ledger.add(cause, Cycles{cycles});
    }
    return ledger;
}

/// 400 cycles for the dense layer, which is 12.8 times what its MACs need, and 100 for the pool.
inline models::RunRecord sample_record() {
    using models::Cause;
    models::RunRecord record;
    record.cycles = Cycles{500};
    models::LayerRecord dense;
    dense.start = Cycles{1};
    dense.end = Cycles{400};
    dense.counters.macs = 4096;
    dense.counters.dram_read_bytes = 4000;
    dense.counters.dram_write_bytes = 96;
    dense.counters.scratchpad_read_bytes = 8000;
    dense.counters.scratchpad_write_bytes = 192;
    dense.counters.scratchpad_reads = 500;
    dense.counters.scratchpad_writes = 12;
    dense.counters.accumulator_reads = 256;
    dense.counters.accumulator_writes = 256;
    dense.matrix_cycles = ledger({{Cause::active, 128}, {Cause::weight_stall, 672}});
    models::LayerRecord pool;
    pool.start = Cycles{390};
    pool.end = Cycles{500};
    pool.counters.vector_adds = 192;
    pool.counters.vector_multiplies = 64;
    pool.counters.dram_write_bytes = 64;
    pool.matrix_cycles = ledger({{Cause::idle, 200}});
    record.layers = {dense, pool};
    for (int core = 0; core < 2; ++core) {
        record.units.push_back(
            {core, models::Queue::load, ledger({{Cause::active, 250}, {Cause::idle, 250}})});
        record.units.push_back(
            {core, models::Queue::matrix,
             ledger({{Cause::active, 64}, {Cause::weight_stall, 336}, {Cause::idle, 100}})});
        record.units.push_back(
            {core, models::Queue::vector, ledger({{Cause::active, 90}, {Cause::idle, 410}})});
        record.units.push_back(
            {core, models::Queue::store, ledger({{Cause::active, 10}, {Cause::idle, 490}})});
    }
    return record;
}

inline Mapping sample_mapping() {
    Mapping mapping;
    LayerMapping dense;
    dense.m = 16;
    dense.n = 16;
    dense.k = 16;
    dense.block_m = 16;
    dense.block_n = 8;
    dense.tile_m = 16;
    dense.tile_k = 4;
    dense.tile_n = 4;
    dense.tiles = 16;
    dense.cores = 2;
    dense.split = "outputs";
    dense.output_on_chip = true;
    dense.scratchpad_used = Bytes{1024};
    LayerMapping pool;
    pool.input_on_chip = true;
    mapping.layers = {dense, pool};
    return mapping;
}

inline Result sample_result() {
    auto result = make_result(sample_graph(), sample_chip(), sample_technology(), sample_mapping(),
                              sample_record());
    result.manifest = {"1.2.3", "abcdef", "systole run a b", 7, "fast", {{"a.yaml", "00ff"}},
                       {},      {}};
    result.manifest.chip = Node::map();
    result.manifest.chip.add("clock", Node::scalar("1 GHz"));
    result.manifest.chip.add("cores", Node::scalar("2"));
    result.manifest.workload = Node::map();
    result.manifest.workload.add("batch", Node::scalar("16"));
    result.tensors.push_back({"z", Tensor::Role::output, {1, 2}, Format::fp32, 1.0, {0.25, -1.5}});
    return result;
}

}  // namespace systole::test
