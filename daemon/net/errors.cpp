#include "daemon/net/errors.hpp"

namespace tofud::net {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::unreadable, "can't read {}: {}"},
      {error::no_file, "can't read {}: it is no file"},
      {error::too_large, "can't read {}: it is larger than {} bytes"},
      {error::no_certificate,
       "{} holds no certificate; PEM is wanted, with -----BEGIN CERTIFICATE-----"},
      {error::bad_certificate, "{} holds a certificate that can't be read: {}"},
      {error::no_key, "{} holds no private key; PEM is wanted, with -----BEGIN PRIVATE KEY-----"},
      {error::encrypted_key,
       "the key in {} is encrypted, and there is nobody to ask for its password; "
       "`openssl pkey -in {} -out FILE` writes it without one"},
      {error::bad_key, "{} holds a private key that can't be read: {}"},
      {error::key_of_another, "the key in {} is not that of the certificate in {}"},
      {error::expired, "the certificate in {} has expired on {}"},
      {error::not_yet_valid, "the certificate in {} is not valid before {}"},
      {error::unusable_certificate, "the certificate in {} can't be used: {}"},
      {error::no_tls, "TLS is not to be had: {}"},
  });
  return sentences[what];
}

}  // namespace tofud::net
