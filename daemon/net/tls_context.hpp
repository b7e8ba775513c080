// A server's certificate and key: read from files, checked, read again.
#pragma once

#include "daemon/net/certificate_expiry.hpp"
#include "daemon/net/errors.hpp"

#include <memory>
#include <string>
#include <vector>

struct ssl_st;      // OpenSSL's SSL
struct ssl_ctx_st;  // and SSL_CTX

namespace tofud::net {

/// In PEM. `certificate` holds the server's own first and then those that lead to an authority;
/// `key` is not encrypted. Both may be one file.
struct tls_files {
  std::string certificate, key;
};

/// TLS 1.2 and later, ALPN `http/1.1`, no renegotiation; session tickets as OpenSSL has them.
class tls_context {
 public:
  /// Failures name the file: it is missing, is no PEM, is encrypted, has
  /// expired, does not belong to the other.
  static text::result<std::unique_ptr<tls_context>> open(tls_files files);
  tls_context(const tls_context&) = delete;
  tls_context& operator=(const tls_context&) = delete;
  /// Connections from now on get what the other one has read.
  tls_context& operator=(tls_context&& other) noexcept;
  ~tls_context();

  /// The server's side of a new connection, for stream_socket::encrypt.
  ssl_st* make() const;

  /// Of what was read last: a key that others may read, a certificate that is soon over.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// When the first certificate of the chain is over.
  time expires_at() const { return expires_at_; }
  const tls_files& files() const { return files_; }
  /// The first name that the certificate is for, without a `*.`; empty if it has none.
  const std::string& name() const { return name_; }

 private:
  struct freed {
    void operator()(ssl_ctx_st* context) const;
  };
  using context = std::unique_ptr<ssl_ctx_st, freed>;

  explicit tls_context(tls_files files);
  text::result<void> read();

  tls_files files_;
  context current_;
  std::vector<std::string> warnings_;
  time expires_at_{};
  std::string name_;
};

}  // namespace tofud::net
