#include "daemon/forward/attachment_body.hpp"

#include "protocol/limits.hpp"

#include <zlib.h>

#include <array>
#include <fstream>
#include <string_view>
#include <utility>

namespace tofud::forward {
namespace {

constexpr int gzip_format = 16 + MAX_WBITS;
constexpr int level = 6;
constexpr int memory_level = 8;  // zlib's default

}  // namespace

struct attachment_body::state {
  state(const std::string& path, const std::shared_ptr<const redact::ready_rules>& by)
      : file{path, std::ios::binary}, redactor{by} {}
  ~state() {
    if (ready) deflateEnd(&stream);
  }
  state(const state&) = delete;
  state& operator=(const state&) = delete;

  /// Appends what comes out of it to the body.
  void pack(std::string_view bytes, int flush) {
    // zlib takes no const and changes nothing.
    stream.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<unsigned>(bytes.size());
    do {
      std::array<unsigned char, 16384> room{};
      stream.next_out = room.data();
      stream.avail_out = static_cast<unsigned>(room.size());
      ::deflate(&stream, flush);  // fails only where the stream was damaged
      body.append(reinterpret_cast<const char*>(room.data()), room.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }

  void redact(std::string_view bytes) {
    std::string out;
    for (std::size_t newline = bytes.find('\n'); newline != std::string_view::npos;
         newline = bytes.find('\n')) {
      held.append(bytes.substr(0, newline));
      redactor.redact(held, out);
      out.push_back('\n');
      held.clear();
      bytes.remove_prefix(newline + 1);
    }
    held.append(bytes);
    pack(out, Z_NO_FLUSH);
  }

  progress fails(std::string why) {
    failure = std::move(why);
    return progress::failed;
  }

  std::ifstream file;
  redact::document_redactor redactor;
  z_stream stream{};
  bool ready = false;
  std::string held;  // a line that has not ended
  std::string body, failure;
};

attachment_body::attachment_body(const std::string& path,
                                 const std::shared_ptr<const redact::ready_rules>& by)
    : state_{std::make_unique<state>(path, by)} {}
attachment_body::~attachment_body() = default;

attachment_body::progress attachment_body::step() {
  state& now = *state_;
  if (!now.ready) {
    if (!now.file) return now.fails("can't be read");
    if (deflateInit2(&now.stream, level, Z_DEFLATED, gzip_format, memory_level,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      return now.fails("can't be compressed: no memory");
    }
    now.ready = true;
  }
  std::array<char, limits::read_bytes> room{};
  now.file.read(room.data(), room.size());
  if (now.file.bad()) return now.fails("can't be read");
  now.redact({room.data(), static_cast<std::size_t>(now.file.gcount())});
  if (now.file) return progress::more;
  std::string out;
  now.redactor.redact(now.held, out);
  now.pack(out, Z_FINISH);
  if (now.body.size() > limits::attachment_body_bytes) return now.fails("is too large to be sent");
  return progress::done;
}

std::string attachment_body::take() { return std::move(state_->body); }
const std::string& attachment_body::failure() const { return state_->failure; }

}  // namespace tofud::forward
