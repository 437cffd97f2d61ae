// A library of SystoleArrayLibrary around a Verilated model: the whole systolic_array, or, with
// SYSTOLE_GRID, one systolic_cell of which rows × cols are wired up here. Compiled at run time,
// with the other SYSTOLE_ macros given on the command line.
#include "models/matrix_unit/array_library.h"

#include "Vsystole.h"
#include "verilated.h"

#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <vector>

#ifndef SYSTOLE_GRID
#include "Vsystole___024root.h"
#endif
#ifdef SYSTOLE_WAVE
#include "verilated_fst_c.h"
#endif

namespace {

constexpr int reset_clocks = 2;

SystoleArrayEdges reset_edges() {
    SystoleArrayEdges edges{};
    edges.enable = edges.reset = 1;
    return edges;
}

/// Registers begin with anything, as they do in silicon: only the reset makes them known.
class Context {
public:
    Context() {
        context_.randReset(2);
        context_.randSeed(1);
#ifdef SYSTOLE_WAVE
        context_.traceEverOn(true);
#endif
    }
    VerilatedContext* get() {
        return &context_;
    }

private:
    VerilatedContext context_;
};

#ifdef SYSTOLE_WAVE
/// Cycle n takes nanosecond n, with the rising edge in its middle.
class Wave {
public:
    Wave() {
        file_.set_time_unit("100ps");
        file_.set_time_resolution("100ps");
    }
    void add(Vsystole& model) { model.trace(&file_, 99); }
    bool open(const char* path) {
        file_.open(path);
        return file_.isOpen();
    }
    void dump(const SystoleArrayEdges& edges, bool rising) {
        if (edges.shown != 0 && file_.isOpen()) {
            file_.dump(10 * edges.cycle + (rising ? 5 : 0));
        }
    }

private:
    VerilatedFstC file_;
};
#else
class Wave {
public:
    void dump(const SystoleArrayEdges&, bool) {}
};
#endif

#ifdef SYSTOLE_GRID

/// Registers one after the other, as systolic_delay.
class Delay {
public:
    explicit Delay(std::size_t cycles) : stages_(cycles, 0) {}
    /// What comes out while `value` goes in, which a clock with `enable` takes over.
    std::uint32_t pass(std::uint32_t value, bool enable) {
        if (stages_.empty()) {
            return value;
        }
        const std::uint32_t oldest = stages_[at_];
        if (enable) {
            stages_[at_] = value;
            at_ = (at_ + 1) % stages_.size();
        }
        return oldest;
    }
    void clear() { stages_.assign(stages_.size(), 0); }

private:
    std::vector<std::uint32_t> stages_;
    std::size_t at_ = 0;
};

class Array {
public:
    Array(std::size_t rows, std::size_t cols) : rows_{rows}, cols_{cols}, reached_(rows, 0) {
        for (std::size_t r = 0; r < rows; ++r) {
            west_.emplace_back(r);
            marks_.emplace_back(r);
        }
        for (std::size_t c = 0; c < cols; ++c) {
            north_.emplace_back(c);
        }
        for (std::size_t i = 0; i < rows * cols; ++i) {
            const auto name = "pe_" + std::to_string(i / cols) + "_" + std::to_string(i % cols);
            cells_.push_back(std::make_unique<Vsystole>(context_.get(), name.c_str()));
        }
        for (int i = 0; i < reset_clocks; ++i) {
            clock(reset_edges());
        }
    }

#ifdef SYSTOLE_WAVE
    bool open_wave(const char* path) {
        for (auto& cell : cells_) {
            wave_.add(*cell);
        }
        return wave_.open(path);
    }
#endif

    void clock(const SystoleArrayEdges& edges) {
        // From the far corner, so that each cell still sees what its neighbours have let out.
        for (std::size_t r = rows_; r-- > 0;) {
            for (std::size_t c = cols_; c-- > 0;) {
                Vsystole& cell = at(r, c);
                cell.rst_n = edges.reset == 0;
                cell.en = edges.enable;
                if (c > 0) {
                    const Vsystole& west = at(r, c - 1);
                    cell.act_in = west.act_out;
                    cell.valid_in = west.valid_out;
                    cell.wgt_swap_in = west.wgt_swap_out;
                    cell.wgt_shift_in = west.wgt_shift_out;
                }
                if (r > 0) {
                    const Vsystole& north = at(r - 1, c);
                    cell.wgt_in = north.wgt_out;
                    cell.psum_in = north.psum_out;
                }
            }
        }
        drive_edges(edges);
        for (int level : {0, 1}) {
            for (auto& cell : cells_) {
                cell->clk = level;
                cell->eval();
            }
            wave_.dump(edges, level != 0);
        }
        if (edges.reset != 0) {
            clear_edges();
        }
    }

    std::uint32_t sum(std::size_t r, std::size_t c) const {
        return at(r, c).psum_out;
    }
    std::uint8_t valid(std::size_t r, std::size_t c) const {
        return at(r, c).valid_out;
    }
    std::uint32_t activation(std::size_t r, std::size_t c) const {
        return at(r, c).act_out;
    }
    void outputs(std::size_t r, std::size_t c, SystolePeOutputs& out) const {
        const Vsystole& pe = at(r, c);
        out = {pe.act_out,       pe.valid_out, pe.wgt_swap_out,
               pe.wgt_shift_out, pe.wgt_out,   pe.psum_out};
    }

private:
    void clear_edges() {
        for (auto* delays : {&west_, &marks_, &north_}) {
            for (Delay& delay : *delays) {
                delay.clear();
            }
        }
        reached_.assign(rows_, 0);
    }

