#include "sim/report/digest.hpp"

#include "models/base/diagnostics.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cstddef>
#include <fstream>
#include <memory>

namespace systole {
namespace {

class Sha256 {
public:
    Sha256() : context_{EVP_MD_CTX_new(), EVP_MD_CTX_free} {
        require(context_ != nullptr);
        require(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
    }
    void add(std::string_view bytes) {
        require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
    }
    [[nodiscard]] std::string hexadecimal() {
        std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
        unsigned int size = 0;
        require(EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1);
        std::string text;
        for (unsigned int i = 0; i < size; ++i) {
            text += fmt::format("{:02x}", digest[i]);
        }
        return text;
    }

private:
    static void require(bool done) { SYSTOLE_ASSERT(done, "libcrypto has no SHA-256"); }

    std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context_;
};

}  // namespace

std::string sha256(std::string_view bytes) {
    Sha256 digest;
    digest.add(bytes);
    return digest.hexadecimal();
}

std::string sha256_of_file(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    Sha256 digest;
    std::array<char, 1 << 16> block{};
    while (file.read(block.data(), block.size()) || file.gcount() > 0) {
        digest.add({block.data(), static_cast<std::size_t>(file.gcount())});
    }
    if (!file.eof()) {
        throw InputError{{{{path.string()}, "cannot be read", {}}}};
    }
    return digest.hexadecimal();
}

}  // namespace systole
