#include "models/vector_unit/vector_values.hpp"

#include "tests/models/vector_unit/vector_memory.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace systole::models {
namespace {

using numerics::from_double;
using numerics::to_double;
using test::to_fp32;
using test::VectorMemory;

constexpr std::int64_t source_at = 0x0040;
constexpr std::int64_t target_at = 0x4010;
constexpr std::int64_t operand_at = 0x8020;
constexpr std::int64_t second_at = 0xc000;

double in_format(Format format, double value) {
    return to_double(format, from_double(format, value));
}

VectorTile tile(std::int64_t address, std::int64_t rows, std::int64_t cols, std::int64_t pitch,
                Format format) {
    return {VectorTile::Place::scratchpad, address, rows, cols, pitch, format, false};
}

/// One row of fp32 in, the same out.
std::vector<double> through(const std::vector<double>& row, const std::vector<VectorStep>& steps,
                            Format format = Format::fp32) {
    VectorMemory memory{1};
    const auto cols = static_cast<std::int64_t>(row.size());
    for (std::int64_t j = 0; j < cols; ++j) {
        memory.put(source_at, Format::fp32, j, row[static_cast<std::size_t>(j)]);
    }
    memory.run({tile(source_at, 1, cols, cols, Format::fp32), steps,
                tile(target_at, 1, cols, cols, format)});
    std::vector<double> result;
    for (std::int64_t j = 0; j < cols; ++j) {
        result.push_back(memory.get(target_at, format, j));
    }
    return result;
}

class RandomTile : public testing::Test {
protected:
    VectorMemory memory{0};
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::int64_t pitch = 0;

    template <class Check>
    void for_each_seed(Check check) {
        for (unsigned seed = 0; seed < 200 && !HasFatalFailure(); ++seed) {
            SCOPED_TRACE(testing::Message() << "seed " << seed);
            memory = VectorMemory{seed};
            rows = memory.pick(1, 12);
            cols = memory.pick(1, 12);
            pitch = cols + memory.pick(0, 3);
            check();
        }
    }

