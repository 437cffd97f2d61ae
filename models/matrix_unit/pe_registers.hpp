#pragma once

#include "models/matrix_unit/pe_array.hpp"
#include "models/matrix_unit/pe_kernel.hpp"

#include <cstddef>
#include <vector>

namespace systole::models {

/// The registers as plain arrays, one per kind. Shifts move a pointer where all registers of a kind
/// move together: an activation window slides over each row, and rows of sums rotate.
template <class Element>
class PeRegisters final : public PeArray {
public:
    explicit PeRegisters(const PeArrayShape& shape);

    void preload(const PePreload& preload) override;
    void swap(ArrayExtent extent) override;
    void enter(const OperandReader* west, std::int64_t row) override;
    void enter_step(const OperandReader* west, const OperandReader* north, std::int64_t k) override;
    void clear(ArrayExtent extent) override;
    void clock() override;
    [[nodiscard]] bool shifting() const override { return !incoming_.empty(); }
    void collect(std::int64_t r, std::int64_t c, bool accumulate,
                 std::uint32_t& cell) const override;
    [[nodiscard]] double activation(std::int64_t r, std::int64_t c) const override;
    [[nodiscard]] double weight(std::int64_t r, std::int64_t c) const override;
    [[nodiscard]] double sum(std::int64_t r, std::int64_t c) const override;
    [[nodiscard]] bool swaps(std::int64_t r, std::int64_t c) const override;

private:
    /// Something that reaches PE (r, c) `r + c` clocks after its age was 0.
    struct Wave {
        ArrayExtent extent;
        std::int64_t age = 0;
        [[nodiscard]] bool gone() const { return age > extent.rows + extent.cols - 2; }
    };
    struct Incoming {
        PePreload preload;
        std::vector<Element> fetched;  ///< the skew registers of the north edge, row by row
        std::int64_t age = 0;
    };

    void slide_activations();
    void slide_north();
    void slide_sums();
    void move_waves();
    void multiply_accumulate();
    void fetch(Incoming& incoming);
    void shift(const Incoming& incoming);
    void shift_column(const Incoming& incoming, std::int64_t c, std::int64_t row);
    [[nodiscard]] std::size_t sum_at(std::int64_t r, std::int64_t c) const;
    [[nodiscard]] std::size_t weight_at(std::int64_t r, std::int64_t c) const;

    std::int64_t rows_;
    std::int64_t cols_;
    PeForm form_;

    std::int64_t window_;    ///< length of a row of activations_
    std::int64_t position_;  ///< of column 0; entries that are still in the skew lie before it
    std::vector<Element> activations_;
    std::vector<Element> west_edge_;

    std::vector<Element> weights_;  ///< stationary; output_stationary: moving down
    std::int64_t weight_rows_;      ///< with those still in the skew of the north edge
    std::int64_t first_weight_row_ = 0;
    std::vector<Element> shadow_;
    std::vector<Element> north_edge_;
    std::vector<Incoming> incoming_;
    std::vector<Wave> waves_;

    PeDesign design_;
    /// Products on their way to the sums, a stage for each cycle of latency beyond the first; the
    /// one that `stage_` names is the oldest.
    std::vector<std::vector<Product<Element>>> products_;
    std::size_t stage_ = 0;
    std::vector<Sum<Element>> sums_;
    std::int64_t first_sum_row_ = 0;
};

}  // namespace systole::models
