#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace systole::test {

/// Makes faulty documents of good ones, the same for the same seed on every machine.
class Mutator {
public:
    /// Half of the documents are made of good ones, and reach the schemas; half of faulty ones.
    Mutator(std::vector<std::string> good, std::vector<std::string> faulty)
        : good_{std::move(good)},
          faulty_{std::move(faulty)} {}

    /// A document with one to eight changes of bytes, tokens and lines.
    [[nodiscard]] std::string make(std::uint64_t seed) const;

private:
    std::vector<std::string> good_;
    std::vector<std::string> faulty_;
};

}  // namespace systole::test