    Format any_format() { return test::all_formats()[static_cast<std::size_t>(memory.pick(0, 4))]; }
    /// Fills a tile, and the values as a reference reads them.
    std::vector<double> fill(std::int64_t address, std::int64_t tile_rows, std::int64_t tile_pitch,
                             Format format) {
        std::vector<double> values;
        for (std::int64_t i = 0; i < tile_rows; ++i) {
            for (std::int64_t j = 0; j < cols; ++j) {
                values.push_back(memory.draw(format));
                memory.put(address, format, i * tile_pitch + j, values.back());
            }
        }
        return values;
    }
    [[nodiscard]] std::size_t at(std::int64_t i, std::int64_t j) const {
        return static_cast<std::size_t>(i * cols + j);
    }
};

TEST_F(RandomTile, StepsFollowEachOtherInFp32) {
    for_each_seed([&] {
        const Format in = any_format();
        const Format out = any_format();
        const Format factors = any_format();
        const Format addends = any_format();
        const auto x = fill(source_at, rows, pitch, in);
        const auto factor = fill(operand_at, 1, pitch, factors);
        const auto addend = fill(second_at, rows, pitch + 1, addends);
        const double parameter = memory.draw(Format::fp32);
        memory.run({tile(source_at, rows, cols, pitch, in),
                    {{VectorOp::scale_columns, 1, operand_at, 0, factors},
                     {VectorOp::scale, parameter},
                     {VectorOp::add, 1, second_at, pitch + 1, addends},
                     {VectorOp::add_columns, 1, operand_at, 0, factors},
                     {VectorOp::multiply, 1, second_at, pitch + 1, addends},
                     {VectorOp::relu},
                     {VectorOp::copy}},
                    tile(target_at, rows, cols, pitch, out)});
        for (std::int64_t i = 0; i < rows; ++i) {
            for (std::int64_t j = 0; j < cols; ++j) {
                const double f = to_fp32(factor[at(0, j)]);
                const double a = to_fp32(addend[at(i, j)]);
                double y = to_fp32(to_fp32(x[at(i, j)]) * f);
                y = to_fp32(y * parameter);
                y = to_fp32(y + a);
                y = to_fp32(y + f);
                y = to_fp32(y * a);
                ASSERT_EQ(memory.get(target_at, out, i * pitch + j),
                          in_format(out, y > 0 ? y : 0.0));
            }
        }
    });
}

TEST_F(RandomTile, SumsAreReadFromTheAccumulatorsEitherWayRound) {
    for_each_seed([&] {
        const bool transposed = memory.pick(0, 1) == 1;
        const Format sums = memory.pick(0, 1) == 1 ? Format::int32 : Format::fp32;
        const std::int64_t first = memory.pick(0, 40);
        std::vector<double> x;
        for (std::int64_t i = 0; i < rows; ++i) {
            for (std::int64_t j = 0; j < cols; ++j) {
                x.push_back(memory.draw(sums));
                const auto row = memory.accumulators.row(first + (transposed ? j : i));
                row[static_cast<std::size_t>(transposed ? i : j)] = from_double(sums, x.back());
            }
        }
        memory.run({{VectorTile::Place::accumulators, first, rows, cols, 0, sums, transposed},
                    {},
                    tile(target_at, rows, cols, pitch, Format::fp32)});
        for (std::int64_t i = 0; i < rows; ++i) {
            for (std::int64_t j = 0; j < cols; ++j) {
                ASSERT_EQ(memory.get(target_at, Format::fp32, i * pitch + j), to_fp32(x[at(i, j)]));
            }
        }
    });
}

TEST_F(RandomTile, NothingButTheTargetIsWritten) {
    for_each_seed([&] {
        const Format out = any_format();
        fill(source_at, rows, pitch, Format::fp32);
        const auto bytes = memory.scratchpad.bytes(0, VectorMemory::size);
        const std::vector<std::byte> before(bytes.begin(), bytes.end());
        memory.run({tile(source_at, rows, cols, pitch, Format::fp32),
                    {},
                    tile(target_at, rows, cols, pitch, out)});
        const auto element = numerics::bytes_of(out);
        for (std::int64_t at = 0; at < VectorMemory::size; ++at) {
            const auto offset = at - target_at;
            const bool inside =
                offset >= 0 && offset < rows * pitch * element && offset / element % pitch < cols;
            if (!inside) {
                ASSERT_EQ(bytes[static_cast<std::size_t>(at)], before[static_cast<std::size_t>(at)])
                    << at;
            }
        }
    });
}

TEST_F(RandomTile, ATileMayBeWorkedOnInPlace) {
    for_each_seed([&] {
        const Format format = any_format();
        const auto x = fill(source_at, rows, pitch, format);
        const auto place = tile(source_at, rows, cols, pitch, format);
        memory.run({place, {{VectorOp::relu}}, place});
        for (std::int64_t i = 0; i < rows; ++i) {
            for (std::int64_t j = 0; j < cols; ++j) {
                ASSERT_EQ(memory.get(source_at, format, i * pitch + j),
                          in_format(format, to_fp32(std::max(x[at(i, j)], 0.0))));
            }
        }
    });
}

TEST_F(RandomTile, SoftmaxSumsTheColumnsInOrder) {
    for_each_seed([&] {
        const auto x = fill(source_at, rows, pitch, Format::fp32);
        memory.run({tile(source_at, rows, cols, pitch, Format::fp32),
                    {{VectorOp::softmax}},
                    tile(target_at, rows, cols, pitch, Format::fp32)});
        for (std::int64_t i = 0; i < rows; ++i) {
            double greatest = x[at(i, 0)];
            for (std::int64_t j = 1; j < cols; ++j) {
                greatest = std::max(greatest, x[at(i, j)]);
            }
            const auto power = [&](std::int64_t j) {
                return to_fp32(std::exp(to_fp32(x[at(i, j)] - greatest)));
            };
            double sum = 0;
            for (std::int64_t j = 0; j < cols; ++j) {
                sum = to_fp32(sum + power(j));
            }
            for (std::int64_t j = 0; j < cols; ++j) {
                ASSERT_EQ(memory.get(target_at, Format::fp32, i * pitch + j),
                          to_fp32(power(j) / sum));
            }
        }
    });
}

TEST(VectorValues, SoftmaxOfEqualNumbersIsEvenAndLargeOnesDoNotOverflow) {
    EXPECT_EQ(through({1e30, 1e30, 1e30, 1e30}, {{VectorOp::softmax}}),
              (std::vector<double>{0.25, 0.25, 0.25, 0.25}));
    EXPECT_EQ(through({-1e30, 1e30}, {{VectorOp::softmax}}), (std::vector<double>{0, 1}));
    EXPECT_EQ(through({-7}, {{VectorOp::softmax}}), (std::vector<double>{1}));
}

TEST(VectorValues, QuantizeRoundsToEvenAndSaturates) {
    EXPECT_EQ(
        through({1, 3, 5, -1, -3, 254, 256, 1e9, -1e9}, {{VectorOp::quantize, 0.5}}, Format::int8),
        (std::vector<double>{0, 2, 2, 0, -2, 127, 127, 127, -128}));
    EXPECT_EQ(through({std::numeric_limits<double>::quiet_NaN()}, {{VectorOp::quantize, 0.5}},
                      Format::int8),
              (std::vector<double>{0}));
    // Floating formats too; without it they overflow to infinity.
    constexpr double inf = std::numeric_limits<double>::infinity();
    EXPECT_EQ(through({1e6, -1e6, 3}, {{VectorOp::quantize, 1}}, Format::fp16),
              (std::vector<double>{65504, -65504, 3}));
    EXPECT_EQ(through({1e6, -1e6, 3}, {{VectorOp::scale, 1}}, Format::fp16),
              (std::vector<double>{inf, -inf, 3}));
}

TEST(VectorValues, AProductIsRoundedToFp32BeforeItIsQuantized) {
    // The product is above 0.5 by less than half a last place of fp32: a tie, to the even 0.
    const double x = 0.5 * (1 + 0x1p-23);
    const double parameter = 1 - 0x1p-24;
    EXPECT_GT(x * parameter, 0.5);
    EXPECT_EQ(through({x, 2 * x}, {{VectorOp::quantize, parameter}}, Format::int8),
              (std::vector<double>{0, 1}));
}

TEST(VectorValues, AParameterIsAnFp32) {
    EXPECT_EQ(through({3}, {{VectorOp::scale, 0.1}}),
              (std::vector<double>{to_fp32(3 * static_cast<double>(0.1F))}));
}

TEST(VectorValues, EachFunctionIsTheOneOfItsName) {
    const auto only = [](VectorOp op, double x) { return through({x}, {{op}})[0]; };
    EXPECT_EQ(only(VectorOp::relu6, 7.5), 6);
    EXPECT_EQ(only(VectorOp::relu6, -7.5), 0);
    EXPECT_EQ(only(VectorOp::sigmoid, 1), to_fp32(1 / (1 + std::exp(-1.0))));
    EXPECT_EQ(only(VectorOp::tanh, 1), to_fp32(std::tanh(1.0)));
    EXPECT_EQ(only(VectorOp::gelu, 1), to_fp32(0.5 * (1 + std::erf(std::sqrt(0.5)))));
    EXPECT_EQ(only(VectorOp::silu, 2), to_fp32(2 / (1 + std::exp(-2.0))));
}

TEST(VectorValues, ProgramsThatMakeNoSenseAreDefects) {
    VectorMemory memory{1};
    const auto place = tile(source_at, 2, 2, 2, Format::fp32);
    const ConvView view;
    EXPECT_THROW(memory.run({place, {{VectorOp::relu}, {VectorOp::max_pool}}, place}, &view),
                 InternalError);
    EXPECT_THROW(memory.run({place, {{VectorOp::quantize}, {VectorOp::relu}}, place}),
                 InternalError);
    EXPECT_THROW(memory.run({tile(source_at, 1, 2, 2, Format::fp32), {}, place}), InternalError);
    auto sums = place;
    sums.place = VectorTile::Place::accumulators;
    EXPECT_THROW(memory.run({place, {}, sums}), InternalError);
    EXPECT_THROW(memory.run({place, {}, tile(VectorMemory::size - 8, 2, 2, 2, Format::fp32)}),
                 InternalError);
}

}  // namespace
}  // namespace systole::models
