#pragma once

#include <cstdint>

namespace systole::models {

/// What PEs add products of `Element` in: int8 → 32 bits that wrap, floating formats → fp32.
template <class Element>
struct SumOf {
    using type = float;
};
template <>
struct SumOf<std::int8_t> {
    using type = std::uint32_t;
};
template <class Element>
using Sum = typename SumOf<Element>::type;

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
    std::int64_t rows = 0;
    std::int64_t cols = 0;
};
void run(const MultiplyAccumulate<std::int8_t>& step);
void run(const MultiplyAccumulate<float>& step);

/// sums[j] += west[k] · north[k][j] for k = 0, 1, … in this order.
template <class Element>
struct SumChain {
    Sum<Element>* sums = nullptr;
    const Element* west = nullptr;
    const Element* north = nullptr;
    std::int64_t depth = 0;
    std::int64_t cols = 0;
};
void run(const SumChain<std::int8_t>& chain);
void run(const SumChain<float>& chain);

}  // namespace systole::models
