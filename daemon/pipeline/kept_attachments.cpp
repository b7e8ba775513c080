#include "daemon/pipeline/kept_attachments.hpp"

#include <utility>

namespace tofud {

kept_attachments::kept_attachments(const kept_stream& stream, listeners to)
    : stream_{stream}, to_{std::move(to)} {}

void kept_attachments::pass(std::string_view bytes) {
  if (const std::string* path = stream_.path()) attached_.add_kept(*path, stream_.said());
  for (;;) {
    if (const auto known = attached_.due(offset_)) to_.attach(known);
    if (bytes.empty()) return;
    const std::string_view piece = bytes.substr(0, attached_.next() - offset_);
    to_.feed(piece);
    offset_ += piece.size();
    bytes.remove_prefix(piece.size());
  }
}

}  // namespace tofud
