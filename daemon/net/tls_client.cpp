#include "daemon/net/tls_client.hpp"

#include "daemon/net/pem_file.hpp"
#include "daemon/net/tls_session.hpp"

#include <boost/asio/ip/address.hpp>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <new>

namespace tofud::net {

void tls_client::freed::operator()(ssl_ctx_st* context) const { SSL_CTX_free(context); }

text::result<std::shared_ptr<const tls_client>> tls_client::open(const std::string& ca_file) {
  SSL_CTX* on = SSL_CTX_new(TLS_client_method());
  if (on == nullptr) return text::failure{error::no_tls, openssl_complaint()};
  std::shared_ptr<const tls_client> made{new tls_client{on}};
  SSL_CTX_set_min_proto_version(on, TLS1_2_VERSION);
  SSL_CTX_set_options(on, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_mode(on, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                           SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_verify(on, SSL_VERIFY_PEER, nullptr);
  static constexpr unsigned char protocols[] = "\x08http/1.1";
  SSL_CTX_set_alpn_protos(on, protocols, sizeof protocols - 1);
  if (ca_file.empty()) {
    SSL_CTX_set_default_verify_paths(on);
    (void)openssl_complaint();
    return made;
  }
  const auto authorities = read_certificates(ca_file);
  if (!authorities) return authorities.error();
  for (const auto& one : *authorities) X509_STORE_add_cert(SSL_CTX_get_cert_store(on), one.get());
  (void)openssl_complaint();
  return made;
}

ssl_st* tls_client::make(const std::string& host) const {
  SSL* made = SSL_new(context_.get());
  if (made == nullptr) throw std::bad_alloc{};
  boost::system::error_code failed;
  boost::asio::ip::make_address(host, failed);
  if (failed) {
    SSL_set_tlsext_host_name(made, host.c_str());
    SSL_set1_host(made, host.c_str());
    SSL_set_hostflags(made, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  } else {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(made), host.c_str());
  }
  SSL_set_connect_state(made);
  return made;
}

}  // namespace tofud::net
