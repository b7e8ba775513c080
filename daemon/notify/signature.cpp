#include "daemon/notify/signature.hpp"

#include "protocol/text/base64.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace tofud::notify {
namespace {

std::string hmac(const EVP_MD* by, std::string_view key, std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> made{};
  unsigned size = 0;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  if (HMAC(by, key.data(), static_cast<int>(key.size()), bytes, text.size(), made.data(), &size) ==
      nullptr)
    throw std::runtime_error{"OpenSSL refuses an HMAC"};
  return {reinterpret_cast<const char*>(made.data()), size};
}

}  // namespace

std::optional<std::string> webhook_key(std::string_view secret) {
  constexpr std::string_view prefix = "whsec_";
  if (secret.starts_with(prefix)) secret.remove_prefix(prefix.size());
  if (secret.size() > 128) return std::nullopt;
  auto bytes = text::from_base64(secret);
  if (!bytes || bytes->size() < 24 || bytes->size() > 64) return std::nullopt;
  return bytes;
}

std::string webhook_signature(std::string_view key, std::string_view id, std::int64_t sent_at,
                              std::string_view body) {
  std::string text{id};
  text.append(".").append(std::to_string(sent_at)).append(".").append(body);
  return "v1," + text::to_base64(hmac(EVP_sha256(), key, text));
}

std::string hcp_signature(std::string_view key, std::string_view body) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (const char c : hmac(EVP_sha512(), key, body)) {
    hex += digits[static_cast<unsigned char>(c) >> 4U];
    hex += digits[static_cast<unsigned char>(c) & 15U];
  }
  return hex;
}

}  // namespace tofud::notify
