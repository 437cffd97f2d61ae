#include "models/base/schema.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace systole {
namespace garden {

enum class Soil { sand, clay };

struct Bed {
    Bytes size{};
    int rows = 4;
    std::int64_t plants = 8;
    Soil soil = Soil::sand;
    bool wet = false;
    double slope = 0.5;
    std::string name = "bed";
    std::optional<Duration> pause;
    std::vector<int> gaps = {1};
    SourceLocation rows_at;
    SourceLocation where;
};

void describe(Schema<Bed>& schema) {
    using C = Bed;
    schema.location(&C::where);
    schema.field("size", &C::size, "room for seeds").required().at_least(Bytes{1});
    schema.field("rows", &C::rows, "rows side by side")
        .range(1, 1024)
        .location(&C::rows_at)
        .check([](int rows) { return rows % 2 == 0; }, "must be even");
    schema.field("plants", &C::plants, "plants in all rows")
        .check([](const C& c) { return c.plants % c.rows == 0; }, "must be a multiple of rows");
    schema.field("soil", &C::soil, "what it is filled with");
    schema.field("wet", &C::wet, "whether it is watered");
    schema.field("slope", &C::slope, "height over length").range(0.0, 1.0);
    schema.field("name", &C::name, "what it is called");
    schema.field("pause", &C::pause, "between two waterings");
    schema.field("gaps", &C::gaps, "distances of rows").at_least(1).or_one();
}

struct Shed {
    int tools = 3;
};
void describe(Schema<Shed>& schema) {
    schema.field("tools", &Shed::tools, "tools inside").required();
}

struct Pump {
    Hertz rate{1};
};
void describe(Schema<Pump>& schema) {
    schema.field("rate", &Pump::rate, "strokes");
}
struct Hose {
    int length = 1;
};
void describe(Schema<Hose>& schema) {
    schema.field("length", &Hose::length, "in steps").required();
}

enum class Motion { dig, sow };

struct Named {
    std::string name;
};
template <class C>
void describe_name(Schema<C>& schema) {
    schema.field("name", &C::name, "what it is called");
}

struct Work : Named {
    Motion motion = Motion::dig;
    int depth = 1;
};
void describe(Schema<Work>& schema) {
    describe_name(schema);
    schema.field("depth", &Work::depth, "how deep");
}

struct Step;
struct Repeat {
    int times = 1;
    std::vector<Step> steps;
};
struct Step {
    SourceLocation where;
    std::variant<Work, Repeat> what;
};
void describe(Schema<Repeat>& schema) {
    schema.field("times", &Repeat::times, "how often").required();
    schema.list("steps", &Repeat::steps, "what is repeated").required();
}
void describe(Schema<Step>& schema) {
    schema.location(&Step::where);
    schema.tagged(&Step::what,
                  alternative<Work>("dig", "turn the soil", &Work::motion, Motion::dig),
                  alternative<Work>("sow", "put seeds in", &Work::motion, Motion::sow),
                  alternative<Repeat>("repeat", "the same again"));
}

struct Garden {
    Bed bed;
    std::optional<Shed> shed;
    std::vector<Bed> more;
    std::variant<Pump, Hose> water;
    std::map<std::string, std::int64_t> numbers;
    std::map<std::string, Shed> sheds;
    std::vector<Step> steps;
    std::vector<std::vector<double>> grid;
};
void describe(Schema<Garden>& schema) {
    using C = Garden;
    schema.section("bed", &C::bed, "the main bed");
    schema.section("shed", &C::shed, "a shed, if there is one");
    schema.list("more", &C::more, "other beds");
    schema.choice("water", &C::water, "where water comes from", "kind",
                  alternative<Pump>("pump", "from the ground"),
                  alternative<Hose>("hose", "from the house"));
    schema.map("numbers", &C::numbers, "numbers by name").literal();
    schema.map("sheds", &C::sheds, "sheds by name");
    schema.list("steps", &C::steps, "the work");
    schema.field("grid", &C::grid, "heights");
}

}  // namespace garden

template <>
struct Words<garden::Soil> {
    static constexpr Word<garden::Soil> table[] = {{garden::Soil::sand, "sand", "dry"},
                                                   {garden::Soil::clay, "clay", "heavy"}};
};

namespace {

using garden::Garden;

TEST(Schema, WritesWhatItReads) {
    Garden g;
    g.bed.size = Bytes{1536};
    g.water = garden::Hose{7};
    g.steps.push_back({{}, garden::Repeat{2, {{{}, garden::Work{}}}}});
    const auto text = to_yaml(to_node(g));
    const auto again = read<Garden>(to_node(g));
    EXPECT_EQ(to_yaml(to_node(again)), text);
}

}  // namespace
}  // namespace systole
