#include "tests/fuzz/readers.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

// libFuzzer's entry (option SYSTOLE_FUZZERS, clang):
//     systole_document_fuzzer -max_len=4096 tests/fuzz/corpus tests/faults
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(data, data + size);
    static_cast<void>(systole::test::is_accepted(text));
    return 0;
}
