#pragma once

#include "models/matrix_unit/pe_design.hpp"

#include <cstdint>

namespace systole::models {

/// What PEs multiply to and add in: 16 and 32 bits for int8, fp32 for floating formats.
template <class Element>
struct ArithmeticOf {
    using Product = float;
    using Sum = float;
};
template <>
struct ArithmeticOf<std::int8_t> {
    using Product = std::int16_t;
    using Sum = std::uint32_t;
};
template <class Element>
using Product = typename ArithmeticOf<Element>::Product;
template <class Element>
using Sum = typename ArithmeticOf<Element>::Sum;

/// The registers of one kind in all PEs: row r of the array is row (first + r) mod `count` of the
/// store, so that a shift by a row of the array moves no data.
template <class T>
struct RegisterRows {
    T* store = nullptr;
    std::int64_t pitch = 0;
    std::int64_t first = 0;
    std::int64_t count = 1;
};

/// One clock of all PEs: sum(r, c) += activation(r, c) · weight(r, c), where the product is rounded
/// before the sum.
template <class Element>
struct MultiplyAccumulate {
    RegisterRows<Sum<Element>> sums;
    RegisterRows<const Element> activations;
    RegisterRows<const Element> weights;
    SumRange range;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
};
void run(const MultiplyAccumulate<std::int8_t>& step);
void run(const MultiplyAccumulate<float>& step);

/// The same in two parts: product(r, c) = activation(r, c) · weight(r, c), in rows of `cols`, …
template <class Element>
struct Multiply {
    Product<Element>* products = nullptr;
    RegisterRows<const Element> activations;
    RegisterRows<const Element> weights;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
};
void run(const Multiply<std::int8_t>& step);
void run(const Multiply<float>& step);

/// … and sum(r, c) += product(r, c).
template <class Element>
struct AddProducts {
    RegisterRows<Sum<Element>> sums;
    const Product<Element>* products = nullptr;
    SumRange range;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
};
void run(const AddProducts<std::int8_t>& step);
void run(const AddProducts<float>& step);

/// sums[j] += west[k] · north[k][j] for k = 0, 1, … in this order.
template <class Element>
struct SumChain {
    Sum<Element>* sums = nullptr;
    const Element* west = nullptr;
    const Element* north = nullptr;
    SumRange range;
    std::int64_t depth = 0;
    std::int64_t cols = 0;
};
void run(const SumChain<std::int8_t>& chain);
void run(const SumChain<float>& chain);

}  // namespace systole::models
