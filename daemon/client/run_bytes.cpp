#include "daemon/client/run_bytes.hpp"

#include "daemon/client/exchange.hpp"
#include "daemon/client/http_client.hpp"
#include "daemon/client/limits.hpp"
#include "protocol/text/percent.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <exception>
#include <optional>
#include <thread>
#include <utility>

namespace tofud::client {
namespace {

std::string target_of(const std::string& run, std::uint64_t from, until end) {
  std::string target{"/v1/runs/"};
  text::append_percent_encoded(target, run);
  target += "/stream.jsonl?from=" + std::to_string(from);
  return end == until::the_end ? target + "&follow=1" : target;
}

/// A run that goes on may say nothing for hours.
patience patience_of(until end) {
  patience waits;
  if (end == until::the_end) waits.answer = std::chrono::milliseconds{0};
  return waits;
}

}  // namespace

/// Reads a piece ahead, on a loop of its own.
class run_bytes::answer_on_the_way {
 public:
  answer_on_the_way(const place& from, std::string target, until end)
      : from_{from}, client_{io_, from, patience_of(end)} {
    boost::asio::co_spawn(io_, fetch(std::move(target)), [this](const std::exception_ptr& thrown) {
      if (thrown) std::rethrow_exception(thrown);
    });
  }

  void wait(std::chrono::milliseconds most) {
    io_.restart();
    io_.run_one_for(most);
  }
  /// What is there at once.
  std::size_t take(std::span<char> room) {
    io_.restart();
    io_.poll();
    const std::size_t count = std::min(room.size(), there_.size());
    std::copy_n(there_.data(), count, room.data());
    there_.erase(0, count);
    if (there_.empty() && go_on_) std::exchange(go_on_, nullptr)(true);
    return count;
  }
  bool is_over() const { return over_ && there_.empty(); }
  const std::optional<failure>& wrong() const { return wrong_; }

 private:
  net::task<void> fetch(std::string target) {
    auto beginning = client_.begin({"GET", std::move(target)});
    const auto status = co_await std::move(beginning);
    if (!status) {
      wrong_ = status.error();
      co_return;
    }
    std::string room(limits::answer_piece_bytes, '\0'), refusal;
    for (;;) {
      auto reading = client_.read(room);
      const auto count = co_await std::move(reading);
      if (!count) {
        wrong_ = count.error();
        co_return;
      }
      if (*count == 0) break;
      if (*status != 200) {
        refusal.append(room, 0, *count);
        if (refusal.size() > limits::remote_answer_bytes) break;
        continue;
      }
      there_.assign(room, 0, *count);
      auto taken =
          net::given<bool>([this](std::function<void(bool)> give) { go_on_ = std::move(give); });
      co_await std::move(taken);
    }
    over_ = *status == 200;
    if (!over_) wrong_ = meaning_of({*status, {}, std::move(refusal)}, from_);
  }

  const place from_;
  boost::asio::io_context io_{1};
  http_client client_;
  std::string there_;                // not yet taken
  std::function<void(bool)> go_on_;  // reads the next piece
  std::optional<failure> wrong_;
  bool over_ = false;
};

run_bytes::run_bytes(place from, std::string run, until end)
    : from_{std::move(from)}, run_{std::move(run)}, end_{end}, last_{clock::now()} {}
run_bytes::run_bytes(run_bytes&&) noexcept = default;
run_bytes& run_bytes::operator=(run_bytes&&) noexcept = default;
run_bytes::~run_bytes() = default;

boost::system::result<std::size_t, failure> run_bytes::read(std::span<char> room) {
  if (over_) return std::size_t{0};
  if (!answer_) {
    if (clock::now() < try_at_) return std::size_t{0};
    answer_ = std::make_unique<answer_on_the_way>(from_, target_of(run_, had_, end_), end_);
  }
  const std::size_t count = answer_->take(room);
  had_ += count;
  if (count > 0) last_ = clock::now();
  over_ = answer_->is_over();
  if (count == 0 && answer_->wrong()) return lose(*answer_->wrong());
  return count;
}

bool run_bytes::over() const { return over_; }

void run_bytes::wait(std::chrono::milliseconds most) const {
  if (answer_) {
    answer_->wait(most);
  } else {
    std::this_thread::sleep_for(std::min(most, limits::remote_again));
  }
}

boost::system::result<std::size_t, failure> run_bytes::lose(const failure& given) {
  const failure why = given;
  answer_.reset();
  const auto now = clock::now();
  // Who has had nothing yet need not wait to hear that there is nobody.
  const bool may_return = had_ > 0 && (why.what == trouble::silent || why.what == trouble::absent);
  if (!may_return || now - last_ > limits::remote_absence) return why;
  try_at_ = now + limits::remote_again;
  return std::size_t{0};
}

}  // namespace tofud::client
