// Cuts a request head off a byte stream and reads it. Passive: it is fed and asked.
#pragma once

#include "daemon/http/message/request.hpp"
#include "daemon/net/limits.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tofud::http {

/// Why a head was refused; the connection ends with this answer, since where the next request would
/// begin is unknown.
struct bad_head {
  int status = 400;
  std::string message;
};

/// Holds at most `most_bytes` of an unfinished head (and one read beyond).
class head_reader {
 public:
  explicit head_reader(std::size_t most_bytes = limits::header_bytes);
  ~head_reader();
  head_reader(const head_reader&) = delete;
  head_reader& operator=(const head_reader&) = delete;

  enum class state { incomplete, complete, bad };
  /// Takes bytes, and reads as far as it can.
  state feed(std::string_view bytes);
  /// The request of a complete head, then what followed it; the reader is ready for the next one.
  request take();
  /// Bytes after the head, or of an unfinished one.
  std::string take_rest();
  /// Puts bytes back, or there in the first place; they are read by the next `feed`.
  void give_back(std::string rest) { bytes_ = std::move(rest) + bytes_; }
  bool empty() const { return bytes_.empty(); }
  const bad_head& error() const { return error_; }

 private:
  state refuse(int status, std::string_view message);
  std::optional<state> judge_first_line();

  std::size_t most_bytes_;
  std::string bytes_;
  request head_;
  bad_head error_;
  bool first_line_judged_ = false;
  std::size_t blank_lines_ = 0;  // before the request
};

}  // namespace tofud::http
