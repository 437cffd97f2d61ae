#include "sim/mapping/mapping_request.hpp"

#include "models/base/schema.hpp"

#include <limits>

namespace systole {

void describe(Schema<MappingRequest>& schema) {
    constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
    schema.location(&MappingRequest::where);
    schema.field("order", &MappingRequest::order, "the outer loop over blocks");
    schema.field("rows", &MappingRequest::rows, "output pixels of a block").range(1, largest);
    schema.field("outputs", &MappingRequest::outputs, "output channels of a block")
        .range(1, largest);
    schema.field("cores", &MappingRequest::cores, "cores that share the layer").range(1, largest);
    schema.field("keep_output", &MappingRequest::keep_output,
                 "whether the output is held on chip for the next layer");
}

}  // namespace systole
