#include "daemon/fanout/line_store.hpp"

#include "daemon/fanout/hub_counts.hpp"

#include <algorithm>
#include <utility>

namespace tofud::fanout {

namespace {
std::uint64_t forgotten_bytes = 0;  // topics come and go, and what is counted must only grow
}

std::uint64_t forgotten_log_bytes() { return forgotten_bytes; }

line_store::line_store(std::size_t keep_bytes, std::size_t chunk_bytes,
                       std::shared_ptr<line_budget> of_all)
    : keep_bytes_{keep_bytes}, chunk_bytes_{chunk_bytes}, of_all_{std::move(of_all)} {}

void line_store::stored::append(const feed::line_change& line, std::size_t chunk_bytes) {
  const std::size_t size = line.json.size() + 1;
  if (chunks.empty() || chunks.back().text.size() + size > chunk_bytes) {
    // A run with a few lines should not hold a whole chunk: only further ones are reserved at once.
    const bool first = chunks.empty();
    chunks.emplace_back();
    if (!first) chunks.back().text.reserve(std::max(chunk_bytes, size));
  }
  chunk& last = chunks.back();
  last.lines.push_back({line.seq, line.subject, static_cast<std::uint32_t>(last.text.size()),
                        line.kind == feed::row_kind::text});
  last.text.append(line.json) += '\n';
  bytes += size;
}

std::size_t line_store::stored::trim(std::size_t keep_bytes) {
  std::size_t gone = 0;
  while (bytes - gone > keep_bytes && chunks.size() > 1) {
    gone += chunks.front().text.size();
    dropped = chunks.front().lines.back().seq;
    chunks.pop_front();
  }
  bytes -= gone;
  return gone;
}

void line_store::append(const feed::line_change& line) {
  held_.append(line, chunk_bytes_);
  trim();
}

void line_store::begin_with(stored lines) {
  held_ = std::move(lines);
  trim();
}

void line_store::trim() {
  forgotten_bytes += held_.trim(keep_bytes_);
  of_all_.hold(held_.bytes);
  while (of_all_.is_too_much() && held_.chunks.size() > 1) {
    forgotten_bytes += held_.trim(held_.bytes - 1);
    of_all_.hold(held_.bytes);
  }
  counted_.hold(held_.bytes);
}

line_store::position line_store::after(feed::sequence seq) const {
  const auto found =
      std::partition_point(held_.chunks.begin(), held_.chunks.end(),
                           [=](const chunk& c) { return c.lines.back().seq <= seq; });
  if (found == held_.chunks.end()) return end();
  const auto line = std::partition_point(found->lines.begin(), found->lines.end(),
                                         [=](const entry& e) { return e.seq <= seq; });
  return {static_cast<std::size_t>(found - held_.chunks.begin()),
          static_cast<std::size_t>(line - found->lines.begin())};
}

line_store::position line_store::next(position line) const {
  if (line.index + 1 < held_.chunks[line.chunk].lines.size()) return {line.chunk, line.index + 1};
  return {line.chunk + 1, 0};
}

feed::row_kind line_store::kind(position line) const {
  return at(line).is_text != 0 ? feed::row_kind::text : feed::row_kind::log;
}

std::string_view line_store::text(position line) const {
  const chunk& in = held_.chunks[line.chunk];
  const std::size_t begin = in.lines[line.index].begin;
  return std::string_view{in.text}.substr(begin, in.end_of(line.index) - begin);
}

line_store::position line_store::copy(std::string& out, position from, feed::sequence upto,
                                      std::size_t room) const {
  while (from != end()) {
    const chunk& in = held_.chunks[from.chunk];
    const std::size_t begin = in.lines[from.index].begin;
    const auto first = in.lines.begin() + static_cast<std::ptrdiff_t>(from.index);
    const auto stop = std::partition_point(first, in.lines.end(), [&](const entry& e) {
      const auto index = static_cast<std::size_t>(&e - in.lines.data());
      return e.seq <= upto && in.end_of(index) - begin <= room;
    });
    const auto index = static_cast<std::size_t>(stop - in.lines.begin());
    if (index > from.index) {
      const std::size_t size = in.end_of(index - 1) - begin;
      out.append(in.text, begin, size);
      room -= size;
    }
    if (index < in.lines.size()) return {from.chunk, index};
    from = {from.chunk + 1, 0};
  }
  return from;
}

}  // namespace tofud::fanout
