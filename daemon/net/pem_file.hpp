// Certificates and keys as files.
#pragma once

#include "daemon/net/errors.hpp"
#include "daemon/net/limits.hpp"

#include <openssl/evp.h>
#include <openssl/x509.h>

#include <memory>
#include <string>
#include <vector>

namespace tofud::net {

struct openssl_free {
  void operator()(X509* one) const { X509_free(one); }
  void operator()(EVP_PKEY* one) const { EVP_PKEY_free(one); }
};
using certificate = std::unique_ptr<X509, openssl_free>;
using private_key = std::unique_ptr<EVP_PKEY, openssl_free>;

/// The certificates of a PEM file in their order, at least one; at most limits::tls_file_bytes are
/// read.
text::result<std::vector<certificate>> read_certificates(const std::string& path);

struct read_key {
  private_key key;
  bool others_may_read = false;  // by the file's mode
};
text::result<read_key> read_private_key(const std::string& path);

/// `YYYY-MM-DD` (UTC).
std::string date_of(const ASN1_TIME* time);

}  // namespace tofud::net
