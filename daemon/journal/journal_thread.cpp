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

void journal_thread::push(job added) {
  std::visit(
      [this](auto& each) {
        const auto stays = asio::make_work_guard(loop_);
        if constexpr (requires { each.done; }) {
          each.done = [stays, done = std::move(each.done)](auto result) {
            done(std::move(result));
          };
        } else {
          each.work = [stays, work = std::move(each.work)]() -> std::function<void()> {
            auto call = work();
            if (!call) return {};
            return [stays, call = std::move(call)] { call(); };
          };
        }
      },
      added);
  {
    const std::lock_guard held{mutex_};
    waiting_.push_back(std::move(added));
  }
  news_.notify_one();
}

void journal_thread::wait_for(const std::function<void()>& work) {
  std::promise<void> finished;
  auto wait = finished.get_future();
  push(other_job{"", [&] {
                   work();
                   finished.set_value();
                   return std::function<void()>{};
                 }});
  wait.get();
}

void journal_thread::run() {
  bool idle_work = true;
  for (;;) {
    std::vector<job> jobs;
    bool last = false;
    {
      std::unique_lock held{mutex_};
      if (!idle_work) news_.wait(held, [this] { return stopping_ || !waiting_.empty(); });
      jobs = std::exchange(waiting_, {});
      last = stopping_ && jobs.empty();
    }
    if (last) return;
    if (!jobs.empty()) {
      writes_.process(std::move(jobs), [this](writer::completions calls) {
        asio::post(loop_, [calls = std::move(calls)] {
          for (const auto& call : calls) call();
        });
      });
    }
    idle_work = in_between_();
  }
}

}  // namespace tofud::journal
