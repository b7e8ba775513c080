#include "daemon/files/gzip.hpp"

#include <zlib.h>

#include <array>
#include <utility>

namespace tofud::files {
namespace {

constexpr int gzip_format = 16 + MAX_WBITS;
constexpr int level = 6;
constexpr int memory_level = 8;  // zlib's default

}  // namespace

struct gzip::state {
  std::string made;
  z_stream stream{};
  bool failed = false;

  state() {
    failed = deflateInit2(&stream, level, Z_DEFLATED, gzip_format, memory_level,
                          Z_DEFAULT_STRATEGY) != Z_OK;
  }
  ~state() { deflateEnd(&stream); }
  state(const state&) = delete;
  state& operator=(const state&) = delete;
};

gzip::gzip() : state_{std::make_unique<state>()} {}
gzip::~gzip() = default;

void gzip::feed(std::string_view bytes) { deflate(bytes, Z_NO_FLUSH); }

std::string gzip::end() {
  deflate({}, Z_FINISH);
  return state_->failed ? std::string{} : std::exchange(state_->made, {});
}

void gzip::deflate(std::string_view bytes, int flush) {
  if (state_->failed) return;
  z_stream& stream = state_->stream;
  std::array<unsigned char, 65536> room{};
  // zlib takes no const and changes nothing.
  stream.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<unsigned>(bytes.size());
  do {
    stream.next_out = room.data();
    stream.avail_out = static_cast<unsigned>(room.size());
    const int code = ::deflate(&stream, flush);
    state_->failed = code == Z_STREAM_ERROR;
    state_->made.append(reinterpret_cast<const char*>(room.data()), room.size() - stream.avail_out);
  } while (!state_->failed && stream.avail_out == 0);
}

}  // namespace tofud::files
