#pragma once

#include "models/base/diagnostics.hpp"
#include "models/base/words.hpp"

#include <cstdint>
#include <optional>

namespace systole {

template <class C>
class Schema;

/// Which loop over blocks of a layer's product is the outer one.
enum class LoopOrder {
    outputs_outer,  ///< for each block of output channels, all rows: its weights stay on chip
    rows_outer,     ///< for each block of rows, all output channels: its inputs stay on chip
};

template <>
struct Words<LoopOrder> {
    static constexpr Word<LoopOrder> table[] = {
        {LoopOrder::outputs_outer, "outputs_outer",
         "for each block of output channels, all rows: its weights stay on chip"},
        {LoopOrder::rows_outer, "rows_outer",
         "for each block of rows, all output channels: its inputs stay on chip"}};
};

/// What a layer's `mapping:` fixes of the mapper's choice; the rest is still searched.
struct MappingRequest {
    std::optional<LoopOrder> order;
    std::optional<std::int64_t> rows;     ///< output pixels m of a block
    std::optional<std::int64_t> outputs;  ///< output channels n of a block
    std::optional<std::int64_t> cores;    ///< that share the layer
    std::optional<bool> keep_output;      ///< hold the output on chip for the next layer
    SourceLocation where;
};

void describe(Schema<MappingRequest>& schema);

}  // namespace systole
