#pragma once

#include "models/matrix_unit/pe_array.hpp"

#include <memory>

namespace systole::models {

/// Two arrays that do the same: after every clock the sum and the activation of each PE of the one
/// are held against those of the other. ArrayDifference tells the first that differs.
class LockstepArray final : public PeArray {
public:
    LockstepArray(std::unique_ptr<PeArray> tried, std::unique_ptr<PeArray> model, std::int64_t rows,
                  std::int64_t cols);

    void preload(const PePreload& preload) override;
    void swap(ArrayExtent extent) override;
    void enter(const OperandReader* west, std::int64_t row) override;
    void enter_step(const OperandReader* west, const OperandReader* north, std::int64_t k) override;
    void clear(ArrayExtent extent) override;
    void at(Cycles cycle) override { tried_->at(cycle); }
    void clock() override;
    void stall() override;
    [[nodiscard]] bool shifting() const override { return model_->shifting(); }
    void collect(std::int64_t r, std::int64_t c, bool accumulate,
                 std::uint32_t& cell) const override;
    [[nodiscard]] double activation(std::int64_t r, std::int64_t c) const override;
    [[nodiscard]] double weight(std::int64_t r, std::int64_t c) const override;
    [[nodiscard]] double sum(std::int64_t r, std::int64_t c) const override;
    [[nodiscard]] bool swaps(std::int64_t r, std::int64_t c) const override;

private:
    void compare() const;

    std::unique_ptr<PeArray> tried_;
    std::unique_ptr<PeArray> model_;
    std::int64_t rows_;
    std::int64_t cols_;
};

}  // namespace systole::models
