#include "sim/workload/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace systole {
namespace {

/// More is a slip of the pen: the deepest networks have a few thousand.
constexpr std::int64_t most_layers = 100'000;

std::int64_t count_layers(const std::vector<Layer>& layers) {
    std::int64_t count = 0;
    for (const auto& layer : layers) {
        std::int64_t here = 1;
        if (const auto* repeat = std::get_if<RepeatLayer>(&layer.op)) {
            const auto inner = std::max<std::int64_t>(1, count_layers(repeat->layers));
            here = repeat->times > most_layers / inner ? most_layers + 1 : repeat->times * inner;
        }
        count = std::min(count + here, most_layers + 1);
    }
    return count;
}

const LayerNaming& naming_of(const Layer& layer) {
    return std::visit(
        [](const auto& op) -> const LayerNaming& {
            if constexpr (std::is_base_of_v<LayerNaming, std::decay_t<decltype(op)>>) {
                return op;
            } else {
                static const LayerNaming none;
                return none;
            }
        },
        layer.op);
}

std::string text(const SourceLocation& where) {
    return fmt::format("{}:{}:{}", where.file, where.line, where.column);
}

class TopologyMaker {
public:
    TopologyMaker(const Network& network, std::vector<Fault>& faults)
        : network_{network},
          faults_{faults} {}

    Topology make() {
        add_inputs();
        if (network_.layers.empty()) {
            faults_.push_back(
                {network_.where, "the network has no layers", "write some 'layers:'"});
        } else if (count_layers(network_.layers) > most_layers) {
            faults_.push_back(
                {network_.layers.front().where,
                 fmt::format("the network has more than {} layers with its repeats", most_layers),
                 "lower 'times'"});
        } else {
            collect(network_.layers, "");
            scopes_.emplace_back();
            walk(network_.layers, "");
        }
        return std::move(topology_);
    }

private:
    void add_inputs() {
        if (network_.input) {
            add_input("input", *network_.input);
        }
        for (const auto& [name, input] : network_.inputs) {
            add_input(name, input);
        }
        if (network_.input && !network_.inputs.empty()) {
            faults_.push_back({network_.input->where, "both 'input' and 'inputs' are given",
                               "name every input under 'inputs'"});
        } else if (topology_.inputs.empty()) {
            faults_.push_back({network_.where, "the network has no input",
                               "write 'input: {shape: [height, width, channels]}'"});
        }
        first_ = topology_.inputs.size() != 1;
        previous_ = first_ ? -1 : 0;
    }

    void add_input(const std::string& name, const NetworkInput& input) {
        names_.emplace(name, Named{static_cast<int>(topology_.inputs.size()), input.where});
        topology_.inputs.push_back({&input, name});
        topology_.uses.push_back(0);
    }

    /// The names that people chose: no default name may take one of them.
    void collect(const std::vector<Layer>& layers, const std::string& suffix) {
        for (const auto& layer : layers) {
            if (const auto* repeat = std::get_if<RepeatLayer>(&layer.op)) {
                for (std::int64_t i = 1; i <= repeat->times; ++i) {
                    collect(repeat->layers, fmt::format("{}_{}", suffix, i));
                }
            } else if (const auto& name = naming_of(layer).name; !name.empty()) {
                chosen_.insert(name + suffix);
            }
        }
    }

    void walk(const std::vector<Layer>& layers, const std::string& suffix) {
        for (const auto& layer : layers) {
            if (const auto* repeat = std::get_if<RepeatLayer>(&layer.op)) {
                walk_repeat(layer, *repeat, suffix);
            } else {
                add_layer(layer, suffix);
            }
        }
    }

    void walk_repeat(const Layer& layer, const RepeatLayer& repeat, const std::string& suffix) {
        if (repeat.layers.empty()) {
            fault_once(&repeat, layer.where, "the repeat has no layers", "");
            return;
        }
        if (!repeat.input.empty()) {
            previous_ = find(repeat.input, "the repeat", repeat.input_at);
            first_ = false;
        }
        for (std::int64_t i = 1; i <= repeat.times; ++i) {
            scopes_.emplace_back();
            if (!repeat.entry.empty() && !first_) {
                scopes_.back()[repeat.entry] = previous_;
            }
            walk(repeat.layers, fmt::format("{}_{}", suffix, i));
            scopes_.pop_back();
        }
    }

    void add_layer(const Layer& layer, const std::string& suffix) {
        const auto& naming = naming_of(layer);
        TopologyLayer made{&layer, {}, {}};
        made.name = naming.name.empty() ? default_name(op_of(layer)) : naming.name + suffix;
        made.sources = sources_of(layer, made.name);
        for (const int source : made.sources) {
            if (source >= 0) {
                ++topology_.uses[static_cast<std::size_t>(source)];
            }
        }
        previous_ = topology_.value_of_layer(topology_.layers.size());
        first_ = false;
        const auto [same, fresh] = names_.emplace(
            made.name, Named{previous_, naming.name.empty() ? layer.where : naming.name_at});
        if (!fresh) {
            fault_once(&naming.name, naming.name_at,
                       fmt::format("the name '{}' is taken", made.name),
                       fmt::format("it was given at {}", text(same->second.where)));
        } else if (!naming.name.empty() && !scopes_.back().emplace(naming.name, previous_).second) {
            fault_once(&naming.name, naming.name_at,
                       fmt::format("the name '{}' is taken", naming.name),
                       "it is the 'entry' of the repeat");
        }
        topology_.layers.push_back(std::move(made));
        topology_.uses.push_back(0);
    }

