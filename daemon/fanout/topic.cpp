#include "daemon/fanout/topic.hpp"

#include <cassert>
#include <utility>

namespace tofud::fanout {

topic::topic(std::string name, std::string run_path, std::string epoch, feed::row_source source,
             topic_limits limits)
    : name_{std::make_shared<const std::string>(std::move(name))},
      run_path_{std::move(run_path)},
      epoch_{std::move(epoch)},
      source_{std::move(source)},
      limits_{std::move(limits)},
      lines_{limits_.lines_bytes, limits_.chunk_bytes, limits_.all_lines} {}

void topic::advance(feed::sequence seq) {
  assert(seq > head_ && "sequence numbers only grow");
  head_ = seq;
}

void topic::begin_with(const std::vector<feed::sequence>& seq_of_rows, feed::sequence head,
                       line_store::stored lines) {
  rows_.begin_with(seq_of_rows);
  head_ = head;
  lines_.begin_with(std::move(lines));
}

void topic::change(feed::row_change change) {
  advance(change.seq);
  rows_.change(change);
}

void topic::append(const feed::line_change& line) {
  advance(line.seq);
  lines_.append(line);
}

void topic::view_changed() { ++view_version_; }

void topic::forecast_changed(feed::row_number forecast) {
  forecasts_.change({forecast, ++forecast_version_});
}

void topic::remove(feed::row_number row, feed::row_kind kind, std::string key, feed::sequence seq) {
  advance(seq);
  rows_.remove(row);
  removals_.push_back({seq, kind, std::move(key)});
}

void topic::forget_removed(feed::sequence seq) {
  while (!removals_.empty() && removals_.front().seq <= seq) {
    forgotten_ = removals_.front().seq;
    removals_.pop_front();
  }
}

void topic::end() { ended_ = true; }

std::optional<std::string_view> topic::reset_reason(const feed::position& since) const {
  if (since.epoch != epoch_) return "epoch";
  if (since.seq > head_) return "head";
  if (since.seq < forgotten_) return "removed";
  return std::nullopt;
}

}  // namespace tofud::fanout
