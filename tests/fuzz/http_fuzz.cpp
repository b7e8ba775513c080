// Any bytes as what a client sends: heads, and bodies behind them. Whatever the cuts, the same
// comes out.
#include "daemon/http/message/body_framing.hpp"
#include "daemon/http/message/head_reader.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace {

using namespace tofud::http;

constexpr std::uint64_t most_bytes = 1000;

/// Everything that was understood of one connection, as text.
class conversation {
 public:
  void feed(std::string_view bytes) {
    pending_ += bytes;
    while (!over_ && step()) {
    }
  }
  const std::string& heard() const { return heard_; }

 private:
  /// False: more bytes are needed.
  bool step() {
    if (in_body_) return body_step();
    const auto state = reader_.feed(pending_);
    pending_.clear();
    if (state == head_reader::state::incomplete) return false;
    if (state == head_reader::state::bad)
      return stop("bad head " + std::to_string(reader_.error().status));
    const auto asked = reader_.take();
    pending_ = reader_.take_rest();
    heard_ += asked.method + " " + asked.path + "?" + asked.query + "\n";
    const auto found = framing_of(asked);
    if (const auto* refused = std::get_if<response>(&found))
      return stop("refused " + std::to_string(refused->status));
    cutter_ = body_cutter{std::get<body_framing>(found), most_bytes};
    in_body_ = true;
    return true;
  }
  bool body_step() {
    std::string content;
    const auto used = cutter_.feed(pending_, content);
    if (used > pending_.size() || content.size() > used) std::abort();
    pending_.erase(0, used);
    heard_ += content;
    taken_ += content.size();
    if (taken_ > most_bytes) std::abort();
    switch (cutter_.now()) {
      case chunked_decoder::state::more:
        if (!pending_.empty()) std::abort();
        return false;
      case chunked_decoder::state::done:
        in_body_ = false;
        taken_ = 0;
        heard_ += "\n";
        return !pending_.empty();
      case chunked_decoder::state::malformed:
        return stop("malformed");
      case chunked_decoder::state::too_long:
        return stop("too long");
    }
    return false;
  }
  bool stop(const std::string& why) {
    heard_ += why;
    over_ = true;
    return false;
  }

  head_reader reader_;
  body_cutter cutter_{body_framing{}, 0};
  std::string pending_, heard_;
  std::uint64_t taken_ = 0;
  bool in_body_ = false, over_ = false;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 4096) return 0;  // every byte is fed alone
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  conversation whole, bytes;
  whole.feed(text);
  for (std::size_t i = 0; i < text.size(); ++i) bytes.feed(text.substr(i, 1));
  if (whole.heard() != bytes.heard()) std::abort();
  return 0;
}
