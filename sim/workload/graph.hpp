#pragma once

#include "models/core/program.hpp"
#include "sim/mapping/mapping_request.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace systole {

using numerics::Format;

/// Dimensions, outermost first: the batch, then height and width where there are such, channels
/// (features) last.
using Shape = std::vector<std::int64_t>;

/// Elements of a shape; InputError-free: sizes are checked when the graph is made.
[[nodiscard]] std::int64_t elements(const Shape& shape);

/// Numbers drawn from the seed: uniform in (−bound, bound), in an order that depends on the seed
/// and the tensor's name alone.
struct Drawn {
    double bound = 1.0;
};
/// Numbers as the user gave them, in the order of the shape.
struct Given {
    std::vector<double> values;
};

using TensorId = int;

/// A named array. Its elements are stored densely in the order of its shape.
struct Tensor {
    enum class Role { input, parameter, activation, output };

    std::string name;
    Shape shape;
    Format format = Format::fp32;
    Role role = Role::activation;
    /// The real value of one code of an int8 or int32 tensor; 1 for floating formats.
    double step = 1.0;
    std::variant<Drawn, Given> source;  ///< inputs and parameters only

    [[nodiscard]] std::int64_t bytes() const {
        return checked_multiply(elements(shape), numerics::bytes_of(format));
    }
};

/// One step that the vector unit applies to an operator's result, element by element.
struct ElementStep {
    models::VectorOp op{};
    double parameter = 1.0;
    std::optional<TensorId> operand;  ///< a vector over the columns, or a tensor of the same shape
};

/// One layer as the hardware sees it: at most one matrix product, then element-wise steps.
struct Operator {
    enum class Kind {
        matrix,       ///< weights · im2col(inputs[0]), then `steps`
        pool,         ///< steps[0] is a pool over `view`
        elementwise,  ///< `steps` on inputs[0]; softmax over the last dimension included
    };

    std::string name;
    std::string op;  ///< as the workload calls it: conv2d, dense, max_pool, …; or convert
    Kind kind = Kind::matrix;
    /// All activations that are read; inputs[0] goes through `steps`, the others are operands of
    /// its `add` steps. A flatten is no operator: an input may have another shape than the view or
    /// the output says, with as many elements in the same order. Elementwise, rows and columns are
    /// those of the output's shape.
    std::vector<TensorId> inputs;
    std::optional<TensorId> weights;  ///< [kh·kw·c/groups, n], the columns densely in each row
    std::vector<ElementStep> steps;
    /// The sums leave as they are (int32 or fp32), past the vector unit; then `steps` is empty.
    /// Otherwise there is at least one step. Softmax is never among the steps of a product.
    bool raw_sums = false;
    bool count_padding = false;  ///< average_pool
    models::ConvView view;       ///< matrix; pool, where each channel is a group of its own
    TensorId output = -1;
    std::int64_t parameters = 0;  ///< trained numbers: weights, bias, batch-norm scale and shift
    std::int64_t macs = 0;
    std::optional<MappingRequest> mapping;
    SourceLocation where;
};

/// A network with its shapes, formats and sizes known: no hardware in it. Operators are in an
/// order in which every input is there before it is used.
struct Graph {
    std::string name;
    std::string description;
    std::vector<Tensor> tensors;
    std::vector<Operator> operators;

    [[nodiscard]] const Tensor& tensor(TensorId id) const {
        return tensors[static_cast<std::size_t>(id)];
    }
};

struct Network;

/// Infers and checks the shapes of a network. `native` is the format of one that names none: the
/// chip's first. Throws InputError with every fault of the network.
[[nodiscard]] Graph build_graph(const Network& network, Format native);

}  // namespace systole
