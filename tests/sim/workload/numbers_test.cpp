#include "sim/workload/numbers.hpp"

#include "sim/workload/value_file.hpp"
#include "tests/support/workload.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace systole {
namespace {

using test::graph_of;

/// A folder with files in it, gone afterwards.
class NumbersTest : public testing::Test {
protected:
    NumbersTest()
        : folder_{std::filesystem::temp_directory_path() /
                  ("systole_numbers_" +
                   std::string{testing::UnitTest::GetInstance()->current_test_info()->name()})} {
        std::filesystem::create_directories(folder_);
    }
    ~NumbersTest() override { std::filesystem::remove_all(folder_); }

    void write(const std::string& name, const std::string& bytes) const {
        std::ofstream{folder_ / name, std::ios::binary} << bytes;
    }

    /// What `load` makes of the file, or the text of its faults.
    [[nodiscard]] std::string loaded(const std::string& name, const Shape& shape,
                                     const Shape& other_shape = {}) const {
        std::vector<Fault> faults;
        const Numbers numbers{name, {(folder_ / "net.yaml").string(), 3, 7}};
        const auto values = load(numbers, "fc.weights", shape, other_shape, faults);
        std::string text;
        for (const auto& fault : faults) {
            text += "line " + std::to_string(fault.where.line) + ": " + fault.what;
        }
        for (const double value : values.value_or(std::vector<double>{})) {
            text += std::to_string(static_cast<int>(value)) + " ";
        }
        return text;
    }

    std::filesystem::path folder_;
};

TEST_F(NumbersTest, ReadsFilesBesideTheWorkload) {
    write("w.npy", to_npy({{2, 3}, {1, 2, 3, 4, 5, 6}}, Format::fp32));
    write("w.csv", "1,2,3\n4,5,6\n");
    write("row.csv", "1,2,3,4,5,6\n");
    for (const auto* name : {"w.npy", "w.csv", "row.csv"}) {
        EXPECT_EQ(loaded(name, {2, 3}), "1 2 3 4 5 6 ") << name;
    }
    EXPECT_EQ(loaded("w.npy", {6, 1}, {2, 3}), "1 2 3 4 5 6 ");
}

TEST_F(NumbersTest, RefusesTransposedFiles) {
    write("w.npy", to_npy({{3, 2}, {1, 2, 3, 4, 5, 6}}, Format::fp32));
    write("w.csv", "1,2\n3,4\n5,6\n");
    EXPECT_EQ(loaded("w.npy", {2, 3}),
              "line 3: 'fc.weights' has the shape [2, 3], but w.npy has [3, 2]");
    EXPECT_EQ(loaded("w.csv", {2, 3}),
              "line 3: 'fc.weights' has the shape [2, 3], but w.csv has [3, 2]");
}

TEST_F(NumbersTest, TellsWhatIsWrongWithAFileWhereItIs) {
    write("w.csv", "1,2,3\n4,five,6\n");
    EXPECT_EQ(loaded("w.csv", {2, 3}).substr(0, 7), "line 2:");
    EXPECT_EQ(loaded("absent.npy", {2, 3}).substr(0, 21), "line 3: 'fc.weights':");
    write("nan.npy", to_npy({{2}, {1, std::nan("")}}, Format::fp32));
    EXPECT_EQ(loaded("nan.npy", {2}),
              "line 3: number 2 of 'fc.weights' is nan, which fp32 does not hold");
}

TEST(Numbers, DrawsByTheNameOfTheTensorAlone) {
    const std::string dense = "  - dense: {name: fc, units: 50, input: input}\n";
    const auto one = graph_of("input: {shape: [20]}\nlayers:\n" + dense);
    const auto two =
        graph_of("input: {shape: [20]}\nlayers:\n  - dense: {name: other, units: 50}\n" + dense);
    const auto weights_of = [](const Graph& graph, std::size_t op, std::uint64_t seed) {
        return make_values(graph, *graph.operators[op].weights, seed);
    };
    const auto drawn = weights_of(one, 0, 1);
    EXPECT_EQ(drawn.size(), 1000U);
    EXPECT_EQ(weights_of(two, 1, 1), drawn);
    EXPECT_NE(weights_of(two, 0, 1), drawn);
    EXPECT_NE(weights_of(one, 0, 2), drawn);

    // Uniform in (−√(3/20), √(3/20)): 1/20 is the variance, whose estimate from 1,000 numbers has
    // a standard deviation of 1/20·√(0.8/1000) = 0.0014.
    double squares = 0;
    for (const double value : drawn) {
        EXPECT_LT(std::abs(value), std::sqrt(3.0 / 20));
        squares += value * value;
    }
    EXPECT_NEAR(squares / 1000, 1.0 / 20, 0.007);
}

TEST(Numbers, KeepsGivenNumbersAsTheyAre) {
    const auto graph = graph_of(
        "format: int8\n"
        "input: {shape: [2], values: [0.3, -7]}\n"
        "layers: [{dense: {units: 1, weights: [0.8, -1.5], bias: 0.5}}]\n");
    EXPECT_EQ(make_values(graph, 0, 1), (std::vector<double>{0.3, -7}));
    EXPECT_EQ(graph.tensor(0).step, 1.0 / 16) << "7 / 127 = 0.055 ≤ 1/16";
    EXPECT_EQ(make_values(graph, *graph.operators[0].weights, 1), (std::vector<double>{0.8, -1.5}));
    EXPECT_EQ(make_values(graph, *graph.operators[0].steps[1].operand, 1),
              std::vector<double>{0.5});
}

}  // namespace
}  // namespace systole
