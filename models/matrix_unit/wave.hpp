#pragma once

#include "models/core/program.hpp"
#include "models/matrix_unit/matrix_config.hpp"
#include "models/matrix_unit/pe_array.hpp"
#include "models/matrix_unit/wave_config.hpp"

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace systole::models {

/// Writes what an array does, cycle by cycle, as a Value Change Dump (IEEE 1364-2005 §18), one time
/// unit a cycle: the clock enable, the cause to which the cycle is booked (as a string, which
/// GTKWave reads), and in a scope pe_r_c for each PE the activation and the weight it has worked on
/// in that cycle, the sum it has made of them and whether it swapped its weight before. An array
/// that is empty is not clocked. Numbers are integers if the unit has int8 only, else reals.
class WaveWriter {
public:
    /// The PEs of a larger array cannot be looked at: InputError.
    static constexpr std::int64_t most_rows = 32;
    static constexpr std::int64_t most_cols = 32;

    /// Opens the file and declares the signals below `module`, a hierarchical name. A file that
    /// cannot be written, now or later, is an InputError, and is removed.
    WaveWriter(const WaveConfig& wave, const std::string& module, const SystolicConfig& config);
    ~WaveWriter();
    WaveWriter(const WaveWriter&) = delete;
    WaveWriter& operator=(const WaveWriter&) = delete;

    /// The array stands still in [from, to), on account of `cause`.
    void stands(Cycles from, Cycles to, Cause cause);
    /// `array` has run in `cycle`, on account of `cause` (null: nothing has been in it yet).
    void runs(Cycles cycle, Cause cause, const PeArray* array);

private:
    struct Signal {
        std::string id;
        std::string shown;
    };

    void declare(const std::string& module);
    void declare_pe(std::int64_t r, std::int64_t c);
    std::size_t declare_signal(const std::string& type, int bits, const std::string& name);
    void begin(Cycles cycle, bool enabled, Cause cause);
    void show(std::size_t signal, const std::string& value);
    void show_number(std::size_t signal, int bits, double value);
    void show_pe(std::size_t first_signal, const PeArray& array, std::int64_t r, std::int64_t c);
    void flush();

    WaveConfig wave_;
    std::int64_t rows_;
    std::int64_t cols_;
    bool integers_;
    std::ofstream file_;
    std::string text_;
    std::vector<Signal> signals_;
    std::size_t enable_ = 0;
    std::size_t cause_ = 0;
    std::size_t first_pe_ = 0;
    Cycles newest_;  ///< time in the file
};

}  // namespace systole::models
