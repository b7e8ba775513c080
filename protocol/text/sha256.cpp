#include "protocol/text/sha256.hpp"

#include "protocol/text/hex.hpp"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>
#include <utility>

namespace tofud::text {

void sha256_sum::frees::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

sha256_sum::sha256_sum() : context_{EVP_MD_CTX_new()} {
  if (context_ && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1) context_.reset();
}

void sha256_sum::add(std::string_view bytes) {
  if (context_ && EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) != 1) {
    context_.reset();
  }
}

std::optional<std::string> sha256_sum::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned size = 0;
  if (!context_ || EVP_DigestFinal_ex(context_.get(), bytes.data(), &size) != 1) return {};
  return to_hex({reinterpret_cast<const char*>(bytes.data()), size});
}

std::string sha256_hex(std::string_view text) {
  sha256_sum sum;
  sum.add(text);
  auto hex = sum.hex();
  if (!hex) throw std::runtime_error{"OpenSSL makes no SHA-256"};
  return std::move(*hex);
}

}  // namespace tofud::text
