#include "daemon/forward/redacted_window.hpp"

#include "daemon/files/limits.hpp"
#include "daemon/forward/limits.hpp"

#include <algorithm>
#include <utility>

namespace tofud::forward {

redacted_window::redacted_window(files::stream_bytes source, redaction_maker begin_redaction,
                                 std::size_t most_bytes)
    : source_{std::move(source)},
      begin_redaction_{std::move(begin_redaction)},
      redaction_{begin_redaction_(0)},
      most_bytes_{most_bytes},
      room_(limits::read_bytes) {}

void redacted_window::need(std::uint64_t offset) {
  if (offset < begin_) go_back(offset);
  needed_ = offset;
  drop();
}

redacted_window::progress redacted_window::advance(bool source_over) {
  if (all_) return progress::nothing_new;
  if (text().size() >= most_bytes_) return progress::full;
  const std::size_t count = source_(raw_, room_);
  if (count > 0) {
    feed({room_.data(), count});
    drop();
    return progress::more;
  }
  if (!source_over) return progress::nothing_new;
  redaction_.finish(held_);
  all_ = true;
  drop();
  return progress::nothing_new;
}

// Cut behind the last newline: there both streams begin a line.
void redacted_window::feed(std::string_view bytes) {
  const std::size_t lines = bytes.rfind('\n') + 1;  // 0: no newline
  if (lines > 0) {
    redaction_.feed(bytes.substr(0, lines), held_);
    remember(raw_ + lines);
  }
  if (lines < bytes.size()) redaction_.feed(bytes.substr(lines), held_);
  raw_ += bytes.size();
}

void redacted_window::remember(std::uint64_t raw) {
  const std::uint64_t redacted = to();
  if (redacted >= places_.back().redacted + limits::upload_place_every) {
    places_.push_back({raw, redacted});
  }
}

void redacted_window::go_back(std::uint64_t offset) {
  const auto beyond =
      std::upper_bound(places_.begin(), places_.end(), offset,
                       [](std::uint64_t at, const place& each) { return at < each.redacted; });
  const place& nearest = *std::prev(beyond);
  raw_ = nearest.raw;
  begin_ = nearest.redacted;
  held_.clear();
  let_go_ = 0;
  all_ = false;
  redaction_ = begin_redaction_(raw_);
}

std::optional<std::uint64_t> redacted_window::line_at(std::uint64_t raw) const {
  if (raw > raw_) return std::nullopt;
  const auto beyond =
      std::upper_bound(places_.begin(), places_.end(), raw,
                       [](std::uint64_t at, const place& each) { return at < each.raw; });
  place at = *std::prev(beyond);
  const begun_redaction again = begin_redaction_(at.raw);
  std::uint64_t line = at.redacted;
  std::vector<char> room(room_.size());
  std::string out;
  while (at.raw < raw) {
    const std::size_t wanted = std::min<std::uint64_t>(room.size(), raw - at.raw);
    const std::size_t count = source_(at.raw, {room.data(), wanted});
    if (count == 0) break;
    const std::string_view bytes{room.data(), count};
    const std::size_t lines = bytes.rfind('\n') + 1;
    again.feed(bytes.substr(0, lines), out);
    if (lines > 0) line = at.redacted + out.size();
    again.feed(bytes.substr(lines), out);
    at.raw += count;
    at.redacted += out.size();
    out.clear();
  }
  return line;
}

void redacted_window::drop() {
  const auto count = static_cast<std::size_t>(
      std::min<std::uint64_t>(needed_ > begin_ ? needed_ - begin_ : 0, text().size()));
  let_go_ += count;
  begin_ += count;
  if (let_go_ < held_.size() / 2) return;  // moving the rest is to cost less than what went
  held_.erase(0, let_go_);
  let_go_ = 0;
  // After a line of many mebibytes.
  if (held_.capacity() > 4 * most_bytes_ && held_.size() < most_bytes_) held_.shrink_to_fit();
}

std::string_view redacted_window::bytes(std::uint64_t offset, std::size_t count) const {
  return text().substr(static_cast<std::size_t>(offset - begin_), count);
}

}  // namespace tofud::forward
