#include "daemon/journal/journal_thread.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <csignal>
#include <future>
#include <pthread.h>
#include <utility>

namespace tofud::journal {

namespace asio = boost::asio;

journal_thread::journal_thread(asio::io_context& loop, writer& writes,
                               std::function<bool()> in_between)
    : loop_{loop}, writes_{writes}, in_between_{std::move(in_between)} {
  // Signals are the loop's: the new thread inherits a mask that lets none in.
  sigset_t all{};
  sigset_t before{};
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::jthread{[this] { run(); }};
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

journal_thread::~journal_thread() {
  {
    const std::lock_guard held{mutex_};
    stopping_ = true;
  }
  news_.notify_one();
}

/// The loop does not stop for want of work before the completion ran.
template <class Job>
void journal_thread::keep_loop(Job& added) {
  const auto stays = asio::make_work_guard(loop_);
  if constexpr (requires { added.done; }) {
    added.done = [stays, done = std::move(added.done)](auto result) { done(std::move(result)); };
  } else {
    added.work = [stays, work = std::move(added.work)]() -> std::function<void()> {
      auto call = work();
      if (!call) return {};
      return [stays, call = std::move(call)] { call(); };
    };
  }
}

void journal_thread::push(job added) {
  std::visit([this](auto& each) { keep_loop(each); }, added);
  enqueue(std::move(added));
}

void journal_thread::enqueue(job added) {
  {
    const std::lock_guard held{mutex_};
    waiting_.push_back(std::move(added));
  }
  news_.notify_one();
}

void journal_thread::push_later(other_job added) {
  keep_loop(added);
  {
    const std::lock_guard held{mutex_};
    later_.push_back(std::move(added));
  }
  news_.notify_one();
}

void journal_thread::wait_for(const std::function<void()>& work) {
  std::promise<void> finished;
  auto wait = finished.get_future();
  // Without the loop: it has nothing to complete there, and to let go of a loop without other work
  // stops it, perhaps only when the caller has begun to run it.
  enqueue(other_job{"", [&] {
                      work();
                      finished.set_value();
                      return std::function<void()>{};
                    }});
  wait.get();
}

void journal_thread::hand_over(writer::completions calls) {
  asio::post(loop_, [calls = std::move(calls)] {
    for (const auto& call : calls) call();
  });
}

void journal_thread::run() {
  bool idle_work = true;
  for (;;) {
    std::vector<job> jobs;
    std::vector<job> later;
    bool last = false;
    {
      std::unique_lock held{mutex_};
      const auto news = [this] { return stopping_ || !waiting_.empty() || !later_.empty(); };
      if (!idle_work) news_.wait(held, news);
      jobs = std::exchange(waiting_, {});
      if (!later_.empty()) {
        later.emplace_back(std::move(later_.front()));
        later_.pop_front();
      }
      last = stopping_ && jobs.empty() && later.empty();
    }
    if (last) return;
    for (auto* some : {&jobs, &later}) {
      if (some->empty()) continue;
      writes_.process(std::move(*some), [this](auto calls) { hand_over(std::move(calls)); });
    }
    idle_work = in_between_();
  }
}

}  // namespace tofud::journal
