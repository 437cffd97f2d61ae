#pragma once

// The C interface between Systole and a library that holds a Verilated systolic array. Numbers
// travel as their bits, in the low end of a word.

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Grows with every change of what is below.
#define SYSTOLE_ARRAY_INTERFACE 2

/// The edges of the array in one clock.
struct SystoleArrayEdges {
    const uint32_t* activations; /**< ROWS, entering together; null: zeros */
    const uint32_t* weights;     /**< COLS; null: zeros */
    const uint32_t* sums;        /**< COLS, into the first row of single PEs; null: zeros */
    uint64_t cycle;              /**< in the waveform */
    uint8_t shown;               /**< in the waveform, at all */
    uint8_t reset;
    uint8_t enable;
    uint8_t valid; /**< a row of activations enters */
    uint8_t swap;  /**< it is the first on the newest tile of weights */
    uint8_t shift; /**< a row of weights enters */
    uint8_t first; /**< it is the first of its tile */
};

/// The registers that a PE shows its neighbours.
struct SystolePeOutputs {
    uint32_t act;
    uint32_t valid;
    uint32_t swap;
    uint32_t shift;
    uint32_t wgt;
    uint32_t psum;
};

struct SystoleArrayLibrary {
    uint32_t interface_version; /**< SYSTOLE_ARRAY_INTERFACE, first in every version */
    uint32_t rows;              /**< 0: any, given to create() */
    uint32_t cols;
    uint32_t activation_bits;
    uint32_t weight_bits;
    uint32_t sum_bits;
    uint32_t shadow;    /**< whether weights shift in behind those in use */
    uint32_t latency;   /**< cycles from an activation to the sum with its product */
    uint32_t saturates; /**< integer sums do, instead of wrapping */
    const char* format;

    /** An array after reset; null without memory. */
    void* (*create)(uint32_t rows, uint32_t cols);
    void (*destroy)(void* array);
    void (*clock)(void* array, const struct SystoleArrayEdges* edges);
    /** What PE (row, col) has let out in the south, and whether with `valid` in the east. */
    uint32_t (*sum)(const void* array, uint32_t row, uint32_t col);
    uint8_t (*valid)(const void* array, uint32_t row, uint32_t col);
    uint32_t (*activation)(const void* array, uint32_t row, uint32_t col);
    /** All outputs of a PE; null in libraries that were Verilated as a whole. */
    void (*outputs)(const void* array, uint32_t row, uint32_t col,
                    struct SystolePeOutputs* outputs);
    /** Writes a waveform (FST) of the cycles that are shown from now on; 0: the file cannot be
        opened. Null in libraries that were built without. */
    int (*open_wave)(void* array, const char* path);
};

/// The only symbol that is looked up.
const struct SystoleArrayLibrary* systole_array_library_entry(void);

#ifdef __cplusplus
}
#endif
