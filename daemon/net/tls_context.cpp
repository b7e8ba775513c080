#include "daemon/net/tls_context.hpp"

#include "daemon/net/pem_file.hpp"
#include "daemon/net/tls_session.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <new>
#include <string_view>
#include <utility>

namespace tofud::net {
namespace {

/// Whoever offers protocols offers ours among them, or is no client of this server (RFC 7301, 3.2).
int choose_protocol(SSL*, const unsigned char** out, unsigned char* out_size,
                    const unsigned char* in, unsigned in_size, void*) {
  static constexpr std::string_view ours{"http/1.1"};
  for (unsigned at = 0; at < in_size; at += in[at] + 1U) {
    const std::string_view offered{reinterpret_cast<const char*>(in) + at + 1, in[at]};
    if (offered != ours) continue;
    *out = in + at + 1;
    *out_size = in[at];
    return SSL_TLSEXT_ERR_OK;
  }
  return SSL_TLSEXT_ERR_ALERT_FATAL;
}

text::result<void> check_dates(const X509* one, const std::string& path) {
  if (X509_cmp_current_time(X509_get0_notAfter(one)) < 0) {
    return text::failure{error::expired, path, date_of(X509_get0_notAfter(one))};
  }
  if (X509_cmp_current_time(X509_get0_notBefore(one)) > 0) {
    return text::failure{error::not_yet_valid, path, date_of(X509_get0_notBefore(one))};
  }
  return {};
}

/// When the first of a chain is over, and all of it with that.
time end_of(const std::vector<certificate>& chain) {
  time first = time::max();
  for (const auto& one : chain) {
    std::tm parts{};
    if (ASN1_TIME_to_tm(X509_get0_notAfter(one.get()), &parts) != 1) continue;
    first = std::min(first, time{std::chrono::seconds{::timegm(&parts)}});
  }
  return first;
}

std::string first_name(X509* one) {
  std::string found;
  auto* names =
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(one, NID_subject_alt_name, nullptr, nullptr));
  for (int i = 0; found.empty() && i < sk_GENERAL_NAME_num(names); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names, i);
    if (name->type != GEN_DNS) continue;
    std::string_view text{reinterpret_cast<const char*>(ASN1_STRING_get0_data(name->d.dNSName)),
                          static_cast<std::size_t>(ASN1_STRING_length(name->d.dNSName))};
    if (!text.starts_with("*.")) found = text;
  }
  GENERAL_NAMES_free(names);
  return found;
}

}  // namespace

void tls_context::freed::operator()(ssl_ctx_st* context) const { SSL_CTX_free(context); }

tls_context::tls_context(tls_files files) : files_{std::move(files)} {}
tls_context& tls_context::operator=(tls_context&& other) noexcept = default;
tls_context::~tls_context() = default;

text::result<std::unique_ptr<tls_context>> tls_context::open(tls_files files) {
  std::unique_ptr<tls_context> made{new tls_context{std::move(files)}};
  if (const auto done = made->read(); !done) return done.error();
  return made;
}

text::result<void> tls_context::read() {
  auto chain = read_certificates(files_.certificate);
  if (!chain) return chain.error();
  auto key = read_private_key(files_.key);
  if (!key) return key.error();
  X509* own = chain->front().get();
  if (X509_check_private_key(own, key->key.get()) != 1) {
    ERR_clear_error();
    return text::failure{error::key_of_another, files_.key, files_.certificate};
  }
  for (const auto& one : *chain) {
    if (auto valid = check_dates(one.get(), files_.certificate); !valid) return valid;
  }

  context made{SSL_CTX_new(TLS_server_method())};
  if (!made) return text::failure{error::no_tls, openssl_complaint()};
  SSL_CTX* on = made.get();
  SSL_CTX_set_min_proto_version(on, TLS1_2_VERSION);
  SSL_CTX_set_options(on, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_mode(on, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                           SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_alpn_select_cb(on, choose_protocol, nullptr);
  bool taken =
      SSL_CTX_use_certificate(on, own) == 1 && SSL_CTX_use_PrivateKey(on, key->key.get()) == 1;
  for (std::size_t i = 1; taken && i < chain->size(); ++i) {
    taken = SSL_CTX_add1_chain_cert(on, (*chain)[i].get()) == 1;
  }
  if (!taken) {
    return text::failure{error::unusable_certificate, files_.certificate, openssl_complaint()};
  }

  current_ = std::move(made);
  name_ = first_name(own);
  warnings_.clear();
  if (key->others_may_read) {
    warnings_.push_back("every user of this machine can read the key in " + files_.key +
                        "; `chmod 600` keeps it to its owner");
  }
  expires_at_ = end_of(*chain);
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  std::string soon = expiry_warning(files_.certificate, expires_at_, now);
  if (!soon.empty()) warnings_.push_back(std::move(soon));
  return {};
}

ssl_st* tls_context::make() const {
  SSL* made = SSL_new(current_.get());
  if (made == nullptr) throw std::bad_alloc{};
  SSL_set_accept_state(made);
  return made;
}

}  // namespace tofud::net
