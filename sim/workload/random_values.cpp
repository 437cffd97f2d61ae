#include "sim/workload/random_values.hpp"

namespace systole {
namespace {

/// 64-bit FNV-1a.
std::uint64_t hash(std::string_view text) {
    std::uint64_t value = 0xcbf29ce484222325U;
    for (const char c : text) {
        value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    }
    return value;
}

}  // namespace

std::uint64_t SplitMix64::operator()() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

// The seed is mixed before the name joins it, and both once more by the generator's own steps, so
// that neither near seeds nor like names give sequences that are shifted against each other.
RandomValues::RandomValues(std::uint64_t seed, std::string_view tensor)
    : bits_{SplitMix64{SplitMix64{seed}() ^ hash(tensor)}()} {}

double RandomValues::uniform(double bound) {
    const auto whole = static_cast<double>(bits_() >> 12);
    // An odd numerator: neither end, nor zero.
    const double unit = (2 * whole + 1) * 0x1p-53;
    return bound * (2 * unit - 1);
}

}  // namespace systole
