#include "sim/workload/window.hpp"

#include <gtest/gtest.h>

#include <random>

namespace systole {
namespace {

std::int64_t pick(std::mt19937_64& random, std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
}

// Slides the window pixel by pixel over the padded image, [−before, size + after).
struct Slid {
    std::int64_t positions = 0;
    bool misses_image = false;
};
Slid slide(const Window& window) {
    Slid slid;
    for (std::int64_t start = -window.before;; start += window.stride) {
        const std::int64_t last = start + (window.kernel - 1) * window.dilation;
        if (last >= window.size + window.after) {
            return slid;
        }
        ++slid.positions;
        slid.misses_image = slid.misses_image || last < 0 || start >= window.size;
    }
}

TEST(Window, CountsThePositionsThatAWalkFinds) {
    std::mt19937_64 random{20'26};
    for (int i = 0; i < 20'000; ++i) {
        const Window window{pick(random, 1, 30), pick(random, 1, 8), pick(random, 1, 9),
                            pick(random, 1, 4),  pick(random, 0, 6), pick(random, 0, 6)};
        SCOPED_TRACE(testing::Message() << "case " << i << " of seed 2026");
        const auto slid = slide(window);
        ASSERT_EQ(window.positions(), slid.positions);
        ASSERT_EQ(window.fits(), slid.positions > 0);
        if (window.fits()) {
            ASSERT_EQ(window.misses_image(), slid.misses_image);
        }
    }
}

// TensorFlow's definition: ⌈size / stride⌉ outputs, as little padding as that takes, behind one
// more than before.
TEST(Window, PadsToTheSameSizeAsTensorFlow) {
    for (std::int64_t size = 1; size <= 17; ++size) {
        for (std::int64_t kernel = 1; kernel <= 5; ++kernel) {
            for (std::int64_t stride = 1; stride <= 6; ++stride) {
                for (std::int64_t dilation = 1; dilation <= 3; ++dilation) {
                    SCOPED_TRACE(testing::Message() << size << ' ' << kernel << ' ' << stride);
                    Window window{size, kernel, stride, dilation};
                    window.pad_to_same();
                    const std::int64_t outputs = (size + stride - 1) / stride;
                    ASSERT_EQ(slide(window).positions, outputs);
                    ASSERT_TRUE(window.after == window.before || window.after == window.before + 1);
                    if (window.after > 0) {
                        Window less = window;
                        --less.after;
                        ASSERT_EQ(slide(less).positions, outputs - 1);
                    }
                }
            }
        }
    }
}

// torch.nn.Conv2d and MaxPool2d on 224 pixels: the first layers of AlexNet and ResNet.
TEST(Window, GivesTheSizesOfKnownNetworks) {
    EXPECT_EQ((Window{224, 11, 4, 1, 2, 2}.positions()), 55);
    EXPECT_EQ((Window{55, 3, 2, 1, 0, 0}.positions()), 27);
    EXPECT_EQ((Window{224, 7, 2, 1, 3, 3}.positions()), 112);
    EXPECT_EQ((Window{112, 3, 2, 1, 1, 1}.positions()), 56);
}

TEST(Window, HoldsNumbersOfTheLargestDimensions) {
    const std::int64_t most = 2'147'483'647;
    const Window window{most, most, 1, most, most, most};
    EXPECT_FALSE(window.fits());
    EXPECT_EQ(window.extent(), (most - 1) * most + 1);
    EXPECT_EQ((Window{most, 1, 1, 1, most, most}.positions()), 3 * most);
}

}  // namespace
}  // namespace systole
