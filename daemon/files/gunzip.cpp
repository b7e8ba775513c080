#include "daemon/files/gunzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <utility>

namespace tofud::files {
namespace {

constexpr std::string_view magic = "\x1f\x8b";
constexpr int gzip_only = 16 + MAX_WBITS;

}  // namespace

struct gunzip::state {
  enum class kind { undecided, plain, compressed } what = kind::undecided;
  std::string head;  // the first byte, while the second one decides
  z_stream stream{};
  bool in_member = false;
  bool ready = false;

  ~state() {
    if (ready) inflateEnd(&stream);
  }
};

gunzip::gunzip(sink to) : to_{std::move(to)}, state_{std::make_unique<state>()} {}
gunzip::~gunzip() = default;

std::string gunzip::feed(std::string_view bytes) {
  using kind = state::kind;
  if (bytes.empty()) return "";
  if (state_->what == kind::plain) {
    to_(bytes);
    return "";
  }
  if (state_->what == kind::compressed) return inflate(bytes);
  state_->head.append(bytes);
  const std::string_view head = state_->head;
  if (head.size() < magic.size() && magic.starts_with(head)) return "";
  state_->what = head.starts_with(magic) ? kind::compressed : kind::plain;
  return feed(std::exchange(state_->head, {}));
}

std::string gunzip::inflate(std::string_view bytes) {
  z_stream& stream = state_->stream;
  if (!state_->ready) {
    if (inflateInit2(&stream, gzip_only) != Z_OK) return "can't be uncompressed: not enough memory";
    state_->ready = state_->in_member = true;
  }
  std::array<unsigned char, 65536> room{};
  // zlib takes no const and changes nothing.
  stream.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<unsigned>(bytes.size());
  do {
    if (!state_->in_member) {
      inflateReset(&stream);
      state_->in_member = true;
    }
    stream.next_out = room.data();
    stream.avail_out = static_cast<unsigned>(room.size());
    const int code = ::inflate(&stream, Z_NO_FLUSH);
    const std::size_t count = room.size() - stream.avail_out;
    to_({reinterpret_cast<const char*>(room.data()), count});
    if (code == Z_STREAM_END)
      state_->in_member = false;
    else if (code != Z_OK && code != Z_BUF_ERROR)
      return std::string{"is not valid gzip data: "} +
             (stream.msg == nullptr ? "damaged" : stream.msg);
    if (code == Z_BUF_ERROR) break;  // needs more
  } while (stream.avail_in > 0 || stream.avail_out == 0);
  return "";
}

std::string gunzip::end() {
  if (!state_->head.empty()) to_(state_->head);
  state_->head.clear();
  return state_->ready && state_->in_member ? "is truncated: its compressed data ends too early"
                                            : "";
}

}  // namespace tofud::files
