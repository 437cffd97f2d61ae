#pragma once

#include "models/core/program.hpp"
#include "models/numerics/convert.hpp"
#include "models/sram/sram.hpp"
#include "models/vector_unit/vector_values.hpp"

#include <cstdint>
#include <random>
#include <vector>

namespace systole::test {

/// A scratchpad and accumulators full of noise, with single elements to write and read.
class VectorMemory {
public:
    explicit VectorMemory(unsigned seed) : random{seed} {
        for (auto& byte : scratchpad.bytes(0, size)) {
            byte = static_cast<std::byte>(random());
        }
    }

    static constexpr std::int64_t size = 1 << 16;

    void put(std::int64_t address, numerics::Format format, std::int64_t index, double value) {
        const auto bytes = numerics::bytes_of(format);
        numerics::store_bits(format, scratchpad.bytes(address + index * bytes, bytes), 0,
                             numerics::from_double(format, value));
    }
    [[nodiscard]] double get(std::int64_t address, numerics::Format format, std::int64_t index) {
        const auto bytes = numerics::bytes_of(format);
        return numerics::to_double(
            format,
            numerics::load_bits(format, scratchpad.bytes(address + index * bytes, bytes), 0));
    }
    /// A number that `format` holds exactly, of a size that keeps sums and products finite in it.
    [[nodiscard]] double draw(numerics::Format format) {
        const double value = static_cast<double>(static_cast<std::int32_t>(random())) * 0x1p-31;
        const double bound = format == numerics::Format::int32 ? 1e8 : 100;
        return numerics::to_double(format, numerics::from_double(format, bound * value));
    }
    [[nodiscard]] std::int64_t pick(std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(random()) % (high - low + 1);
    }
    void run(const models::Vector& vector, const models::ConvView* view = nullptr) {
        models::evaluate(vector, view, scratchpad, accumulators);
    }

    std::mt19937 random;
    models::Sram scratchpad{{.size = Bytes{size}}, true};
    models::Accumulators accumulators{64, 64, true};
};

inline const std::vector<numerics::Format>& all_formats() {
    static const std::vector<numerics::Format> formats{
        numerics::Format::int8, numerics::Format::int32, numerics::Format::fp16,
        numerics::Format::bf16, numerics::Format::fp32};
    return formats;
}

/// The nearest fp32 to the result of one +, −, ·, / of two fp32: 53 bits are enough for the detour
/// through a double to change nothing (53 ≥ 2·24 + 2).
[[nodiscard]] inline double to_fp32(double value) {
    return static_cast<double>(static_cast<float>(value));
}

}  // namespace systole::test
