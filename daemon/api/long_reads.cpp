#include "daemon/api/long_reads.hpp"

#include "daemon/api/errors.hpp"
#include "daemon/api/limits.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <csignal>
#include <exception>
#include <pthread.h>

namespace tofud {

namespace asio = boost::asio;

long_reads::long_reads(asio::io_context& io) : io_{io} {}

long_reads::~long_reads() {
  *self_ = nullptr;
  if (!thread_) return;
  thread_->stop();
  thread_->join();
}

/// Signals are the loop's.
void long_reads::start() {
  sigset_t all{};
  sigset_t before{};
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::make_unique<asio::thread_pool>(1);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void long_reads::post(std::function<void()> work) {
  if (!thread_) start();
  asio::post(*thread_, std::move(work));
}

bool long_reads::draw(const std::string& key, std::function<drawn()> work,
                      std::function<void(const shared_text&)> done) {
  const auto known = std::find_if(kept_.begin(), kept_.end(),
                                  [&key](const auto& each) { return each.first == key; });
  if (known != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, known);
    done(kept_.front().second);
    return true;
  }
  if (const auto others = waiting_.find(key); others != waiting_.end()) {
    others->second.push_back(std::move(done));
    return true;
  }
  if (waiting_.size() >= limits::drawn_answers) return false;
  waiting_[key].push_back(std::move(done));
  post([&io = io_, stays = asio::make_work_guard(io_), self = self_, key,
        work = std::move(work)]() mutable {
    shared_text text;
    try {
      text = std::make_shared<const drawn>(work());
    } catch (const std::exception& e) {
      text = std::make_shared<const drawn>(text::failure{api::error::fault, e.what()});
    }
    asio::post(io, [self, key, text] {
      if (*self == nullptr) return;
      (*self)->keep(key, text);
    });
  });
  return true;
}

void long_reads::keep(const std::string& key, const shared_text& text) {
  const auto waited = waiting_.extract(key);
  // Failures may pass.
  if (*text && (*text)->size() <= limits::drawn_answers_bytes) {
    kept_.emplace_front(key, text);
    kept_bytes_.hold(kept_bytes_.bytes() + (*text)->size());
  }
  while (kept_.size() > limits::drawn_answers ||
         kept_bytes_.bytes() > limits::drawn_answers_bytes) {
    kept_bytes_.hold(kept_bytes_.bytes() - (*kept_.back().second)->size());
    kept_.pop_back();
  }
  if (waited.empty()) return;
  for (const auto& done : waited.mapped()) done(text);
}

std::shared_ptr<const void> long_reads::take_place() {
  if (static_cast<std::size_t>(places_.use_count()) > limits::large_reads) return nullptr;
  return places_;
}

std::shared_ptr<const void> long_reads::take_turn() {
  return turn_.use_count() > 1 ? nullptr : std::shared_ptr<const void>{turn_};
}

http::response too_many_reads() {
  auto busy =
      http::problem(503, "as many large answers are on their way as there may be at a time (" +
                             std::to_string(limits::large_reads) + "); come again");
  busy.headers.push_back({"Retry-After", std::to_string(limits::large_read_again.count())});
  return busy;
}

}  // namespace tofud
