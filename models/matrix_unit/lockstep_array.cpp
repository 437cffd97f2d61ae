#include "models/matrix_unit/lockstep_array.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

namespace systole::models {
namespace {

bool same(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

/// All digits of an integer sum, and as many as tell one fp32 number from another.
std::string written(double value) {
    const bool whole = std::nearbyint(value) == value && std::abs(value) < 1e10;
    return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.9g}", value);
}

}  // namespace

LockstepArray::LockstepArray(std::unique_ptr<PeArray> tried, std::unique_ptr<PeArray> model,
                             std::int64_t rows, std::int64_t cols)
    : tried_{std::move(tried)},
      model_{std::move(model)},
      rows_{rows},
      cols_{cols} {}

void LockstepArray::preload(const PePreload& preload) {
    tried_->preload(preload);
    model_->preload(preload);
}

void LockstepArray::swap(ArrayExtent extent) {
    tried_->swap(extent);
    model_->swap(extent);
}

void LockstepArray::enter(const OperandReader* west, std::int64_t row) {
    tried_->enter(west, row);
    model_->enter(west, row);
}

void LockstepArray::enter_step(const OperandReader* west, const OperandReader* north,
                               std::int64_t k) {
    tried_->enter_step(west, north, k);
    model_->enter_step(west, north, k);
}

void LockstepArray::clear(ArrayExtent extent) {
    tried_->clear(extent);
    model_->clear(extent);
}

void LockstepArray::clock() {
    model_->clock();
    tried_->clock();
    compare();
}

void LockstepArray::stall() {
    model_->stall();
    tried_->stall();
    compare();
}

void LockstepArray::compare() const {
    const auto hold = [](std::int64_t r, std::int64_t c, const char* signal, double got,
                         double expected) {
        if (!same(got, expected)) {
            throw ArrayDifference{fmt::format("PE ({}, {}): {} is {}, expected {}", r, c, signal,
                                              written(got), written(expected))};
        }
    };
    for (std::int64_t r = 0; r < rows_; ++r) {
        for (std::int64_t c = 0; c < cols_; ++c) {
            hold(r, c, "act_out", tried_->activation(r, c), model_->activation(r, c));
            hold(r, c, "psum_out", tried_->sum(r, c), model_->sum(r, c));
        }
    }
}

void LockstepArray::collect(std::int64_t r, std::int64_t c, bool accumulate,
                            std::uint32_t& cell) const {
    tried_->collect(r, c, accumulate, cell);
}

double LockstepArray::activation(std::int64_t r, std::int64_t c) const {
    return tried_->activation(r, c);
}

double LockstepArray::weight(std::int64_t r, std::int64_t c) const {
    return model_->weight(r, c);
}

double LockstepArray::sum(std::int64_t r, std::int64_t c) const {
    return tried_->sum(r, c);
}

bool LockstepArray::swaps(std::int64_t r, std::int64_t c) const {
    return model_->swaps(r, c);
}

}  // namespace systole::models
