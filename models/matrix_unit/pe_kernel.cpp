#include "models/matrix_unit/pe_kernel.hpp"

#include <type_traits>

// The loops are compiled for several widths of vector registers, and the loader picks; the results
// are the same bits. Sanitizers cannot run code before they are set up, as the picking does.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SYSTOLE_VECTOR_CLONES __attribute__((target_clones("default", "avx2", "arch=x86-64-v4")))
#define SYSTOLE_ALWAYS __attribute__((always_inline))
#define SYSTOLE_INLINE SYSTOLE_ALWAYS inline
#else
#define SYSTOLE_VECTOR_CLONES
#define SYSTOLE_ALWAYS
#define SYSTOLE_INLINE inline
#endif

namespace systole::models {
namespace {

SYSTOLE_INLINE std::int16_t product(std::int8_t a, std::int8_t b) {
    return static_cast<std::int16_t>(a * b);
}
SYSTOLE_INLINE float product(float a, float b) {
    return a * b;
}

/// Sums of 32 bits that wrap, or of fp32.
struct PlainSums {
    static SYSTOLE_INLINE std::uint32_t add(std::uint32_t sum, std::int16_t product) {
        return sum + static_cast<std::uint32_t>(std::int32_t{product});
    }
    static SYSTOLE_INLINE float add(float sum, float product) { return sum + product; }
};

struct RangedSums {
    SumRange range;
    [[nodiscard]] SYSTOLE_INLINE std::uint32_t add(std::uint32_t sum, std::int16_t product) const {
        return range.held(std::int64_t{static_cast<std::int32_t>(sum)} + product);
    }
};

/// Calls `body` with the way in which sums of `Element` add.
template <class Element, class Body>
SYSTOLE_INLINE void with_sums(const SumRange& range, Body body) {
    if constexpr (std::is_same_v<Element, std::int8_t>) {
        if (!range.plain()) {
            body(RangedSums{range});
            return;
        }
    }
    body(PlainSums{});
}

// The compiler vectorises only with bounds and pointers in locals, and when it sees that the sums
// do not alias the operands.
template <class Sums, class Element>
SYSTOLE_INLINE void multiply_add(const Sums& how, Sum<Element>* __restrict sums,
                                 const Element* __restrict activations,
                                 const Element* __restrict weights, std::int64_t cols) {
    for (std::int64_t c = 0; c < cols; ++c) {
        sums[c] = how.add(sums[c], product(activations[c], weights[c]));
    }
}

template <class Sums, class Element>
SYSTOLE_INLINE void scale_add(const Sums& how, Sum<Element>* __restrict sums, Element factor,
                              const Element* __restrict north, std::int64_t cols) {
    for (std::int64_t c = 0; c < cols; ++c) {
        sums[c] = how.add(sums[c], product(factor, north[c]));
    }
}

template <class Element>
SYSTOLE_INLINE void multiply(Product<Element>* __restrict products,
                             const Element* __restrict activations,
                             const Element* __restrict weights, std::int64_t cols) {
    for (std::int64_t c = 0; c < cols; ++c) {
        products[c] = product(activations[c], weights[c]);
    }
}

template <class Sums, class S, class P>
SYSTOLE_INLINE void add(const Sums& how, S* __restrict sums, const P* __restrict products,
                        std::int64_t cols) {
    for (std::int64_t c = 0; c < cols; ++c) {
        sums[c] = how.add(sums[c], products[c]);
    }
}

template <class T>
SYSTOLE_INLINE T* row_of(const RegisterRows<T>& registers, std::int64_t r) {
    const std::int64_t row = registers.first + r;
    return registers.store +
           (row < registers.count ? row : row - registers.count) * registers.pitch;
}

template <class Element>
SYSTOLE_INLINE void run_step(const MultiplyAccumulate<Element>& step) {
    const std::int64_t rows = step.rows;
    const std::int64_t cols = step.cols;
    with_sums<Element>(step.range, [&](const auto& how) SYSTOLE_ALWAYS {
        for (std::int64_t r = 0; r < rows; ++r) {
            multiply_add<std::decay_t<decltype(how)>, Element>(how, row_of(step.sums, r),
                                                               row_of(step.activations, r),
                                                               row_of(step.weights, r), cols);
        }
    });
}

template <class Element>
SYSTOLE_INLINE void run_multiply(const Multiply<Element>& step) {
    const std::int64_t rows = step.rows;
    const std::int64_t cols = step.cols;
    for (std::int64_t r = 0; r < rows; ++r) {
        multiply<Element>(step.products + r * cols, row_of(step.activations, r),
                          row_of(step.weights, r), cols);
    }
}

template <class Element>
SYSTOLE_INLINE void run_add(const AddProducts<Element>& step) {
    const std::int64_t rows = step.rows;
    const std::int64_t cols = step.cols;
    with_sums<Element>(step.range, [&](const auto& how) SYSTOLE_ALWAYS {
        for (std::int64_t r = 0; r < rows; ++r) {
            add(how, row_of(step.sums, r), step.products + r * cols, cols);
        }
    });
}

template <class Element>
SYSTOLE_INLINE void run_chain(const SumChain<Element>& chain) {
    const std::int64_t depth = chain.depth;
    const std::int64_t cols = chain.cols;
    with_sums<Element>(chain.range, [&](const auto& how) SYSTOLE_ALWAYS {
        for (std::int64_t k = 0; k < depth; ++k) {
            scale_add<std::decay_t<decltype(how)>, Element>(how, chain.sums, chain.west[k],
                                                            chain.north + k * cols, cols);
        }
    });
}

}  // namespace

SYSTOLE_VECTOR_CLONES void run(const MultiplyAccumulate<std::int8_t>& step) {
    run_step(step);
}
SYSTOLE_VECTOR_CLONES void run(const MultiplyAccumulate<float>& step) {
    run_step(step);
}
SYSTOLE_VECTOR_CLONES void run(const Multiply<std::int8_t>& step) {
    run_multiply(step);
}
SYSTOLE_VECTOR_CLONES void run(const Multiply<float>& step) {
    run_multiply(step);
}
SYSTOLE_VECTOR_CLONES void run(const AddProducts<std::int8_t>& step) {
    run_add(step);
}
SYSTOLE_VECTOR_CLONES void run(const AddProducts<float>& step) {
    run_add(step);
}
SYSTOLE_VECTOR_CLONES void run(const SumChain<std::int8_t>& chain) {
    run_chain(chain);
}
SYSTOLE_VECTOR_CLONES void run(const SumChain<float>& chain) {
    run_chain(chain);
}

}  // namespace systole::models
