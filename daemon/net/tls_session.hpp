// TLS on one descriptor that does not block: OpenSSL does its part at once and says what to wait
// for.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

struct ssl_st;  // OpenSSL's SSL

namespace tofud::net {

/// What the descriptor has to be ready for before the same call is tried again. Not always what
/// one expects: an answer to the peer's new keys is written by a read.
enum class readiness : std::uint8_t { read, write };

/// One connection. Calls end with asio's `would_block` where a socket's would; with `eof` when the
/// peer said goodbye, `connection_reset` when it went without. After any other error the connection
/// is of no use. The descriptor is the owner's, who calls nothing here once it is closed.
class tls_session {
 public:
  /// Takes `made`, which knows its side (server or client) and has no descriptor yet.
  tls_session(ssl_st* made, int fd);
  tls_session(const tls_session&) = delete;
  tls_session& operator=(const tls_session&) = delete;
  ~tls_session();

  boost::system::error_code handshake();
  std::size_t read(boost::asio::mutable_buffer into, boost::system::error_code& ec);
  /// Leaves the bytes where they are.
  std::size_t peek(boost::asio::mutable_buffer into, boost::system::error_code& ec);
  /// Writes as much as the descriptor takes, in records of up to 16 KiB. After `would_block` the
  /// next call has to begin with the same bytes: they may be encrypted already.
  std::size_t write(const boost::asio::const_buffer* from, std::size_t count,
                    boost::system::error_code& ec);
  /// Says goodbye (close_notify) if that can be done at once. Reading goes on.
  void end_of_writes() noexcept;

  /// Bytes are here that no readiness of the descriptor will tell of.
  bool has_pending() const;
  readiness before_read() const { return before_read_; }
  readiness before_write() const { return before_write_; }
  /// Why the last call failed, for people: OpenSSL's words, or what is wrong with a certificate.
  const std::string& why() const { return why_; }
  /// Such as "TLSv1.3"; of a finished handshake.
  const char* version() const;

 private:
  boost::system::error_code failed(int result, readiness& before);

  ssl_st* ssl_;
  std::string why_;
  readiness before_read_ = readiness::read, before_write_ = readiness::write;
  bool broken_ = false;  // nothing may be said any more
};

/// The newest of OpenSSL's complaints in this thread, which are forgotten; "" if there is none.
std::string openssl_complaint();

}  // namespace tofud::net
