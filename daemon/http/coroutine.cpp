#include "daemon/http/coroutine.hpp"

#include "daemon/operations/log_event.hpp"

#include <boost/asio/co_spawn.hpp>

#include <exception>
#include <utility>

namespace tofud::http {
namespace {

response fault(const std::exception_ptr& thrown) {
  std::string what = "unknown exception";
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& e) {
    what = e.what();
  } catch (...) {  // it has no name
  }
  operations::log_error(operations::events::connection_failed, {}, "request failed: {}", what);
  return problem(500, "internal server error");
}

/// Runs `task` and gives what it answers, or what its exception means.
void answer_by(boost::asio::io_context& io, net::task<response> task,
               std::function<void(response)> answer) {
  boost::asio::co_spawn(
      io, std::move(task),
      [answer = std::move(answer)](const std::exception_ptr& thrown, response given) {
        answer(thrown ? fault(thrown) : std::move(given));
      });
}

}  // namespace

net::task<body::came> body::next(std::string& piece) {
  piece.clear();
  if (state_ == came::piece && piece_.empty()) {
    if (next_piece_) std::exchange(next_piece_, nullptr)(std::nullopt);
    if (state_ == came::piece && piece_.empty()) {
      auto waiting =
          net::given<came>([this](std::function<void(came)> give) { waiting_ = std::move(give); });
      co_await std::move(waiting);
    }
  }
  if (piece_.empty()) co_return state_;
  piece.swap(piece_);
  co_return came::piece;
}

void body::wake() {
  if (waiting_) std::exchange(waiting_, nullptr)(state_);
}

class coroutine_taker : public body_taker {
 public:
  coroutine_taker(boost::asio::io_context& io, const body_coroutine& takes, early_answer when)
      : when_{when} {
    answer_by(io, takes(body_), [shared = shared_, when](response answer) {
      if (when == early_answer::at_once && shared->next)
        return std::exchange(shared->next, nullptr)(std::move(answer));
      if (shared->end) return std::exchange(shared->end, nullptr)(std::move(answer));
      shared->answer = std::move(answer);
      if (shared->next) std::exchange(shared->next, nullptr)(std::nullopt);
    });
  }
  ~coroutine_taker() override { coroutine_taker::broken(); }

  void take(std::string bytes, std::function<void(std::optional<response>)> next) override {
    if (shared_->answer) {
      if (when_ == early_answer::at_end) return next(std::nullopt);
      return next(std::exchange(shared_->answer, std::nullopt));
    }
    body_->piece_ = std::move(bytes);
    shared_->next = std::move(next);
    body_->next_piece_ = [shared = shared_](std::optional<response> none) {
      if (shared->next) std::exchange(shared->next, nullptr)(std::move(none));
    };
    body_->wake();
  }

  void end(std::function<void(response)> answer) override {
    if (shared_->answer) return answer(std::move(*shared_->answer));
    shared_->end = std::move(answer);
    leave(body::came::end);
  }

  void broken() noexcept override {
    try {
      leave(body::came::broken);
    } catch (const std::exception& e) {
      operations::log_error(operations::events::connection_failed, {},
                            "request body was cut off: {}", e.what());
    }
  }

 private:
  void leave(body::came how) {
    if (body_->state_ != body::came::piece) return;
    body_->state_ = how;
    body_->wake();
  }

  struct answering {
    std::function<void(std::optional<response>)> next;  // of the piece that was given
    std::function<void(response)> end;
    std::optional<response> answer;  // before anybody asked for one
  };
  const early_answer when_;
  std::shared_ptr<body> body_ = std::make_shared<body>();
  std::shared_ptr<answering> shared_ = std::make_shared<answering>();
};

std::unique_ptr<body_taker> taken_by(boost::asio::io_context& io, const body_coroutine& takes,
                                     early_answer when) {
  return std::make_unique<coroutine_taker>(io, takes, when);
}

router::later answered_by(boost::asio::io_context& io,
                          std::function<net::task<response>(request)> answers) {
  return [&io, answers = std::move(answers)](const request& asked,
                                             std::function<void(response)> answer) {
    answer_by(io, answers(asked), std::move(answer));
  };
}

router::whole answered_by(boost::asio::io_context& io,
                          std::function<net::task<response>(request, std::string)> answers) {
  return [&io, answers = std::move(answers)](const request& asked, std::string body,
                                             std::function<void(response)> answer) {
    answer_by(io, answers(asked, std::move(body)), std::move(answer));
  };
}

}  // namespace tofud::http
