#pragma once

#include "models/matrix_unit/pe_design.hpp"
#include "models/numerics/format.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace systole {

/// What the edges of an array do in one cycle. No vectors: zeros.
struct Stimulus {
    bool reset = false;
    bool enable = true;
    bool valid = false;
    bool swap = false;
    bool shift = false;
    bool first = false;
    std::vector<std::uint32_t> activations{};
    std::vector<std::uint32_t> weights{};
    std::vector<std::uint32_t> sums{};
};

/// Random work for an array of PEs, in numbers among which extremes are frequent.
class PeStimuli {
public:
    PeStimuli(numerics::Format format, const models::PeDesign& design, std::size_t rows,
              std::size_t cols, std::uint64_t seed);

    /// Tiles one behind the other, as the matrix unit sends them.
    [[nodiscard]] std::vector<Stimulus> tiles(bool shadow);
    /// Anything, at any time; only that what is not valid is zero.
    [[nodiscard]] std::vector<Stimulus> random_work(std::int64_t cycles);

private:
    bool chance(unsigned percent) { return random_() % 100 < percent; }
    std::uint32_t operand();
    std::uint32_t float_number(numerics::Format format);
    std::uint32_t sum();
    std::vector<std::uint32_t> operands(std::size_t count);
    std::vector<std::uint32_t> sums();

    numerics::Format format_;
    std::int64_t sum_bits_;
    std::size_t rows_;
    std::size_t cols_;
    std::mt19937_64 random_;
};

}  // namespace systole
