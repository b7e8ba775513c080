// SHA-256 of bytes, as 64 hexadecimal digits.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct evp_md_ctx_st;  // OpenSSL's

namespace tofud::text {

/// Of bytes that come in pieces.
class sha256_sum {
 public:
  sha256_sum();
  void add(std::string_view bytes);

  /// 64 digits over all that was added, once: nothing is added afterwards. Nothing if OpenSSL
  /// refuses, for want of memory or of the algorithm.
  std::optional<std::string> hex();

 private:
  struct frees {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, frees> context_;  // none: OpenSSL has refused
};

/// The same of one text. Throws std::runtime_error if OpenSSL refuses: a made-up sum could be equal
/// to another one.
std::string sha256_hex(std::string_view text);

}  // namespace tofud::text
