#include "daemon/forward/attachment_body.hpp"

#include "daemon/files/gzip.hpp"
#include "daemon/files/limits.hpp"
#include "protocol/upload/limits.hpp"

#include <array>
#include <fstream>
#include <string_view>
#include <utility>

namespace tofud::forward {

struct attachment_body::state {
  state(const std::string& path, const std::shared_ptr<const redact::ready_rules>& by)
      : file{path, std::ios::binary}, redactor{by} {}

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
    packing.feed(out);
  }

  progress fails(std::string why) {
    failure = std::move(why);
    return progress::failed;
  }

  std::ifstream file;
  redact::document_redactor redactor;
  files::gzip packing;
  std::string held;  // a line that has not ended
  std::string body, failure;
};

attachment_body::attachment_body(const std::string& path,
                                 const std::shared_ptr<const redact::ready_rules>& by)
    : state_{std::make_unique<state>(path, by)} {}
attachment_body::~attachment_body() = default;

attachment_body::progress attachment_body::step() {
  state& now = *state_;
  if (now.file.fail() && !now.file.eof()) return now.fails("can't be read");
  std::array<char, limits::read_bytes> room{};
  now.file.read(room.data(), room.size());
  if (now.file.bad()) return now.fails("can't be read");
  now.redact({room.data(), static_cast<std::size_t>(now.file.gcount())});
  if (now.file) return progress::more;
  std::string out;
  now.redactor.redact(now.held, out);
  now.packing.feed(out);
  now.body = now.packing.end();
  if (now.body.empty()) return now.fails("can't be compressed: not enough memory");
  if (now.body.size() > limits::attachment_body_bytes) return now.fails("is too large to be sent");
  return progress::done;
}

std::string attachment_body::take() { return std::move(state_->body); }
const std::string& attachment_body::failure() const { return state_->failure; }

}  // namespace tofud::forward
