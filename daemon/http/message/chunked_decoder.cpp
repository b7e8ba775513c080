#include "daemon/http/message/chunked_decoder.hpp"

#include "daemon/http/message/limits.hpp"
#include "protocol/text/ascii.hpp"
#include "protocol/text/sizes.hpp"

#include <algorithm>

namespace tofud::http {
namespace {

/// 64 bits; leading zeros count, too.
constexpr std::uint8_t most_digits = 16;

/// Each chunk's line may have so much for nothing, beside twice the chunk's content.
constexpr std::uint64_t free_overhead = 16;

bool is_text(char c) { return c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F); }

}  // namespace

std::size_t chunked_decoder::feed(std::string_view bytes, std::string& out) {
  std::size_t used = 0;
  while (used < bytes.size() && now_ == state::more) {
    if (at_ != at::data) {
      step(bytes[used++]);
      continue;
    }
    const auto piece =
        static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size() - used));
    out.append(bytes.substr(used, piece));
    used += piece;
    left_ -= piece;
    if (left_ == 0) at_ = at::data_cr;
  }
  return used;
}

void chunked_decoder::take_digit(unsigned digit) {
  if (++digits_ > most_digits) return refuse(state::malformed);
  left_ = left_ << 4U | digit;
}

/// False, and refused, if the lines around the content are out of all proportion to it.
bool chunked_decoder::count_overhead(std::uint64_t bytes) {
  overhead_ += bytes;
  if (overhead_ <= limits::chunk_overhead_bytes) return true;
  refuse(state::malformed);
  return false;
}

void chunked_decoder::begin_data() {
  if (left_ > room_) return refuse(state::too_long);
  room_ -= left_;
  // Twice the content and a little are free; what was used beyond is remembered.
  const std::uint64_t allowed = free_overhead + 2 * std::min<std::uint64_t>(left_, limits::mib);
  overhead_ -= std::min(overhead_, allowed);
  at_ = left_ == 0 ? at::trailer : at::data;
}

void chunked_decoder::step(char c) {
  switch (at_) {
    case at::size:
      if (!count_overhead(1)) return;
      if (const int digit = text::hex_digit(c); digit >= 0)
        return take_digit(static_cast<unsigned>(digit));
      if (digits_ == 0) return refuse(state::malformed);
      [[fallthrough]];
    case at::after_size:
      if (at_ == at::after_size && !count_overhead(1)) return;
      if (c == ';') {
        at_ = at::extension;
      } else if (c == ' ' || c == '\t') {
        at_ = at::after_size;
      } else if (c == '\r' && at_ == at::size) {
        at_ = at::size_lf;
      } else {
        refuse(state::malformed);
      }
      return;
    case at::extension:
      if (!count_overhead(1)) return;
      if (c == '\r') {
        at_ = at::size_lf;
      } else if (!is_text(c)) {
        refuse(state::malformed);
      }
      return;
    case at::size_lf:
      if (c != '\n') return refuse(state::malformed);
      digits_ = 0;
      return begin_data();
    case at::data:
      return;  // taken by `feed`
    case at::data_cr:
      if (c != '\r') return refuse(state::malformed);
      at_ = at::data_lf;
      return;
    case at::data_lf:
      if (c != '\n') return refuse(state::malformed);
      at_ = at::size;
      return;
    case at::trailer:
    case at::in_trailer:
      if (++trailer_bytes_ > limits::trailer_bytes) return refuse(state::malformed);
      if (c == '\r') {
        at_ = at_ == at::trailer ? at::last_lf : at::trailer_lf;
      } else if (is_text(c)) {
        at_ = at::in_trailer;
      } else {
        refuse(state::malformed);
      }
      return;
    case at::trailer_lf:
      if (c != '\n') return refuse(state::malformed);
      at_ = at::trailer;
      return;
    case at::last_lf:
      refuse(c == '\n' ? state::done : state::malformed);
      return;
  }
}

}  // namespace tofud::http
