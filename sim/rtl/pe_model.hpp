#pragma once

#include "models/matrix_unit/array_library.h"
#include "models/matrix_unit/pe_design.hpp"
#include "models/numerics/format.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace systole {

/// What goes into a PE in one clock.
struct PeInputs {
    std::uint32_t act = 0;
    bool valid = false;
    bool swap = false;
    bool shift = false;
    std::uint32_t wgt = 0;
    std::uint32_t psum = 0;
};

/// The contract of a PE as a program: rtl/README.md in other words.
class PeModel {
public:
    PeModel(numerics::Format format, bool shadow, const models::PeDesign& design);

    void reset();
    /// A clock with `en` high.
    void clock(const PeInputs& inputs);
    [[nodiscard]] const SystolePeOutputs& outputs() const { return outputs_; }
    /// In the last clock.
    [[nodiscard]] std::uint32_t weight() const { return active_; }

private:
    struct Factors {
        std::uint32_t act = 0;
        std::uint32_t wgt = 0;
    };
    [[nodiscard]] std::uint32_t add_product(std::uint32_t sum, const Factors& factors) const;

    numerics::Format format_;
    bool shadow_;
    models::PeDesign design_;
    std::uint32_t active_ = 0;
    std::deque<Factors> staged_;  ///< those whose product is on its way, the oldest first
    SystolePeOutputs outputs_{};
};

/// rows × cols of them, with the skew at the edges.
class PeGridModel {
public:
    PeGridModel(numerics::Format format, bool shadow, const models::PeDesign& design,
                std::size_t rows, std::size_t cols);

    void reset();
    void clock(const SystoleArrayEdges& edges);
    [[nodiscard]] const SystolePeOutputs& outputs(std::size_t r, std::size_t c) const {
        return pes_[r * cols_ + c].outputs();
    }
    /// The weight that PE (r, c) has used in the last clock.
    [[nodiscard]] std::uint32_t weight(std::size_t r, std::size_t c) const {
        return pes_[r * cols_ + c].weight();
    }
    /// What went into PE (r, c) in the last clock.
    [[nodiscard]] const PeInputs& inputs(std::size_t r, std::size_t c) const {
        return inputs_[r * cols_ + c];
    }

private:
    /// A row of the edges as it was driven, newest first.
    struct Driven {
        std::vector<std::uint32_t> activations;
        std::vector<std::uint32_t> weights;
        bool valid = false;
        bool swap = false;
    };

    std::size_t rows_;
    std::size_t cols_;
    std::vector<PeModel> pes_;
    std::vector<PeInputs> inputs_;
    std::deque<Driven> driven_;
    std::size_t rows_reached_ = 0;  ///< by the tile that shifts in
};

}  // namespace systole
