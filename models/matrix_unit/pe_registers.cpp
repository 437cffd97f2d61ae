#include "models/matrix_unit/pe_registers.hpp"

#include "models/matrix_unit/sums.hpp"

#include <algorithm>
#include <span>
#include <type_traits>

namespace systole::models {
namespace {

std::size_t product(std::int64_t a, std::int64_t b) {
    return static_cast<std::size_t>(checked_multiply(a, b));
}

}  // namespace

template <class Element>
PeRegisters<Element>::PeRegisters(const PeArrayShape& shape)
    : rows_{shape.rows},
      cols_{shape.cols},
      form_{shape.form},
      // As long again as what is alive, so that it seldom has to be moved back.
      window_{2 * (rows_ + cols_)},
      position_{window_ - cols_},
      activations_(product(rows_, window_)),
      west_edge_(static_cast<std::size_t>(rows_)),
      weight_rows_{form_ == PeForm::stationary_sums ? rows_ + cols_ : rows_},
      north_edge_(static_cast<std::size_t>(cols_)),
      design_{shape.design},
      sums_(product(rows_, cols_)) {
    weights_.resize(product(weight_rows_, cols_));
    shadow_.resize(form_ == PeForm::two_buffers ? product(rows_, cols_) : 0);
    products_.resize(static_cast<std::size_t>(design_.latency - 1),
                     std::vector<Product<Element>>(product(rows_, cols_)));
}

template <class Element>
void PeRegisters<Element>::preload(const PePreload& preload) {
    incoming_.push_back(
        {.preload = preload,
         .fetched = std::vector<Element>(product(preload.extent.rows, preload.extent.cols))});
}

template <class Element>
void PeRegisters<Element>::swap(ArrayExtent extent) {
    if (form_ == PeForm::two_buffers) {
        waves_.push_back({.extent = extent});
    }
}

template <class Element>
void PeRegisters<Element>::clear(ArrayExtent extent) {
    // Not before the last product of the sum that is there.
    waves_.push_back({.extent = extent, .age = 1 - design_.latency});
}

template <class Element>
void PeRegisters<Element>::enter(const OperandReader* west, std::int64_t row) {
    if (west != nullptr) {
        west->row(row, std::span{west_edge_}.first(static_cast<std::size_t>(west->depth())));
    }
}

template <class Element>
void PeRegisters<Element>::enter_step(const OperandReader* west, const OperandReader* north,
                                      std::int64_t k) {
    if (west != nullptr) {
        west->column(k, std::span{west_edge_}.first(static_cast<std::size_t>(west->rows())));
    }
    if (north != nullptr) {
        north->column(k, std::span{north_edge_}.first(static_cast<std::size_t>(north->rows())));
    }
}

template <class Element>
void PeRegisters<Element>::clock() {
    slide_activations();
    if (form_ == PeForm::stationary_sums) {
        slide_north();
    } else {
        slide_sums();
    }
    move_waves();
    multiply_accumulate();
    for (Incoming& incoming : incoming_) {
        fetch(incoming);
        shift(incoming);
        ++incoming.age;
    }
    std::erase_if(incoming_, [](const Incoming& incoming) {
        const PePreload& p = incoming.preload;
        return incoming.age >= p.extent.rows * p.beats + p.extent.cols - 1;
    });
}

template <class Element>
void PeRegisters<Element>::multiply_accumulate() {
    const RegisterRows<Sum<Element>> sums{
        .store = sums_.data(), .pitch = cols_, .first = first_sum_row_, .count = rows_};
    const RegisterRows<const Element> activations{
        .store = activations_.data() + position_, .pitch = window_, .first = 0, .count = rows_};
    const RegisterRows<const Element> weights{.store = weights_.data(),
                                              .pitch = cols_,
                                              .first = first_weight_row_,
                                              .count = weight_rows_};
    const SumRange range = pe_sums(design_);
    if (products_.empty()) {
        run(MultiplyAccumulate<Element>{sums, activations, weights, range, rows_, cols_});
        return;
    }
    Product<Element>* stage = products_[stage_].data();
    run(AddProducts<Element>{sums, stage, range, rows_, cols_});
    run(Multiply<Element>{stage, activations, weights, rows_, cols_});
    stage_ = (stage_ + 1) % products_.size();
}

/// The window moves left by one; an element for row r is written r places further left, where the
/// window of that row will be r clocks later.
template <class Element>
void PeRegisters<Element>::slide_activations() {
    if (position_ < rows_) {
        const std::int64_t alive = rows_ - 1 + cols_ - 1;
        const std::int64_t from = position_ - (rows_ - 1);
        const std::int64_t to = window_ - alive - 1;
        for (std::int64_t r = 0; r < rows_; ++r) {
            Element* row = activations_.data() + r * window_;
            std::copy_backward(row + from, row + from + alive, row + to + alive);
        }
        position_ += to - from;
    }
    --position_;
    for (std::int64_t r = 0; r < rows_; ++r) {
        activations_[static_cast<std::size_t>(r * window_ + position_ - r)] =
            west_edge_[static_cast<std::size_t>(r)];
    }
    std::ranges::fill(west_edge_, Element{});
}

/// The same for the operand that comes from the north, whose rows rotate.
template <class Element>
void PeRegisters<Element>::slide_north() {
    first_weight_row_ = first_weight_row_ == 0 ? weight_rows_ - 1 : first_weight_row_ - 1;
    std::int64_t row = first_weight_row_;
    for (std::int64_t c = 0; c < cols_; ++c) {
        weights_[static_cast<std::size_t>(row * cols_ + c)] =
            north_edge_[static_cast<std::size_t>(c)];
        row = row == 0 ? weight_rows_ - 1 : row - 1;
    }
    std::ranges::fill(north_edge_, Element{});
}

/// Rows of sums move down with each clock, and start from zero.
template <class Element>
void PeRegisters<Element>::slide_sums() {
    first_sum_row_ = first_sum_row_ == 0 ? rows_ - 1 : first_sum_row_ - 1;
    std::fill_n(sums_.begin() + first_sum_row_ * cols_, cols_, Sum<Element>{});
}

template <class Element>
void PeRegisters<Element>::move_waves() {
    std::erase_if(waves_, [](const Wave& wave) { return wave.gone(); });
    for (Wave& wave : waves_) {
        const std::int64_t from = std::max(std::int64_t{0}, wave.age - (wave.extent.cols - 1));
        const std::int64_t to = std::min(wave.extent.rows - 1, wave.age);
        for (std::int64_t r = from; r <= to; ++r) {
            const std::int64_t c = wave.age - r;
            if (form_ == PeForm::stationary_sums) {
                sums_[sum_at(r, c)] = Sum<Element>{};
            } else {
                weights_[weight_at(r, c)] = shadow_[weight_at(r, c)];
            }
        }
        ++wave.age;
    }
}

/// A row of the tile is complete at the north edge every `beats` clocks.
template <class Element>
void PeRegisters<Element>::fetch(Incoming& incoming) {
    const PePreload& p = incoming.preload;
    if (incoming.age >= p.extent.rows * p.beats || (incoming.age + 1) % p.beats != 0) {
        return;
    }
    const std::int64_t shifted = incoming.age / p.beats;
    const std::int64_t k = p.extent.rows - 1 - shifted;
    if (p.north && k < p.depth) {
        p.north->column(
            k, std::span{incoming.fetched}.subspan(product(shifted, p.extent.cols),
                                                   static_cast<std::size_t>(p.north->rows())));
    }
}

template <class Element>
void PeRegisters<Element>::shift(const Incoming& incoming) {
    const PePreload& p = incoming.preload;
    const std::int64_t age = incoming.age;
    // Columns in which something may move: 0 ≤ age − c < rows · beats.
    const std::int64_t from = std::max(std::int64_t{0}, age - p.extent.rows * p.beats + 1);
    const std::int64_t to = std::min(p.extent.cols - 1, age);
    if (p.beats > 1) {
        for (std::int64_t c = from; c <= to; ++c) {
            if ((age - c + 1) % p.beats == 0) {
                shift_column(incoming, c, (age - c) / p.beats);
            }
        }
        return;
    }
    // Row r moves in the columns c ≤ age − r.
    auto& target = form_ == PeForm::two_buffers ? shadow_ : weights_;
    for (std::int64_t r = std::min(p.extent.rows - 1, age - from); r > 0; --r) {
        const std::int64_t last = std::min(to, age - r);
        const Element* above = target.data() + (r - 1) * cols_;
        std::copy(above + from, above + last + 1, target.data() + r * cols_ + from);
    }
    for (std::int64_t c = from; c <= to; ++c) {
        target[static_cast<std::size_t>(c)] =
            incoming.fetched[product(age - c, p.extent.cols) + static_cast<std::size_t>(c)];
    }
}

/// Row number `row` of those fetched enters column `c`.
template <class Element>
void PeRegisters<Element>::shift_column(const Incoming& incoming, std::int64_t c,
                                        std::int64_t row) {
    auto& target = form_ == PeForm::two_buffers ? shadow_ : weights_;
    for (std::int64_t r = row; r > 0; --r) {
        target[weight_at(r, c)] = target[weight_at(r - 1, c)];
    }
    target[weight_at(0, c)] =
        incoming.fetched[product(row, incoming.preload.extent.cols) + static_cast<std::size_t>(c)];
}

template <class Element>
std::size_t PeRegisters<Element>::sum_at(std::int64_t r, std::int64_t c) const {
    const std::int64_t row = first_sum_row_ + r;
    return static_cast<std::size_t>((row < rows_ ? row : row - rows_) * cols_ + c);
}

template <class Element>
std::size_t PeRegisters<Element>::weight_at(std::int64_t r, std::int64_t c) const {
    const std::int64_t row = first_weight_row_ + r;
    return static_cast<std::size_t>((row < weight_rows_ ? row : row - weight_rows_) * cols_ + c);
}

template <class Element>
void PeRegisters<Element>::collect(std::int64_t r, std::int64_t c, bool accumulate,
                                   std::uint32_t& cell) const {
    cell = arrived(cell, sums_[sum_at(r, c)], accumulate, accumulator_sums(design_));
}

template <class Element>
double PeRegisters<Element>::activation(std::int64_t r, std::int64_t c) const {
    return activations_[static_cast<std::size_t>(r * window_ + position_ + c)];
}

template <class Element>
double PeRegisters<Element>::weight(std::int64_t r, std::int64_t c) const {
    return weights_[weight_at(r, c)];
}

template <class Element>
double PeRegisters<Element>::sum(std::int64_t r, std::int64_t c) const {
    if constexpr (std::is_same_v<Element, std::int8_t>) {
        return static_cast<std::int32_t>(sums_[sum_at(r, c)]);
    } else {
        return sums_[sum_at(r, c)];
    }
}

/// A wave has grown older by one since it was here.
template <class Element>
bool PeRegisters<Element>::swaps(std::int64_t r, std::int64_t c) const {
    return form_ == PeForm::two_buffers && std::ranges::any_of(waves_, [&](const Wave& wave) {
               return wave.age - 1 == r + c && r < wave.extent.rows && c < wave.extent.cols;
           });
}

PeArrayShape shape_of(const SystolicConfig& config, Format format) {
    const PeForm form = config.dataflow == Dataflow::output_stationary ? PeForm::stationary_sums
                        : config.weight_buffers == 2                   ? PeForm::two_buffers
                                                                       : PeForm::one_buffer;
    return {format, config.rows, config.cols, form, design_for(config.pe, format)};
}

Bytes pe_array_bytes(const PeArrayShape& shape) {
    const bool integer = shape.format == Format::int8;
    const std::int64_t around = shape.rows + shape.cols;
    const std::int64_t activations = checked_multiply(shape.rows, 2 * around);
    const std::int64_t pes = checked_multiply(shape.rows, shape.cols);
    const std::int64_t stationary = shape.form == PeForm::two_buffers ? checked_multiply(2, pes)
                                    : shape.form == PeForm::stationary_sums
                                        ? checked_multiply(around, shape.cols)
                                        : pes;
    const std::int64_t operands =
        checked_multiply(integer ? 1 : 4, checked_add(activations, stationary));
    const std::int64_t products =
        checked_multiply(checked_multiply(integer ? 2 : 4, pes), shape.design.latency - 1);
    return Bytes{checked_add(checked_add(operands, products), checked_multiply(4, pes))};
}

std::unique_ptr<PeArray> make_pe_array(const PeArrayShape& shape) {
    if (shape.format == Format::int8) {
        return std::make_unique<PeRegisters<std::int8_t>>(shape);
    }
    return std::make_unique<PeRegisters<float>>(shape);
}

}  // namespace systole::models
