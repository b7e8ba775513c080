#include "daemon/wall.hpp"

#include "protocol/feed/encode.hpp"

#include <random>
#include <string_view>
#include <utility>

namespace tofud {

wall::wall(std::string epoch) {
  feed::row_source source;
  source.encode = [this](std::string& out, feed::row_number row, feed::sequence seq) {
    feed::encode(out, runs_[row]->view(), seq);
  };
  source.facts = [](feed::row_number) { return feed::row_facts{feed::row_kind::run, {}, {}, {}}; };
  source.view = [](std::string&) {};
  topic_ = std::make_unique<fanout::topic>("wall", "", std::move(epoch), std::move(source));
}

feed::row_number wall::add(const correlator::run_state& state) {
  runs_.push_back(&state);
  return static_cast<feed::row_number>(runs_.size() - 1);
}

void wall::changed(feed::row_number row) { topic_->change({row, ++seq_}); }

std::string random_epoch() {
  constexpr std::string_view digits =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  std::random_device random;
  std::string epoch;
  for (int i = 0; i < 6; ++i) epoch.push_back(digits[random() % digits.size()]);
  return epoch;
}

}  // namespace tofud
