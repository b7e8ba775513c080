#include "daemon/fanout/flush_cache.hpp"

#include "daemon/operations/held_memory.hpp"

#include <utility>

namespace tofud::fanout {
namespace {

/// `lines` moved a cursor from `before` to `after`; if it moved, the last of them is its `at`.
std::shared_ptr<const std::string> framed(std::string_view lines, const cursor& before,
                                          const cursor& after, framing how,
                                          std::string_view epoch) {
  if (lines.empty()) return nullptr;
  if (how == framing::lines) return counted_flush(std::string{lines});
  std::string events;
  events.reserve(lines.size() + lines.size() / 16);
  if (before.at == after.at && before.live == after.live) {
    append_sse(events, lines);
  } else {
    const std::size_t at = lines.substr(0, lines.size() - 1).rfind('\n') + 1;  // npos + 1 is 0
    append_sse(events, lines.substr(0, at));
    append_sse_at(events, lines.substr(at), epoch, after.at);
  }
  return counted_flush(std::move(events));
}

}  // namespace

std::shared_ptr<const std::string> counted_flush(std::string bytes) {
  struct flushed {
    explicit flushed(std::string text)
        : bytes{std::move(text)}, held{operations::memory_for::flushes, bytes.capacity()} {}
    const std::string bytes;
    const operations::held_memory held;
  };
  auto made = std::make_shared<const flushed>(std::move(bytes));
  return {made, &made->bytes};
}

flush_cache::flush_cache(std::size_t flushes) : most_{flushes} {}

bool flush_cache::holds(const entry& known, const topic& from) {
  // A flush of long ago may show a row whose removal has been forgotten since.
  if (known.topic != from.identity() || known.forgotten != from.forgotten()) return false;
  if (known.made.did == filled::more) return true;
  return known.head == from.head() && known.view == from.view_version() &&
         known.forecast == from.forecast_version();
}

flush flush_cache::next(const topic& from, cursor& where, const feed::filter& wanted, framing how) {
  for (const entry& known : entries_) {
    if (known.before == where && known.how == how && known.wanted == wanted && holds(known, from)) {
      where = known.after;
      return known.made;
    }
  }
  const cursor before = where;
  lines_.clear();
  const filled did = from.fill(where, wanted, lines_);
  if (did == filled::nothing) return {};
  flush made{did, framed(lines_, before, where, how, from.epoch())};
  if (most_ == 0) return made;
  entry fresh{from.identity(),
              before,
              where,
              wanted,
              how,
              from.head(),
              from.forgotten(),
              from.view_version(),
              from.forecast_version(),
              made};
  if (entries_.size() < most_) {
    entries_.push_back(std::move(fresh));
  } else {
    entries_[oldest_] = std::move(fresh);
    oldest_ = (oldest_ + 1) % most_;
  }
  return made;
}

}  // namespace tofud::fanout
