#include "models/matrix_unit/tile_values.hpp"

#include "models/matrix_unit/pe_kernel.hpp"
#include "models/matrix_unit/sums.hpp"
#include "models/sram/sram.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>

namespace systole::models {
namespace {

template <class Element>
void write(std::span<const Sum<Element>> sums, std::int64_t row, bool accumulate,
           const SumRange& range, Accumulators& accumulators) {
    const auto cells = accumulators.row(row);
    for (std::size_t j = 0; j < sums.size(); ++j) {
        cells[j] = arrived(cells[j], sums[j], accumulate, range);
    }
}

template <class Element>
void multiply(const OperandReader& west, const std::vector<Element>& north, std::int64_t cols,
              const PeDesign& design, const AccumulatorTile& tile, bool accumulate,
              Accumulators& accumulators) {
    std::vector<Element> activations(static_cast<std::size_t>(west.depth()));
    std::vector<Sum<Element>> sums(static_cast<std::size_t>(cols));
    for (std::int64_t i = 0; i < west.rows(); ++i) {
        west.row(i, std::span{activations});
        std::ranges::fill(sums, Sum<Element>{});
        run(SumChain<Element>{.sums = sums.data(),
                              .west = activations.data(),
                              .north = north.data(),
                              .range = pe_sums(design),
                              .depth = west.depth(),
                              .cols = cols});
        write<Element>(sums, tile.row + i, accumulate, accumulator_sums(design), accumulators);
    }
}

}  // namespace

StationaryValues read_stationary(const OperandReader& north, Format format) {
    StationaryValues values{.depth = north.depth(), .cols = north.rows(), .elements = {}};
    with_element(format, [&](auto zero) {
        using Element = decltype(zero);
        const auto cols = static_cast<std::size_t>(values.cols);
        std::vector<Element> elements(static_cast<std::size_t>(values.depth) * cols);
        for (std::int64_t k = 0; k < values.depth; ++k) {
            north.column(k, std::span{elements}.subspan(static_cast<std::size_t>(k) * cols, cols));
        }
        values.elements = std::move(elements);
    });
    return values;
}

void multiply_stationary(const OperandReader& west, const StationaryValues& north,
                         const PeDesign& design, const AccumulatorTile& sums, bool accumulate,
                         Accumulators& accumulators) {
    std::visit(
        [&](const auto& elements) {
            multiply(west, elements, north.cols, design, sums, accumulate, accumulators);
        },
        north.elements);
}

void multiply_moving(const OperandReader& west, const OperandReader& north, Format format,
                     const PeDesign& design, const AccumulatorTile& sums, bool accumulate,
                     ChainStart start, Accumulators& accumulators) {
    with_element(format, [&](auto zero) {
        using Element = decltype(zero);
        const auto rows = static_cast<std::size_t>(west.rows());
        const auto cols = static_cast<std::size_t>(north.rows());
        const bool from_held = accumulate && start == ChainStart::held;
        std::vector<Sum<Element>> chains(rows * cols);
        if (from_held) {
            for (std::size_t i = 0; i < rows; ++i) {
                const auto cells = accumulators.row(sums.row + static_cast<std::int64_t>(i));
                for (std::size_t j = 0; j < cols; ++j) {
                    chains[i * cols + j] = std::bit_cast<Sum<Element>>(cells[j]);
                }
            }
        }
        std::vector<Element> a(rows);
        std::vector<Element> b(cols);
        for (std::int64_t k = 0; k < west.depth(); ++k) {
            west.column(k, std::span{a});
            north.column(k, std::span{b});
            for (std::size_t i = 0; i < rows; ++i) {
                run(SumChain<Element>{.sums = chains.data() + i * cols,
                                      .west = &a[i],
                                      .north = b.data(),
                                      .range = pe_sums(design),
                                      .depth = 1,
                                      .cols = north.rows()});
            }
        }
        for (std::size_t i = 0; i < rows; ++i) {
            write<Element>(std::span{chains}.subspan(i * cols, cols),
                           sums.row + static_cast<std::int64_t>(i), accumulate && !from_held,
                           accumulator_sums(design), accumulators);
        }
    });
}

}  // namespace systole::models
