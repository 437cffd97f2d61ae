#include "sim/report/digest.hpp"

#include "models/base/diagnostics.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

namespace systole {

std::string sha256(std::string_view bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    const int done =
        EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
    SYSTOLE_ASSERT(done == 1, "libcrypto has no SHA-256");
    std::string text;
    for (unsigned int i = 0; i < size; ++i) {
        text += fmt::format("{:02x}", digest[i]);
    }
    return text;
}

}  // namespace systole
