#include "models/vector_unit/pool.hpp"

#include "tests/models/vector_unit/vector_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace systole::models {
namespace {

using test::to_fp32;
using test::VectorMemory;

/// A whole NHWC tensor, of which a panel and a slice of the channels are pooled.
class RandomPool : public testing::Test {
protected:
    static constexpr std::int64_t source_at = 0x20;
    static constexpr std::int64_t target_at = 0x8000;

    template <class Check>
    void for_each_seed(Check check_one) {
        for (unsigned seed = 0; seed < 200 && !HasFatalFailure(); ++seed) {
            SCOPED_TRACE(testing::Message() << "seed " << seed);
            draw(seed);
            check_one();
        }
    }

    void draw(unsigned seed) {
        memory = VectorMemory{seed};
        format = test::all_formats()[seed % test::all_formats().size()];
        view.batch = memory.pick(1, 2);
        view.height = memory.pick(1, 7);
        view.width = memory.pick(1, 7);
        view.channels = memory.pick(1, 6);
        set_axis(view.height, view.kernel_height, view.stride_height, view.dilation_height,
                 view.pad_top, view.out_height);
        set_axis(view.width, view.kernel_width, view.stride_width, view.dilation_width,
                 view.pad_left, view.out_width);
        image.clear();
        for (std::int64_t i = 0; i < view.batch * view.height * view.width * view.channels; ++i) {
            image.push_back(memory.draw(format));
        }
    }

    /// A window that always covers a pixel: padding stays below the kernel's reach, so that the
    /// first and the last window have a tap inside; outputs end before windows leave the image.
    void set_axis(std::int64_t size, std::int64_t& kernel, std::int64_t& stride,
                  std::int64_t& dilation, std::int64_t& pad, std::int64_t& out) {
        kernel = memory.pick(1, size);
        dilation =
            kernel > 1 && memory.pick(0, 2) == 0 ? memory.pick(1, (size - 1) / (kernel - 1)) : 1;
        stride = memory.pick(1, 3);
        pad = dilation == 1 ? memory.pick(0, kernel - 1) : 0;
        const auto reach = (kernel - 1) * dilation + 1;
        out = (size + 2 * pad - reach) / stride + 1;
    }

    /// The pixel (n, h, w) where it is in the image.
    [[nodiscard]] std::optional<double> pixel(std::int64_t n, std::int64_t h, std::int64_t w,
                                              std::int64_t c) const {
        if (h < 0 || h >= view.height || w < 0 || w >= view.width) {
            return std::nullopt;
        }
        return image[static_cast<std::size_t>(
            ((n * view.height + h) * view.width + w) * view.channels + c)];
    }

    /// All numbers of a window in the order of its taps, nothing for padding.
    [[nodiscard]] std::vector<std::optional<double>> window(std::int64_t m, std::int64_t c) const {
        std::vector<std::optional<double>> taps;
        const auto ow = m % view.out_width;
        const auto oh = (m / view.out_width) % view.out_height;
        const auto n = m / (view.out_width * view.out_height);
        for (std::int64_t y = 0; y < view.kernel_height; ++y) {
            for (std::int64_t x = 0; x < view.kernel_width; ++x) {
                taps.push_back(
                    pixel(n, oh * view.stride_height + y * view.dilation_height - view.pad_top,
                          ow * view.stride_width + x * view.dilation_width - view.pad_left, c));
            }
        }
        return taps;
    }

