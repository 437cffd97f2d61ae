#include "tests/fuzz/mutator.hpp"
#include "tests/fuzz/readers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace systole {
namespace {

namespace fs = std::filesystem;

/// The documents in some folders of the project, in the same order on every machine.
std::vector<std::string> documents_in(const std::vector<std::string>& folders) {
    std::vector<fs::path> files;
    for (const auto& folder : folders) {
        const auto top = fs::path{SYSTOLE_SOURCE_DIR} / folder;
        if (!fs::exists(top)) {
            continue;
        }
        for (const auto& entry : fs::recursive_directory_iterator{top}) {
            if (entry.path().extension() == ".yaml") {
                files.push_back(entry.path());
            }
        }
    }
    std::sort(files.begin(), files.end());
    std::vector<std::string> texts;
    for (const auto& file : files) {
        std::ostringstream text;
        text << std::ifstream{file, std::ios::binary}.rdbuf();
        texts.push_back(text.str());
    }
    return texts;
}

std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST(DocumentFuzz, EndsInAValueOrAnInputError) {
    const auto good = documents_in({"tests/fuzz/corpus", "configs", "workloads"});
    const auto faulty = documents_in({"tests/faults"});
    ASSERT_GE(good.size(), 2U);
    ASSERT_GE(faulty.size(), 25U);
    const test::Mutator mutator{good, faulty};
    const auto runs = number_from_environment("SYSTOLE_FUZZ_RUNS", 2000);
    const auto first = number_from_environment("SYSTOLE_FUZZ_SEED", 1);
    std::uint64_t accepted = 0;
    std::uint64_t slowest = first;
    std::chrono::steady_clock::duration longest{};
    for (std::uint64_t seed = first; seed < first + runs; ++seed) {
        SCOPED_TRACE("again with SYSTOLE_FUZZ_RUNS=1 SYSTOLE_FUZZ_SEED=" + std::to_string(seed));
        const std::string text = mutator.make(seed);
        const auto start = std::chrono::steady_clock::now();
        ASSERT_NO_THROW(accepted += test::is_accepted(text) ? 1U : 0U) << text;
        const auto time = std::chrono::steady_clock::now() - start;
        if (time > longest) {
            longest = time;
            slowest = seed;
        }
    }
    // A document of a few hundred bytes takes well under a millisecond.
    EXPECT_LT(longest, std::chrono::seconds{10}) << "seed " << slowest;
    std::cout << runs << " documents, " << accepted << " accepted, the slowest was seed " << slowest
              << ": " << std::chrono::duration_cast<std::chrono::microseconds>(longest).count()
              << " us\n";
    // Else the mutations are so coarse that no schema is ever reached.
    EXPECT_TRUE(runs < 1000 || accepted > runs / 50) << accepted << " of " << runs;
}

TEST(Mutator, MakesTheSameTextOfTheSameSeed) {
    const test::Mutator mutator{{"a: 1\nb: [1, 2]\n"}, {"c: {d: 3}\n"}};
    std::vector<std::string> texts;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        texts.push_back(mutator.make(seed));
        EXPECT_EQ(texts.back(), mutator.make(seed));
    }
    std::sort(texts.begin(), texts.end());
    texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
    EXPECT_GT(texts.size(), 80U);
}

}  // namespace
}  // namespace systole
