#include "daemon/fanout/wall.hpp"

#include <algorithm>
#include <random>
#include <string_view>
#include <utility>

namespace tofud::fanout {

wall::wall(std::string epoch) {
  feed::row_source source;
  source.encode = [this](std::string& out, feed::row_number row, feed::sequence seq) {
    entries_[row].encode(out, seq);
  };
  source.facts = [this](feed::row_number row) {
    return feed::row_facts{entries_[row].kind, {}, {}, {}};
  };
  source.view = [](std::string&) {};
  topic_ = std::make_unique<fanout::topic>("wall", "", std::move(epoch), std::move(source));
}

feed::row_number wall::add(feed::row_kind kind, std::string key, encoder encode) {
  entries_.push_back({kind, std::move(key), std::move(encode)});
  return static_cast<feed::row_number>(entries_.size() - 1);
}

void wall::changed(feed::row_number row) {
  // A topic learns of rows in the order of their numbers.
  for (; shown_ < row; ++shown_) topic_->change({shown_, ++seq_});
  shown_ = std::max(shown_, row + 1);
  topic_->change({row, ++seq_});
}

void wall::go_on_from(feed::sequence least) { seq_ = std::max(seq_, least); }

void wall::remove(feed::row_number row) {
  entry& gone = entries_[row];
  gone.encode = nullptr;
  topic_->remove(row, gone.kind, std::move(gone.key), ++seq_);
}

void wall::forget_removed() {
  if (to_forget_ > 0) topic_->forget_removed(to_forget_);
  to_forget_ = seq_;
}

std::string random_epoch() {
  constexpr std::string_view digits =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  std::random_device random;
  std::string epoch;
  for (int i = 0; i < 6; ++i) epoch.push_back(digits[random() % digits.size()]);
  return epoch;
}

}  // namespace tofud::fanout
