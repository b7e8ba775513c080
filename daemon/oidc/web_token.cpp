#include "daemon/oidc/web_token.hpp"

#include "daemon/oidc/errors.hpp"
#include "daemon/oidc/limits.hpp"

#include <algorithm>
#include <array>
#include <cjose/base64.h>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace tofud::oidc {
namespace {

struct freed {
  void operator()(std::uint8_t* bytes) const {
    std::free(bytes);  // NOLINT(cppcoreguidelines-no-malloc): cjose allocates so
  }
};

std::optional<std::string> decoded(std::string_view text) {
  if (!is_base64url(text)) return std::nullopt;
  std::uint8_t* bytes = nullptr;
  std::size_t size = 0;
  cjose_err failed{};
  if (!cjose_base64url_decode(text.data(), text.size(), &bytes, &size, &failed))
    return std::nullopt;
  const std::unique_ptr<std::uint8_t, freed> owned{bytes};
  return std::string{reinterpret_cast<const char*>(bytes), size};
}

struct parts {
  std::string_view header, claims, signature;
};

std::optional<parts> parts_of(std::string_view text) {
  const auto first = text.find('.');
  if (first == text.npos) return std::nullopt;
  const auto second = text.find('.', first + 1);
  if (second == text.npos || text.find('.', second + 1) != text.npos) return std::nullopt;
  return parts{text.substr(0, first), text.substr(first + 1, second - first - 1),
               text.substr(second + 1)};
}

}  // namespace

bool is_base64url(std::string_view text) {
  return !text.empty() && text.size() % 4 != 1 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
}

bool looks_like_web_token(std::string_view text) { return parts_of(text).has_value(); }

bool is_algorithm(std::string_view name) {
  constexpr std::array<std::string_view, 9> all{"RS256", "RS384", "RS512", "PS256", "PS384",
                                                "PS512", "ES256", "ES384", "ES512"};
  return std::find(all.begin(), all.end(), name) != all.end();
}

text::result<web_token> read_web_token(std::string_view text) {
  if (text.size() > limits::web_token_bytes)
    return text::failure{error::too_long, std::to_string(limits::web_token_bytes)};
  const auto split = parts_of(text);
  if (!split) return text::failure{error::not_three_parts};
  const auto head = decoded(split->header);
  if (!head) return text::failure{error::bad_part, "header"};
  const auto body = decoded(split->claims);
  if (!body) return text::failure{error::bad_part, "list of claims"};
  if (!is_base64url(split->signature)) return text::failure{error::bad_part, "signature"};
  const auto header = read_claims(*head);
  if (!header) {
    return header.error().is(error::bad_claims) ? text::failure{error::bad_header} : header.error();
  }
  for (const auto& [name, values] : *header) {
    const std::string_view whole = std::string_view{name}.substr(0, name.find('.'));
    if (whole == "crit") return text::failure{error::critical};
    for (const std::string_view key : {"jku", "jwk", "x5u", "x5c"})
      if (whole == key) return text::failure{error::brings_key, key};
  }
  web_token read;
  const auto algorithm = one(*header, "alg");
  if (!algorithm) return text::failure{error::no_algorithm};
  read.algorithm = *algorithm;
  read.key_id = one(*header, "kid").value_or("");
  auto said = read_claims(*body);
  if (!said) return said.error();
  read.said = std::move(*said);
  return read;
}

std::optional<std::chrono::sys_seconds> time_in(const claims& of, std::string_view name) {
  const auto text = one(of, name);
  if (!text || text->size() > 20) return std::nullopt;
  const std::string digits{*text};
  char* end = nullptr;
  const double seconds = std::strtod(digits.c_str(), &end);
  // Of the years that people have to do with; beyond them nothing is compared without overflow.
  constexpr double most = 253'402'300'799;  // 9999
  if (end != digits.c_str() + digits.size() || !(seconds >= 0) || seconds > most)
    return std::nullopt;
  return std::chrono::sys_seconds{
      std::chrono::seconds{static_cast<std::int64_t>(std::floor(seconds))}};
}

}  // namespace tofud::oidc
