#include "tests/support/fst.hpp"

#include <gtkwave/fstapi.h>

#include <cstdio>
#include <memory>

namespace systole::test {

bool fst_to_vcd(const std::filesystem::path& fst, const std::filesystem::path& vcd) {
    const std::unique_ptr<void, void (*)(void*)> reader{fstReaderOpen(fst.c_str()), fstReaderClose};
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out{std::fopen(vcd.c_str(), "w"),
                                                              std::fclose};
    if (reader == nullptr || out == nullptr) {
        return false;
    }
    const bool has_signals = fstReaderProcessHier(reader.get(), out.get()) != 0;
    fstReaderSetFacProcessMaskAll(reader.get());  // those that it knows by then
    return has_signals && fstReaderIterBlocks(reader.get(), nullptr, nullptr, out.get()) != 0;
}

}  // namespace systole::test