    /// The input rows that the outputs [first, first + count) need, put into the scratchpad, and
    /// the instruction that pools them.
    Vector pooling(VectorOp op, std::int64_t first, std::int64_t count, std::int64_t channel,
                   std::int64_t channels) {
        const auto input_row = [&](std::int64_t m, bool last) {
            const auto oh = m / view.out_width % view.out_height;
            const auto n = m / view.out_width / view.out_height;
            const auto tap = last ? (view.kernel_height - 1) * view.dilation_height : 0;
            const auto h = oh * view.stride_height - view.pad_top + tap;
            return n * view.height + std::clamp<std::int64_t>(h, 0, view.height - 1);
        };
        const auto top = input_row(first, false);
        const auto rows = input_row(first + count - 1, true) - top + 1;
        const auto pixels = rows * view.width;
        for (std::int64_t e = 0; e < pixels * view.channels; ++e) {
            memory.put(source_at, format, e,
                       image[static_cast<std::size_t>(top * view.width * view.channels + e)]);
        }
        Vector vector;
        vector.source = {VectorTile::Place::scratchpad,
                         source_at,
                         pixels,
                         channels,
                         view.channels,
                         format,
                         false};
        vector.steps = {{op}};
        vector.target = {VectorTile::Place::scratchpad,
                         target_at,
                         count,
                         channels,
                         channels,
                         Format::fp32,
                         false};
        vector.pool_panel_first = top;
        vector.pool_first = first;
        vector.pool_channel_first = channel;
        return vector;
    }

    /// Pools a random run of outputs and channels; `expected` makes a number of a window.
    template <class Expected>
    void check(VectorOp op, bool count_padding, Expected expected) {
        const auto first = memory.pick(0, view.rows() - 1);
        const auto count = memory.pick(1, view.rows() - first);
        const auto channel = memory.pick(0, view.channels - 1);
        const auto channels = memory.pick(1, view.channels - channel);
        auto vector = pooling(op, first, count, channel, channels);
        vector.count_padding = count_padding;
        memory.run(vector, &view);
        for (std::int64_t i = 0; i < count; ++i) {
            for (std::int64_t c = 0; c < channels; ++c) {
                ASSERT_EQ(memory.get(target_at, Format::fp32, i * channels + c),
                          expected(window(first + i, channel + c)))
                    << "output " << first + i << " channel " << channel + c;
            }
        }
    }

    VectorMemory memory{0};
    Format format{};
    ConvView view;
    std::vector<double> image;
};

TEST_F(RandomPool, PaddingNeverWinsAMaximum) {
    for_each_seed([&] {
        for (auto& value : image) {
            value = -std::abs(value);  // a zero of the padding would be above all of these
        }
        check(VectorOp::max_pool, false, [](const auto& taps) {
            double greatest = -std::numeric_limits<double>::infinity();
            for (const auto& tap : taps) {
                greatest = std::max(greatest, tap.value_or(greatest));
            }
            return to_fp32(greatest);
        });
    });
}

TEST_F(RandomPool, AnAverageIsOverTheTapsInsideTheImage) {
    for_each_seed([&] {
        check(VectorOp::average_pool, false, [](const auto& taps) {
            double sum = 0;
            int inside = 0;
            for (const auto& tap : taps) {
                sum = to_fp32(sum + to_fp32(tap.value_or(0)));
                inside += tap ? 1 : 0;
            }
            return to_fp32(sum / inside);
        });
    });
}

TEST_F(RandomPool, AnAverageMayCountThePadding) {
    for_each_seed([&] {
        check(VectorOp::average_pool, true, [](const auto& taps) {
            double sum = 0;
            for (const auto& tap : taps) {
                sum = to_fp32(sum + to_fp32(tap.value_or(0)));
            }
            return to_fp32(sum / static_cast<double>(taps.size()));
        });
    });
}

TEST(Pool, AWindowOutsideOfItsPanelIsADefect) {
    VectorMemory memory{1};
    ConvView view;
    view.height = view.width = 4;
    view.kernel_height = view.kernel_width = 2;
    view.out_height = view.out_width = 3;
    Vector vector;
    vector.source = {VectorTile::Place::scratchpad, 0, 8, 1, 1, Format::fp32, false};
    vector.steps = {{VectorOp::max_pool}};
    vector.target = {VectorTile::Place::scratchpad, 256, 3, 1, 1, Format::fp32, false};
    EXPECT_NO_THROW(memory.run(vector, &view));  // two rows of the image, one of the outputs
    vector.target.rows = 4;
    EXPECT_THROW(memory.run(vector, &view), InternalError);
}

}  // namespace
}  // namespace systole::models