    std::string default_name(const std::string& op) {
        std::string name;
        do {
            name = fmt::format("{}_{}", op, ++counts_[op]);
        } while (chosen_.contains(name) || names_.contains(name));
        return name;
    }

    std::vector<int> sources_of(const Layer& layer, const std::string& name) {
        const auto& naming = naming_of(layer);
        const auto* add = std::get_if<AddLayer>(&layer.op);
        if (add != nullptr && !add->inputs.empty()) {
            return inputs_of_sum(*add, name, layer.where);
        }
        std::vector<int> sources;
        const auto subject = fmt::format("layer '{}'", name);
        if (!naming.input.empty()) {
            sources.push_back(find(naming.input, subject, naming.input_at));
        } else if (first_ && topology_.inputs.size() > 1) {
            fault_once(&layer, layer.where,
                       fmt::format("layer '{}' does not say which input it works on", name),
                       fmt::format("write 'input:' with one of {}", input_names()));
            sources.push_back(-1);
        } else {
            sources.push_back(previous_);
        }
        if (add != nullptr) {
            if (add->with.empty()) {
                fault_once(&add->with, layer.where,
                           fmt::format("layer '{}' does not say what to add", name),
                           "write 'with: name' or 'inputs: [name, name]'");
            } else {
                sources.push_back(find(add->with, subject, add->inputs_at));
            }
        }
        return sources;
    }

    std::vector<int> inputs_of_sum(const AddLayer& add, const std::string& name,
                                   const SourceLocation& where) {
        std::vector<int> sources;
        const auto subject = fmt::format("layer '{}'", name);
        if (!add.with.empty() || !add.input.empty()) {
            fault_once(&add.inputs, where,
                       fmt::format("layer '{}' has 'inputs' and another input beside it", name),
                       "name all that is added in 'inputs'");
        }
        if (add.inputs.size() < 2) {
            fault_once(&add.inputs, add.inputs_at,
                       fmt::format("layer '{}' adds a single input", name),
                       "name two or more in 'inputs'");
        }
        sources.reserve(add.inputs.size());
        for (const auto& input : add.inputs) {
            sources.push_back(find(input, subject, add.inputs_at));
        }
        return sources;
    }

    int find(const std::string& wanted, const std::string& subject, const SourceLocation& where) {
        for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
            if (const auto found = scope->find(wanted); found != scope->end()) {
                return found->second;
            }
        }
        if (const auto found = names_.find(wanted); found != names_.end()) {
            return found->second.value;
        }
        std::vector<std::string> known;
        known.reserve(names_.size());
        for (const auto& [name, unused] : names_) {
            known.push_back(name);
        }
        const auto near = nearest(wanted, known);
        fault_once(&wanted, where,
                   fmt::format("{} works on '{}', but no input and no earlier layer is called so",
                               subject, wanted),
                   chosen_.contains(wanted) ? "a layer works on what stands before it"
                   : near.empty()           ? ""
                                            : fmt::format("did you mean '{}'?", near));
        return -1;
    }

    std::string input_names() const {
        std::string names;
        for (const auto& input : topology_.inputs) {
            names += (names.empty() ? "'" : ", '") + input.name + "'";
        }
        return names;
    }

    /// A line of the file is at fault once, however often it is repeated.
    void fault_once(const void* subject, const SourceLocation& where, std::string what,
                    std::string hint) {
        if (reported_.insert(subject).second) {
            faults_.push_back({where, std::move(what), std::move(hint)});
        }
    }

    struct Named {
        int value;
        SourceLocation where;
    };

    const Network& network_;
    std::vector<Fault>& faults_;
    Topology topology_;
    std::map<std::string, Named> names_;              ///< full names
    std::vector<std::map<std::string, int>> scopes_;  ///< names as written, innermost last
    std::set<std::string> chosen_;
    std::map<std::string, int> counts_;
    std::set<const void*> reported_;
    int previous_ = -1;
    bool first_ = true;  ///< nothing stands before the layer
};

}  // namespace

Topology make_topology(const Network& network, std::vector<Fault>& faults) {
    return TopologyMaker{network, faults}.make();
}

std::string op_of(const Layer& layer) {
    struct Word {
        std::string operator()(const DenseLayer&) const { return "dense"; }
        std::string operator()(const Conv2dLayer&) const { return "conv2d"; }
        std::string operator()(const DepthwiseConv2dLayer&) const { return "depthwise_conv2d"; }
        std::string operator()(const PoolLayer& pool) const {
            return pool.average ? "avg_pool" : "max_pool";
        }
        std::string operator()(const GlobalAvgPoolLayer&) const { return "global_avg_pool"; }
        std::string operator()(const FlattenLayer&) const { return "flatten"; }
        std::string operator()(const AddLayer&) const { return "add"; }
        std::string operator()(const ActivationLayer& layer) const {
            return to_string(layer.function);
        }
        std::string operator()(const BiasLayer&) const { return "bias"; }
        std::string operator()(const RepeatLayer&) const { return "repeat"; }
    };
    return std::visit(Word{}, layer.op);
}

}  // namespace systole
