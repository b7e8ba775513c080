#include "daemon/net/tls_session.hpp"

#include "protocol/text/sizes.hpp"

#include <boost/asio/error.hpp>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <sys/socket.h>

namespace tofud::net {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

/// A record of TLS. Small pieces that are written together become one.
constexpr std::size_t record_bytes = 16 * limits::kib;

/// Written in one call before others get their turn.
constexpr std::size_t write_turn_bytes = 64 * limits::kib;

// OpenSSL's own socket BIO writes with write(2), which kills a process that does not ignore
// SIGPIPE.
int descriptor_of(BIO* bio) {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(BIO_get_data(bio)));
}

int bio_write(BIO* bio, const char* bytes, int size) {
  BIO_clear_retry_flags(bio);
  const auto sent = ::send(descriptor_of(bio), bytes, static_cast<std::size_t>(size), MSG_NOSIGNAL);
  if (sent < 0 && (errno == EAGAIN || errno == EINTR)) BIO_set_retry_write(bio);
  return static_cast<int>(sent);
}

int bio_read(BIO* bio, char* bytes, int size) {
  BIO_clear_retry_flags(bio);
  const auto got = ::recv(descriptor_of(bio), bytes, static_cast<std::size_t>(size), 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) BIO_set_retry_read(bio);
  if (got == 0) BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
  return static_cast<int>(got);
}

long bio_control(BIO* bio, int command, long, void*) {
  if (command == BIO_CTRL_EOF) return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0 ? 1 : 0;
  return command == BIO_CTRL_FLUSH || command == BIO_CTRL_DUP ? 1 : 0;
}

int bio_create(BIO* bio) {
  BIO_set_init(bio, 1);
  return 1;
}

BIO_METHOD* descriptor_bio() {
  static BIO_METHOD* const method = [] {
    BIO_METHOD* made = BIO_meth_new(BIO_TYPE_SOURCE_SINK | BIO_get_new_index(), "descriptor");
    BIO_meth_set_write(made, bio_write);
    BIO_meth_set_read(made, bio_read);
    BIO_meth_set_ctrl(made, bio_control);
    BIO_meth_set_create(made, bio_create);
    return made;
  }();
  return method;
}

/// The pieces from `first` on that are together at most a record: in place if one does, else
/// copied.
asio::const_buffer next_record(const asio::const_buffer* first, const asio::const_buffer* end,
                               std::size_t skip) {
  static thread_local std::array<char, record_bytes> together;
  const asio::const_buffer here = *first + skip;
  if (here.size() >= record_bytes) return asio::buffer(here, record_bytes);
  if (first + 1 == end) return here;
  std::size_t size = 0;
  for (; first != end && size < together.size(); ++first, skip = 0) {
    size += asio::buffer_copy(asio::buffer(together) + size, *first + skip);
  }
  return asio::buffer(together.data(), size);
}

}  // namespace

std::string openssl_complaint() {
  const unsigned long code = ERR_peek_last_error();
  ERR_clear_error();
  if (code == 0) return "";
  if (ERR_SYSTEM_ERROR(code)) return std::strerror(static_cast<int>(ERR_GET_REASON(code)));
  const char* reason = ERR_reason_error_string(code);
  return reason == nullptr ? "error " + std::to_string(code) : reason;
}

tls_session::tls_session(ssl_st* made, int fd) : ssl_{made} {
  BIO* bio = BIO_new(descriptor_bio());
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a BIO holds a pointer or nothing
  BIO_set_data(bio, reinterpret_cast<void*>(static_cast<std::intptr_t>(fd)));
  SSL_set_bio(ssl_, bio, bio);
}

tls_session::~tls_session() { SSL_free(ssl_); }

error_code tls_session::failed(int result, readiness& before) {
  const int error = errno;
  switch (SSL_get_error(ssl_, result)) {
    case SSL_ERROR_WANT_READ:
      before = readiness::read;
      return asio::error::would_block;
    case SSL_ERROR_WANT_WRITE:
      before = readiness::write;
      return asio::error::would_block;
    case SSL_ERROR_ZERO_RETURN:
      return asio::error::eof;
    case SSL_ERROR_SYSCALL:
      broken_ = true;
      why_ = error == 0 ? "the connection ended" : std::strerror(error);
      ERR_clear_error();
      if (error == 0) return asio::error::connection_reset;
      return {error, boost::system::system_category()};
    default:
      break;
  }
  broken_ = true;
  const bool cut = ERR_GET_REASON(ERR_peek_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING;
  const long verified = SSL_get_verify_result(ssl_);
  why_ = openssl_complaint();
  if (verified != X509_V_OK) why_ = X509_verify_cert_error_string(verified);
  if (cut) return asio::error::connection_reset;
  return {EPROTO, boost::system::system_category()};
}

error_code tls_session::handshake() {
  ERR_clear_error();
  errno = 0;
  const int result = SSL_do_handshake(ssl_);
  if (result == 1) return {};
  auto before = readiness::read;
  const auto ec = failed(result, before);
  before_read_ = before_write_ = before;
  return ec;
}

std::size_t tls_session::read(asio::mutable_buffer into, error_code& ec) {
  ec = {};
  if (into.size() == 0) return 0;
  ERR_clear_error();
  errno = 0;
  std::size_t size = 0;
  const int result = SSL_read_ex(ssl_, into.data(), into.size(), &size);
  if (result == 1) return size;
  ec = failed(result, before_read_);
  return 0;
}

std::size_t tls_session::peek(asio::mutable_buffer into, error_code& ec) {
  ec = {};
  ERR_clear_error();
  errno = 0;
  std::size_t size = 0;
  const int result = SSL_peek_ex(ssl_, into.data(), into.size(), &size);
  if (result == 1) return size;
  ec = failed(result, before_read_);
  return 0;
}

std::size_t tls_session::write(const asio::const_buffer* from, std::size_t count, error_code& ec) {
  const auto* const end = from + count;
  std::size_t total = 0, skip = 0;
  ec = {};
  while (total < write_turn_bytes) {
    while (from != end && skip == from->size()) ++from, skip = 0;
    if (from == end) break;
    const auto record = next_record(from, end, skip);
    ERR_clear_error();
    errno = 0;
    std::size_t written = 0;
    const int result = SSL_write_ex(ssl_, record.data(), record.size(), &written);
    if (result != 1) {
      ec = failed(result, before_write_);
      if (total > 0 && ec == asio::error::would_block) ec = {};
      break;
    }
    total += written;
    for (std::size_t left = written; left > 0;) {
      const auto step = std::min(left, from->size() - skip);
      left -= step;
      skip += step;
      if (skip == from->size()) ++from, skip = 0;
    }
  }
  return total;
}

void tls_session::end_of_writes() noexcept {
  if (broken_ || SSL_is_init_finished(ssl_) == 0) return;
  ERR_clear_error();
  (void)SSL_shutdown(ssl_);
  ERR_clear_error();
}

bool tls_session::has_pending() const { return SSL_pending(ssl_) > 0; }

const char* tls_session::version() const { return SSL_get_version(ssl_); }

}  // namespace tofud::net
