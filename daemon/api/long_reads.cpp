#include "daemon/api/long_reads.hpp"

#include "daemon/api/errors.hpp"
#include "daemon/api/limits.hpp"
#include "daemon/operations/doing.hpp"
#include "daemon/operations/held_memory.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <exception>

namespace tofud {

namespace asio = boost::asio;

namespace {

/// As memory, as long as somebody has it.
long_reads::shared_text counted(long_reads::drawn text) {
  struct held_text {
    explicit held_text(long_reads::drawn made)
        : text{std::move(made)},
          held{operations::memory_for::answers, text ? text->capacity() : 0} {}
    const long_reads::drawn text;
    const operations::held_memory held;
  };
  const auto made = std::make_shared<const held_text>(std::move(text));
  return {made, &made->text};
}

}  // namespace

std::shared_ptr<const std::string> text_of(const long_reads::shared_text& drawn) {
  return {drawn, &**drawn};
}

long_reads::long_reads(asio::io_context& io) : io_{io}, thread_{io} {}

long_reads::~long_reads() { *self_ = nullptr; }

bool long_reads::draw(const std::string& key, std::function<drawn()> work,
                      std::function<void(const shared_text&)> done) {
  return draw(
      key, [] { return false; }, std::move(work), std::move(done));
}

bool long_reads::draw(const std::string& key, std::function<bool()> prepare,
                      std::function<drawn()> work, std::function<void(const shared_text&)> done) {
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
  prepare_in_turns(key, std::move(prepare), std::move(work));
  return true;
}

void long_reads::prepare_in_turns(const std::string& key, std::function<bool()> prepare,
                                  std::function<drawn()> work) {
  {
    const operations::doing preparing{"preparing", key};
    if (!prepare()) return work_on(key, std::move(work));
  }
  asio::post(io_,
             [self = self_, key, prepare = std::move(prepare), work = std::move(work)]() mutable {
               if (*self != nullptr)
                 (*self)->prepare_in_turns(key, std::move(prepare), std::move(work));
             });
}

void long_reads::work_on(const std::string& key, std::function<drawn()> work) {
  post([&io = io_, stays = asio::make_work_guard(io_), self = self_, key,
        work = std::move(work)]() mutable {
    shared_text text;
    try {
      text = counted(work());
    } catch (const std::exception& e) {
      text = counted(text::failure{api::error::fault, e.what()});
    }
    // What it was made of is the loop's, and may be the last of it.
    asio::post(io, [self, key, text, work = std::move(work)] {
      if (*self == nullptr) return;
      (*self)->keep(key, text);
    });
  });
}

void long_reads::keep(const std::string& key, const shared_text& text) {
  const auto waited = waiting_.extract(key);
  // Failures may pass.
  if (*text && (*text)->size() <= limits::drawn_answers_bytes) {
    kept_.emplace_front(key, text);
    kept_bytes_ += (*text)->size();
  }
  while (kept_.size() > limits::drawn_answers || kept_bytes_ > limits::drawn_answers_bytes) {
    kept_bytes_ -= (*kept_.back().second)->size();
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

void answer_drawn(long_reads& reads, const std::string& key,
                  const std::function<long_reads::drawn()>& work, const std::string& content_type,
                  const std::function<void(http::response)>& answer) {
  const auto done = [content_type, answer](const long_reads::shared_text& text) {
    if (!*text) return answer(http::problem(500, text->error().text()));
    http::response found;
    found.content_type = content_type;
    found.shared = text_of(text);
    answer(std::move(found));
  };
  if (!reads.draw(key, work, done)) answer(too_many_reads());
}

http::response too_many_reads() {
  auto busy = http::problem(503, "too many large answers are being sent at once (limit " +
                                     std::to_string(limits::large_reads) + "); try again later");
  busy.headers.push_back({"Retry-After", std::to_string(limits::large_read_again.count())});
  return busy;
}

}  // namespace tofud
