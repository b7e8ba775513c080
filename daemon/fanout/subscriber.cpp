#include "daemon/fanout/subscriber.hpp"

#include "daemon/fanout/hub_state.hpp"

#include <utility>

namespace tofud::fanout {

std::string framed(const std::vector<std::string>& lines, framing frames) {
  std::string text, out;
  for (const auto& line : lines) text.append(line) += '\n';
  if (frames == framing::lines) return text;
  append_sse(out, text);
  return out;
}

subscriber::subscriber(admission admitted, framing frames)
    : hub_{std::move(admitted.hub)},
      topic_{std::move(admitted.topic)},
      permit_{std::move(admitted.permit)},
      where_{admitted.where},
      wanted_{std::move(admitted.wanted)},
      told_{framed(admitted.greeting, frames), admitted.not_current},
      refused_{std::move(admitted.refused)},
      frames_{frames},
      end_close_{admitted.end_close} {
  if (topic_) watches_ = topic_->watched;
  if (admitted.is_reset && frames == framing::sse) append_sse_nowhere(told_.greeting);
}

subscriber::~subscriber() { leave(); }

void subscriber::begin() { hub_->begin(*this); }

void subscriber::sent() {
  hub_->guarded(*this, [this] { hub_->sent(*this); });
}

void subscriber::leave() noexcept { hub_->leave(*this); }

void subscriber::closing_by_itself(close_code code) {
  if (!closing_) closed_with_ = code;
  closing_ = true;
  closing_since_ = std::chrono::steady_clock::now();
  topic_hook::unlink();
}

void subscriber::floods() { ++hub_->counts.flooding; }

void subscriber::sends_too_much() { ++hub_->counts.long_messages; }

void subscriber::log_failure(std::string_view what) noexcept { hub_->log_failure(what); }

}  // namespace tofud::fanout
