#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace systole::test {

/// Makes faulty documents of good ones, the same for the same seed on every machine.
class Mutator {
public:
    explicit Mutator(std::vector<std::string> corpus) : corpus_{std::move(corpus)} {}

    /// A document of the corpus with one to eight changes of bytes, tokens and lines.
    [[nodiscard]] std::string make(std::uint64_t seed) const;

private:
    std::vector<std::string> corpus_;
};

}  // namespace systole::test
