// The other side: who connects to a daemon and wants to know that it is the one.
#pragma once

#include "daemon/net/errors.hpp"

#include <boost/system/result.hpp>

#include <memory>
#include <string>

struct ssl_st;      // OpenSSL's SSL
struct ssl_ctx_st;  // and SSL_CTX

namespace tofud::net {

/// TLS 1.2 and later. Certificates are verified, and so is the name that was connected to.
class tls_client {
 public:
  /// Trusts the authorities of `ca_file` (PEM), if it is not empty, and else those of the system:
  /// OpenSSL's, where SSL_CERT_FILE and SSL_CERT_DIR stand for its usual places. Failures are
  /// sentences.
  static text::result<std::shared_ptr<const tls_client>> open(const std::string& ca_file);

  /// A new connection's side. `host` is a name, or an address without brackets.
  ssl_st* make(const std::string& host) const;

 private:
  struct freed {
    void operator()(ssl_ctx_st* context) const;
  };
  explicit tls_client(ssl_ctx_st* made) : context_{made} {}
  std::unique_ptr<ssl_ctx_st, freed> context_;
};

}  // namespace tofud::net
