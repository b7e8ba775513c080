#include "daemon/net/errors.hpp"

namespace tofud::net {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::unreadable, "can't read {}: {}"},
      {error::no_file, "can't read {}: it is not a file"},
      {error::too_large, "can't read {}: it is larger than {} bytes"},
      {error::no_certificate,
       "{} contains no certificate in PEM format (-----BEGIN CERTIFICATE-----)"},
      {error::bad_certificate, "{} contains a certificate that can't be read: {}"},
      {error::no_key, "{} contains no private key in PEM format (-----BEGIN PRIVATE KEY-----)"},
      {error::encrypted_key,
       "the key in {} is encrypted, and a daemon can't ask for its password; `openssl pkey -in {} "
       "-out FILE` writes it without one"},
      {error::bad_key, "{} contains a private key that can't be read: {}"},
      {error::key_of_another, "the key in {} does not belong to the certificate in {}"},
      {error::expired, "the certificate in {} has expired on {}"},
      {error::not_yet_valid, "the certificate in {} is not valid before {}"},
      {error::unusable_certificate, "the certificate in {} can't be used: {}"},
      {error::no_tls, "TLS can't be set up: {}"},
  });
  return sentences[what];
}

}  // namespace tofud::net
