#include "daemon/access/secret.hpp"

#include "protocol/text/hex.hpp"

#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <stdexcept>
#include <vector>

namespace tofud::access {

std::string random_hex(std::size_t bytes) {
  std::vector<unsigned char> random(bytes);
  if (RAND_bytes(random.data(), static_cast<int>(random.size())) != 1) {
    throw std::runtime_error{"OpenSSL has no random bytes"};
  }
  return text::to_hex(std::string{random.begin(), random.end()});
}

bool same_secret(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace tofud::access
