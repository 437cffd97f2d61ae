#include "sim/report/mapping_text.hpp"

#include "sim/report/numbers.hpp"
#include "sim/report/table.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace systole {
namespace {

using Align = Table::Align;

std::string sizes(std::int64_t m, std::int64_t n, std::int64_t k) {
    return fmt::format("{}×{}×{}", m, n, k);
}

/// What of a layer stays on the chip.
std::string kept(const LayerMapping& layer) {
    if (layer.input_on_chip && layer.output_on_chip) {
        return "input, output";
    }
    return layer.input_on_chip ? "input" : layer.output_on_chip ? "output" : "";
}

std::string cores(const LayerMapping& layer) {
    return layer.split.empty() ? fmt::format("{}", layer.cores)
                               : fmt::format("{} by {}", layer.cores, layer.split);
}

}  // namespace

std::string mapping_text(const Graph& graph, const Mapping& mapping) {
    Table table{{{"layer", Align::left},
                 {"m×n×k"},
                 {"block m×n"},
                 {"tile m×n×k"},
                 {"groups"},
                 {"tiles"},
                 {"outer loop", Align::left},
                 {"cores", Align::left},
                 {"input bytes"},
                 {"weight bytes"},
                 {"output bytes"},
                 {"scratchpad"},
                 {"stays on chip", Align::left}}};
    for (std::size_t i = 0; i < mapping.layers.size(); ++i) {
        const auto& layer = mapping.layers[i];
        const bool is_product = layer.tiles > 0;
        table.add_row({graph.operators[i].name, is_product ? sizes(layer.m, layer.n, layer.k) : "-",
                       is_product ? fmt::format("{}×{}", layer.block_m, layer.block_n) : "-",
                       is_product ? sizes(layer.tile_m, layer.tile_n, layer.tile_k) : "-",
                       is_product ? grouped(layer.group_pack) : "-",
                       is_product ? grouped(layer.tiles) : "-",
                       !is_product                               ? "-"
                       : layer.order == LoopOrder::outputs_outer ? "outputs"
                                                                 : "rows",
                       cores(layer), grouped(layer.input_bytes.count()),
                       grouped(layer.weight_bytes.count()), grouped(layer.output_bytes.count()),
                       grouped(layer.scratchpad_used.count()), kept(layer)});
    }
    return table.text() +
           fmt::format(
               "\n{} bytes of main memory and {} of the shared SRAM are in use; the bytes "
               "of a layer are its traffic over the pins\n",
               grouped(mapping.dram_used.count()), grouped(mapping.shared_used.count()));
}

}  // namespace systole