    /// The skew at the edges, and the rows of weights that take part, as systolic_array has them.
    void drive_edges(const SystoleArrayEdges& edges) {
        const bool enable = edges.enable != 0;
        const std::uint32_t both = static_cast<std::uint32_t>(edges.valid) | edges.swap << 1;
        for (std::size_t r = 0; r < rows_; ++r) {
            Vsystole& cell = at(r, 0);
            const bool reached = r == 0 || (edges.first == 0 && reached_[r - 1] != 0);
            cell.wgt_shift_in = edges.shift != 0 && reached;
            cell.act_in =
                west_[r].pass(edges.activations != nullptr ? edges.activations[r] : 0, enable);
            const std::uint32_t marks = marks_[r].pass(both, enable);
            cell.valid_in = marks & 1;
            cell.wgt_swap_in = marks >> 1;
        }
        for (std::size_t c = 0; c < cols_; ++c) {
            at(0, c).wgt_in =
                north_[c].pass(edges.weights != nullptr ? edges.weights[c] : 0, enable);
            at(0, c).psum_in = edges.sums != nullptr ? edges.sums[c] : 0;
        }
        if (enable && edges.shift != 0) {
            for (std::size_t r = rows_; r-- > 1;) {
                reached_[r] = edges.first == 0 && reached_[r - 1] != 0;
            }
            reached_[0] = 1;
        }
    }

    Vsystole& at(std::size_t r, std::size_t c) {
        return *cells_[r * cols_ + c];
    }
    const Vsystole& at(std::size_t r, std::size_t c) const {
        return *cells_[r * cols_ + c];
    }

    Context context_;
    std::size_t rows_;
    std::size_t cols_;
    std::vector<Delay> west_;
    std::vector<Delay> marks_;
    std::vector<Delay> north_;
    std::vector<char> reached_;
    std::vector<std::unique_ptr<Vsystole>> cells_;
    Wave wave_;
};

#else

class Array {
public:
    Array(std::size_t, std::size_t) : model_{context_.get(), "array"} {
        for (int i = 0; i < reset_clocks; ++i) {
            clock(reset_edges());
        }
    }

#ifdef SYSTOLE_WAVE
    bool open_wave(const char* path) {
        wave_.add(model_);
        return wave_.open(path);
    }
#endif

    void clock(const SystoleArrayEdges& edges) {
        model_.rst_n = edges.reset == 0;
        model_.en = edges.enable;
        model_.valid_in = edges.valid;
        model_.wgt_swap_in = edges.swap;
        model_.wgt_shift_in = edges.shift;
        model_.wgt_first_in = edges.first;
        for (std::size_t r = 0; r < SYSTOLE_ROWS; ++r) {
            model_.act_in[r] = edges.activations != nullptr ? edges.activations[r] : 0;
        }
        for (std::size_t c = 0; c < SYSTOLE_COLS; ++c) {
            model_.wgt_in[c] = edges.weights != nullptr ? edges.weights[c] : 0;
        }
        for (int level : {0, 1}) {
            model_.clk = level;
            model_.eval();
            wave_.dump(edges, level != 0);
        }
    }

    std::uint32_t sum(std::size_t r, std::size_t c) const {
        return model_.rootp->systolic_array__DOT__psum[r + 1][c];
    }
    std::uint8_t valid(std::size_t r, std::size_t c) const {
        return model_.rootp->systolic_array__DOT__valid[r][c + 1];
    }
    std::uint32_t activation(std::size_t r, std::size_t c) const {
        return model_.rootp->systolic_array__DOT__act[r][c + 1];
    }

private:
    Context context_;
    Vsystole model_;
    Wave wave_;
};

#endif

const Array& array(const void* handle) {
    return *static_cast<const Array*>(handle);
}

const SystoleArrayLibrary library{
    SYSTOLE_ARRAY_INTERFACE,
    SYSTOLE_ROWS,
    SYSTOLE_COLS,
    SYSTOLE_ACT_WIDTH,
    SYSTOLE_WGT_WIDTH,
    SYSTOLE_PSUM_WIDTH,
    SYSTOLE_SHADOW,
    SYSTOLE_LATENCY,
    SYSTOLE_SATURATE,
    SYSTOLE_FORMAT,
    [](std::uint32_t rows, std::uint32_t cols) -> void* {
        return new (std::nothrow) Array{rows, cols};
    },
    [](void* handle) { delete static_cast<Array*>(handle); },
    [](void* handle, const SystoleArrayEdges* edges) {
        static_cast<Array*>(handle)->clock(*edges);
    },
    [](const void* handle, std::uint32_t r, std::uint32_t c) { return array(handle).sum(r, c); },
    [](const void* handle, std::uint32_t r, std::uint32_t c) { return array(handle).valid(r, c); },
    [](const void* handle, std::uint32_t r, std::uint32_t c) {
        return array(handle).activation(r, c);
    },
#ifdef SYSTOLE_GRID
    [](const void* handle, std::uint32_t r, std::uint32_t c, SystolePeOutputs* outputs) {
        array(handle).outputs(r, c, *outputs);
    },
#else
    nullptr,
#endif
#ifdef SYSTOLE_WAVE
    [](void* handle, const char* path) -> int {
        return static_cast<Array*>(handle)->open_wave(path) ? 1 : 0;
    },
#else
    nullptr,
#endif
};

}  // namespace

extern "C" const SystoleArrayLibrary* systole_array_library_entry() {
    return &library;
}
