#pragma once

#include "models/matrix_unit/array_library.h"
#include "models/matrix_unit/pe_array.hpp"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace systole::models {

/// A library that holds a Verilated array, open as long as this is.
class ArrayLibrary {
public:
    /// Throws InputError when the file cannot be loaded, is no such library, or was built for
    /// another version of the interface.
    explicit ArrayLibrary(const std::filesystem::path& path);

    [[nodiscard]] const SystoleArrayLibrary& operator*() const { return *entry_; }
    [[nodiscard]] const SystoleArrayLibrary* operator->() const { return entry_; }
    [[nodiscard]] const std::string& path() const { return path_; }

    /// Throws InputError, naming what differs, unless the array is of this kind.
    void check(const PeArrayShape& shape) const;

private:
    struct Close {
        void operator()(void* handle) const;
    };

    void check_design(const PeArrayShape& shape) const;

    std::string path_;
    std::unique_ptr<void, Close> handle_;
    const SystoleArrayLibrary* entry_ = nullptr;
};

/// The PEs of a Verilated array. Beyond its registers, whether it says `valid` where and when a sum
/// leaves is held against the wavefront: ArrayDifference tells the first that differs.
class RtlArray final : public PeArray {
public:
    /// Throws InputError when the library is of another shape, or cannot write a wave.
    RtlArray(std::shared_ptr<const ArrayLibrary> library, const PeArrayShape& shape,
             std::optional<WaveConfig> wave = {});

    void preload(const PePreload& preload) override;
    void swap(ArrayExtent extent) override;
    void enter(const OperandReader* west, std::int64_t row) override;
    void enter_step(const OperandReader* west, const OperandReader* north, std::int64_t k) override;
    void clear(ArrayExtent extent) override;
    void at(Cycles cycle) override { now_ = cycle; }
    void clock() override;
    void stall() override;
    [[nodiscard]] bool shifting() const override { return !incoming_.empty(); }
    void collect(std::int64_t r, std::int64_t c, bool accumulate,
                 std::uint32_t& cell) const override;
    [[nodiscard]] double activation(std::int64_t r, std::int64_t c) const override;
    [[nodiscard]] double weight(std::int64_t r, std::int64_t c) const override;
    [[nodiscard]] double sum(std::int64_t r, std::int64_t c) const override;
    [[nodiscard]] bool swaps(std::int64_t r, std::int64_t c) const override;

private:
    struct Destroy {
        const SystoleArrayLibrary* library = nullptr;
        void operator()(void* array) const { library->destroy(array); }
    };
    struct Incoming {
        PePreload preload;
        std::int64_t age = 0;
    };

    void open_wave(const std::filesystem::path& path);
    [[nodiscard]] SystoleArrayEdges edges_now() const;
    void read_row(const OperandReader& operand, std::int64_t row, bool column,
                  std::vector<std::uint32_t>& bits);
    void drive_weights(SystoleArrayEdges& edges);
    void check_valid();
    [[nodiscard]] std::uint32_t sum_bits(std::int64_t r, std::int64_t c) const;

    std::shared_ptr<const ArrayLibrary> library_;
    std::unique_ptr<void, Destroy> array_;
    Format format_;
    SumRange accumulators_;
    std::optional<WaveConfig> wave_;
    Cycles now_;
    std::int64_t rows_;
    std::int64_t cols_;
    std::vector<std::uint32_t> activations_;
    std::vector<std::uint32_t> weights_;
    std::vector<std::int8_t> integers_;
    std::vector<float> floats_;
    std::vector<Incoming> incoming_;
    bool enters_ = false;
    bool swaps_ = false;
    std::deque<bool> entered_;  ///< whether a row did, in the clocks whose waves are in the array
};

}  // namespace systole::models
