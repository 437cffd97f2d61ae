#pragma once

#include <cstdint>
#include <string_view>

namespace systole {

/// SplitMix64 (Steele, Lea & Flood, OOPSLA 2014): the same bits on every machine.
class SplitMix64 {
public:
    explicit SplitMix64(std::uint64_t state) : state_{state} {}
    [[nodiscard]] std::uint64_t operator()();

private:
    std::uint64_t state_;
};

/// Numbers for a tensor that the user gave none for: a function of the seed and of the tensor's
/// name alone.
class RandomValues {
public:
    RandomValues(std::uint64_t seed, std::string_view tensor);

    /// Uniform in (−bound, bound): bound times an odd multiple of 2^−52.
    [[nodiscard]] double uniform(double bound);

private:
    SplitMix64 bits_;
};

}  // namespace systole
