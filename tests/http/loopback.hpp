// Server and clients of a test on one loop in one thread: whoever waits lets the loop run.
#pragma once

#include "daemon/http/listener.hpp"

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <fcntl.h>
#include <functional>
#include <netinet/in.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tofud::tests {

/// Runs `io` until `happened`; false after ten seconds, which only a failing test waits for.
inline bool wait_until(boost::asio::io_context& io, const std::function<bool()>& happened) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds{10};
  while (!happened()) {
    if (std::chrono::steady_clock::now() > give_up) return false;
    io.restart();
    io.run_for(std::chrono::milliseconds{1});
  }
  return true;
}

/// A plain socket of the test. Not blocking, so that the server gets its turn.
class client {
 public:
  enum class receive_buffer { usual, small };

  client(boost::asio::io_context& io, std::uint16_t port,
         receive_buffer buffer = receive_buffer::usual)
      : io_{&io}, fd_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
    if (buffer == receive_buffer::small) {
      const int bytes = 4096;
      (void)::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    }
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
    (void)::fcntl(fd_, F_SETFL, O_NONBLOCK);
  }
  /// By a Unix socket.
  client(boost::asio::io_context& io, const std::string& path)
      : io_{&io}, fd_{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    EXPECT_LT(path.size(), sizeof to.sun_path);
    path.copy(to.sun_path, sizeof to.sun_path - 1);
    EXPECT_EQ(::connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
    (void)::fcntl(fd_, F_SETFL, O_NONBLOCK);
  }
  client(client&& other) noexcept
      : io_{other.io_},
        fd_{std::exchange(other.fd_, -1)},
        got_{std::move(other.got_)},
        ended_{other.ended_} {}
  client& operator=(client&& other) noexcept {
    std::swap(io_, other.io_);
    std::swap(fd_, other.fd_);
    std::swap(got_, other.got_);
    std::swap(ended_, other.ended_);
    return *this;
  }
  ~client() { hang_up(); }

  void hang_up() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  void send(std::string_view bytes) {
    EXPECT_EQ(::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  void end_of_requests() { ::shutdown(fd_, SHUT_WR); }

  /// Takes what has arrived.
  void receive() {
    std::array<char, 65536> buffer;
    for (;;) {
      const auto size = ::recv(fd_, buffer.data(), buffer.size(), 0);
      if (size > 0) {
        got_.append(buffer.data(), static_cast<std::size_t>(size));
        continue;
      }
      if (size == 0 || errno != EAGAIN) ended_ = true;
      return;
    }
  }
  bool until(const std::function<bool()>& happened) {
    return wait_until(*io_, [&] {
      receive();
      return happened();
    });
  }
  bool until_got(std::string_view text) {
    return until([&] { return got_.find(text) != std::string::npos; });
  }
  bool until_end() {
    return until([&] { return ended_; });
  }

  const std::string& got() const { return got_; }
  bool ended() const { return ended_; }
  int status() const { return got_.size() > 12 ? std::atoi(got_.c_str() + 9) : 0; }
  std::string head() const { return got_.substr(0, got_.find("\r\n\r\n") + 2); }
  std::string after_head() const {
    const auto end = got_.find("\r\n\r\n");
    return end == std::string::npos ? std::string{} : got_.substr(end + 4);
  }
  void forget() { got_.clear(); }
  int fd() const { return fd_; }

 private:
  boost::asio::io_context* io_;
  int fd_;
  std::string got_;
  bool ended_ = false;
};

/// The bytes of a chunked body as far as they came; `complete` if its end did.
struct chunked_body {
  std::string bytes;
  bool complete = false;
};

inline chunked_body unchunked(std::string_view body) {
  chunked_body out;
  for (;;) {
    const auto end = body.find("\r\n");
    if (end == std::string_view::npos) return out;
    const auto size = std::stoul(std::string{body.substr(0, end)}, nullptr, 16);
    body.remove_prefix(end + 2);
    if (size == 0) {
      out.complete = body == "\r\n";
      return out;
    }
    if (body.size() < size + 2) return out;
    out.bytes.append(body.substr(0, size));
    body.remove_prefix(size + 2);
  }
}

/// Frames from a server (never masked), as far as they are whole.
struct ws_frame {
  int opcode = 0;
  std::string payload;
  bool final = false;
};

inline std::vector<ws_frame> frames(std::string_view bytes) {
  std::vector<ws_frame> out;
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(bytes[i]); };
  while (bytes.size() >= 2) {
    std::size_t head = 2;
    std::uint64_t size = byte(1) & 0x7FU;
    const std::size_t extra = size == 126 ? 2 : size == 127 ? 8 : 0;
    if (bytes.size() < head + extra) return out;
    if (extra > 0) size = 0;
    for (std::size_t i = 0; i < extra; ++i) size = size << 8U | byte(2 + i);
    head += extra;
    if (bytes.size() < head + size) return out;
    out.push_back({byte(0) & 0x0F, std::string{bytes.substr(head, size)}, (byte(0) & 0x80U) != 0});
    bytes.remove_prefix(head + size);
  }
  return out;
}

/// The text of all text frames, one after the other.
inline std::string text_of(const std::vector<ws_frame>& all) {
  std::string text;
  for (const auto& one : all) {
    if (one.opcode == 1) text += one.payload;
  }
  return text;
}

/// Code and reason of the close frame; 0 if none came.
struct ws_close {
  int code = 0;
  std::string reason;
};

inline ws_close close_of(const std::vector<ws_frame>& all) {
  for (const auto& one : all) {
    if (one.opcode != 8 || one.payload.size() < 2) continue;
    return {
        static_cast<std::uint8_t>(one.payload[0]) << 8 | static_cast<std::uint8_t>(one.payload[1]),
        one.payload.substr(2)};
  }
  return {};
}

/// A frame as a client sends it, masked with zeros (which is a mask like any other).
inline std::string masked_frame(int first_byte, std::string_view payload) {
  std::string out;
  out += static_cast<char>(first_byte);
  if (payload.size() < 126) {
    out += static_cast<char>(0x80U | payload.size());
  } else {
    out += static_cast<char>(0x80U | 126U);
    out += static_cast<char>(payload.size() >> 8U);
    out += static_cast<char>(payload.size() & 0xFFU);
  }
  out.append(4, '\0');
  return out.append(payload);
}

inline std::string upgrade_request(std::string_view target, std::string_view more_headers = "") {
  std::string head = "GET ";
  head.append(target).append(
      " HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n");
  return head.append(more_headers).append("\r\n");
}

inline std::string get_request(std::string_view target, std::string_view more_headers = "") {
  std::string head = "GET ";
  head.append(target).append(" HTTP/1.1\r\nHost: localhost\r\n");
  return head.append(more_headers).append("\r\n");
}

}  // namespace tofud::tests
