#pragma once

#include "sim/workload/graph.hpp"
#include "sim/workload/quantization.hpp"
#include "sim/workload/topology.hpp"

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace systole {

/// Of every dimension of every tensor, kernel and stride.
inline constexpr std::int64_t largest_dimension = std::numeric_limits<std::int32_t>::max();

/// Makes the operators of a network, layer by layer, and records every fault it meets. What follows
/// a faulty layer is left out, so that a fault is told once.
class GraphBuilder {
public:
    /// `native` is the format of a network that names none.
    GraphBuilder(const Network& network, Format native);

    /// Throws InputError with all faults.
    [[nodiscard]] Graph build();

private:
    /// What a layer delivers: a tensor, in the shape in which the next layer sees it.
    struct Value {
        TensorId tensor = -1;  ///< -1: a fault stands in the way
        Shape shape;
        int op = -1;  ///< the operator that wrote it just so, or -1
    };
    /// The layer in hand.
    struct Here {
        const Layer& layer;
        const std::string& name;
        std::vector<Value> sources;
        bool only_reader;  ///< of its first source
    };
    /// The steps of an operator in real numbers: activations may still join them.
    struct Pending {
        std::vector<RealStep> steps;
        double source_step = 1.0;
    };

    // graph_builder.cpp: the network as a whole
    void add_input(const TopologyInput& topology_input);
    void add_layer(const Here& here);
    void check_layer(const Here& here);
    void finish();
    void check_totals();
    TensorId add_tensor(Tensor tensor);
    Value add_operator(const Here& here, const LayerBase& base, Operator made, Pending pending,
                       Tensor output);
    [[nodiscard]] Tensor& tensor(TensorId id) {
        return graph_.tensors[static_cast<std::size_t>(id)];
    }
    [[nodiscard]] Format format_of(const LayerBase& base) const;
    [[nodiscard]] double activation_step_of(const LayerBase& base) const;
    [[nodiscard]] Tensor output_of(const LayerBase& base, Shape shape) const;
    [[nodiscard]] double worth_of(TensorId id) const;
    void check_format(Format format, const std::string& subject, const SourceLocation& where);
    void check_steps(const Quantization& quantization, const std::string& subject,
                     const SourceLocation& where);
    void fault(const Here& here, const std::string& what, std::string hint = {});
    void fault_at(const SourceLocation& where, std::string what, std::string hint = {});
    bool is_countable(const Here& here, const std::string& what,
                      std::initializer_list<std::int64_t> factors);
    bool in_range(const Here& here, const std::string& what, std::int64_t value, std::int64_t low);

    // weighted_layers.cpp: products
    Value build(const Here& here, const DenseLayer& dense);
    Value build(const Here& here, const Conv2dLayer& conv);
    Value build(const Here& here, const DepthwiseConv2dLayer& conv);
    Value convolution(const Here& here, const ConvLayer& conv, std::int64_t filters,
                      std::int64_t groups);
    Value product(const Here& here, const WeightedLayer& weighted, const ConvLayer* conv,
                  models::ConvView view, Shape shape);
    bool do_groups_divide(const Here& here, const models::ConvView& view);
    std::optional<TensorId> factor(const Here& here, Format format);
    std::optional<TensorId> add_weights(const Here& here, const WeightedLayer& weighted,
                                        const models::ConvView& view);
    bool add_columns(const Here& here, const WeightedLayer& weighted, const ConvLayer* conv,
                     Operator& made, Pending& pending);
    std::optional<TensorId> add_vector(const Here& here, const std::string& what,
                                       std::int64_t columns, double bound,
                                       const std::optional<Numbers>& numbers);

    // layers.cpp: all others
    Value build(const Here& here, const PoolLayer& pool);
    Value build(const Here& here, const GlobalAvgPoolLayer& pool);
    Value build(const Here& here, const FlattenLayer& flatten);
    Value build(const Here& here, const AddLayer& add);
    Value build(const Here& here, const ActivationLayer& activation);
    Value build(const Here& here, const BiasLayer& bias);
    Value build(const Here& here, const RepeatLayer& repeat);
    Value add_pool(const Here& here, const LayerBase& base, bool average, bool count_padding,
                   const models::ConvView& view, Shape shape);
    Value activate(const Here& here, const LayerBase& base, const Value& value, Function function);
    Value add_vector_operator(const Here& here, const LayerBase& base, const std::string& name,
                              Operator made, std::vector<RealStep> steps, Shape shape);
    [[nodiscard]] bool can_join(const Here& here, const LayerBase& base) const;
    void join(const LayerBase& base, const Value& value, const RealStep& step);

    // images.cpp: height and width
    bool is_image(const Here& here);
    bool set_windows(const Here& here, const Pair& kernel, const Pair& stride, const Pair& dilation,
                     const Padding& padding, models::ConvView& view);
    bool is_pair(const Here& here, const std::string& what, const Pair& pair);

    const Network& network_;
    Format native_;
    std::vector<Fault> faults_;
    std::set<const Layer*> checked_;
    Graph graph_;
    std::vector<Pending> pending_;  ///< of each operator
    std::vector<Value> values_;     ///< as the topology numbers them
    std::map<std::pair<TensorId, Format>, TensorId> converted_;
};

}  // namespace systole
