#include "models/matrix_unit/pe_kernel.hpp"

// The loops are compiled for several widths of vector registers, and the loader picks; the results
// are the same bits. Sanitizers cannot run code before they are set up, as the picking does.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SYSTOLE_VECTOR_CLONES __attribute__((target_clones("default", "avx2", "arch=x86-64-v4")))
#define SYSTOLE_INLINE __attribute__((always_inline)) inline
#else
#define SYSTOLE_VECTOR_CLONES
#define SYSTOLE_INLINE inline
#endif

namespace systole::models {
namespace {

// The compiler vectorises only with bounds and pointers in locals, and when it sees that the sums
// do not alias the operands.
SYSTOLE_INLINE void multiply_add(std::uint32_t* __restrict sums,
                                 const std::int8_t* __restrict activations,
                                 const std::int8_t* __restrict weights, std::int64_t cols) {
    for (std::int64_t c = 0; c < cols; ++c) {
        const auto product = static_cast<std::int16_t>(activations[c] * weights[c]);
        sums[c] += static_cast<std::uint32_t>(static_cast<std::int32_t>(product));
    }
}

SYSTOLE_INLINE void multiply_add(float* __restrict sums, const float* __restrict activations,
                                 const float* __restrict weights, std::int64_t cols) {
    for (std::int64_t c = 0; c < cols; ++c) {
        sums[c] += activations[c] * weights[c];
    }
}

SYSTOLE_INLINE void scale_add(std::uint32_t* __restrict sums, std::int8_t factor,
                              const std::int8_t* __restrict north, std::int64_t cols) {
    for (std::int64_t c = 0; c < cols; ++c) {
        const auto product = static_cast<std::int16_t>(factor * north[c]);
        sums[c] += static_cast<std::uint32_t>(static_cast<std::int32_t>(product));
    }
}

SYSTOLE_INLINE void scale_add(float* __restrict sums, float factor, const float* __restrict north,
                              std::int64_t cols) {
    for (std::int64_t c = 0; c < cols; ++c) {
        sums[c] += factor * north[c];
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
    for (std::int64_t r = 0; r < rows; ++r) {
        multiply_add(row_of(step.sums, r), row_of(step.activations, r), row_of(step.weights, r),
                     cols);
    }
}

template <class Element>
SYSTOLE_INLINE void run_chain(const SumChain<Element>& chain) {
    const std::int64_t depth = chain.depth;
    const std::int64_t cols = chain.cols;
    for (std::int64_t k = 0; k < depth; ++k) {
        scale_add(chain.sums, chain.west[k], chain.north + k * cols, cols);
    }
}

}  // namespace

SYSTOLE_VECTOR_CLONES void run(const MultiplyAccumulate<std::int8_t>& step) {
    run_step(step);
}
SYSTOLE_VECTOR_CLONES void run(const MultiplyAccumulate<float>& step) {
    run_step(step);
}
SYSTOLE_VECTOR_CLONES void run(const SumChain<std::int8_t>& chain) {
    run_chain(chain);
}
SYSTOLE_VECTOR_CLONES void run(const SumChain<float>& chain) {
    run_chain(chain);
}

}  // namespace systole::models
