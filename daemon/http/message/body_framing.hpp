// Where the body of a request ends: read from its head, then followed through its bytes.
#pragma once

#include "daemon/http/message/chunked_decoder.hpp"
#include "daemon/http/message/request.hpp"
#include "daemon/http/message/response.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace tofud::http {

struct body_framing {
  enum class kind : std::uint8_t { none, length, chunked, raw } by = kind::none;  // raw: to the end
  std::uint64_t length = 0;
  /// Bytes may follow the head.
  bool is_empty() const { return by == kind::none || (by == kind::length && length == 0); }
};

/// RFC 9112, 6. A head whose body could be read in two ways is refused (400), since somebody before
/// us may have read it the other way; after a refusal the connection is no use any more.
std::variant<body_framing, response> framing_of(const request& asked);

/// Cuts the body off the bytes that follow a head. Passive.
class body_cutter {
 public:
  body_cutter(const body_framing& framing, std::uint64_t most_bytes);

  /// Appends content to `out` and returns how many bytes belong to the body.
  std::size_t feed(std::string_view bytes, std::string& out);
  chunked_decoder::state now() const;
  /// Most bytes worth reading; what is read beyond belongs to the next request.
  std::uint64_t wanted() const;

 private:
  body_framing::kind by_;
  std::uint64_t left_;  // of a length, or of what is allowed
  chunked_decoder chunks_;
  bool too_long_ = false;
};

}  // namespace tofud::http
