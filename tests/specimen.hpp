#pragma once

#include "models/base/schema.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace systole::test {

/// A document that uses everything a schema can declare; the tests of the configuration read it.
enum class Flow { weight, output };
enum class Function { relu, gelu };

struct Scratch {
    Bytes size{65'536};
    int banks = 8;
    std::optional<Duration> latency;
    SourceLocation banks_at;
    SourceLocation where;
};

struct Systolic {
    int rows = 16;
    std::int64_t cols = 16;
    Flow dataflow = Flow::weight;
};
struct Simt {
    int lanes = 1;
    bool fused = true;
};

struct Memory {
    BytesPerSecond bandwidth{};
    Duration latency = Seconds{1e-7};
    Picojoules energy{4.0};
};

struct Core {
    std::variant<Systolic, Simt> matrix;
    Scratch scratchpad;
};

struct Named {
    std::string name;
    SourceLocation where;
};
struct Dense : Named {
    std::int64_t units = 1;
    std::vector<std::vector<double>> weights;
};
struct Conv : Named {
    std::vector<int> kernel = {1};
};
struct Activation : Named {
    Function function = Function::relu;
};
struct Layer;
struct Repeat {
    int times = 1;
    std::vector<Layer> layers;
};
struct Layer {
    SourceLocation where;
    std::variant<Dense, Conv, Activation, Repeat> op;
};

struct Machine {
    std::string name = "specimen";
    Hertz clock{1e9};
    int cores = 1;
    double load = 0.5;
    std::optional<std::string> part;
    Core core;
    std::optional<Memory> memory;
    std::vector<Scratch> buffers;
    std::map<std::string, std::int64_t> parameters;
    std::map<std::string, Memory> memories;
    std::vector<Layer> layers;
};

void describe(Schema<Scratch>& schema);
void describe(Schema<Systolic>& schema);
void describe(Schema<Simt>& schema);
void describe(Schema<Memory>& schema);
void describe(Schema<Core>& schema);
void describe(Schema<Dense>& schema);
void describe(Schema<Conv>& schema);
void describe(Schema<Activation>& schema);
void describe(Schema<Repeat>& schema);
void describe(Schema<Layer>& schema);
void describe(Schema<Machine>& schema);

}  // namespace systole::test

template <>
struct systole::Words<systole::test::Flow> {
    static constexpr Word<test::Flow> table[] = {{test::Flow::weight, "weight", "weights stay"},
                                                 {test::Flow::output, "output", "sums stay"}};
};
template <>
struct systole::Words<systole::test::Function> {
    static constexpr Word<test::Function> table[] = {
        {test::Function::relu, "relu", "max(x, 0)"},
        {test::Function::gelu, "gelu", "x times the normal distribution of x"}};
};
