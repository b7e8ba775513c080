// Takes the chunks off a body (RFC 9112, 7.1). Passive: it is fed and asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tofud::http {

/// Holds no bytes. Extensions and trailers are checked for control characters and forgotten; both
/// are bounded. Lines end in CR LF and nothing else, so that nobody before us reads them otherwise.
class chunked_decoder {
 public:
  /// A chunk that would make the content longer than `most_bytes` is refused at its size line.
  explicit chunked_decoder(std::uint64_t most_bytes) : room_{most_bytes} {}

  enum class state : std::uint8_t { more, done, malformed, too_long };
  /// Appends the content in `bytes` to `out` and returns how many of them belong to the body: all,
  /// unless the state is no longer `more`.
  std::size_t feed(std::string_view bytes, std::string& out);
  state now() const { return now_; }

 private:
  enum class at : std::uint8_t {
    size,        // hexadecimal digits
    after_size,  // blanks before `;`
    extension,   // up to the line's end
    size_lf,     // the LF of that line
    data,        // `left_` bytes
    data_cr,     // the line's end after them
    data_lf,     //
    trailer,     // the begin of a trailer line, or of the last, empty one
    in_trailer,  //
    trailer_lf,  //
    last_lf,     // the LF of the last line
  };

  void step(char c);
  void take_digit(unsigned digit);
  void begin_data();
  void refuse(state why) { now_ = why; }
  bool count_overhead(std::uint64_t bytes);

  std::uint64_t room_;      // for content
  std::uint64_t left_ = 0;  // of the chunk; its size while that is read
  std::uint64_t overhead_ = 0;
  std::size_t trailer_bytes_ = 0;
  std::uint8_t digits_ = 0;
  at at_ = at::size;
  state now_ = state::more;
};

}  // namespace tofud::http
