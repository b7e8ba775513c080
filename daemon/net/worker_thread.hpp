// Work that would hold the loop.
#pragma once

#include "daemon/net/task.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include <functional>
#include <memory>
#include <utility>

namespace tofud::net {

/// One thread, which starts with the first work and does one after the other. Signals are the
/// loop's.
class worker_thread {
 public:
  explicit worker_thread(boost::asio::io_context& io) : io_{io} {}
  /// Waits for what is being done; what has not begun is not done, and nobody is told.
  ~worker_thread();
  worker_thread(const worker_thread&) = delete;
  worker_thread& operator=(const worker_thread&) = delete;

  /// Tells nobody. `work` throws nothing.
  void post(std::function<void()> work);

  /// What `work` returned; it throws nothing. The loop goes on until then. What `work` and who
  /// waits refer to is let go of on the loop.
  template <class T>
  task<T> result_of(std::function<T()> work) {
    return given<T>([this, work = std::move(work)](std::function<void(T)> give) mutable {
      post([&io = io_, stays = boost::asio::make_work_guard(io_), work = std::move(work),
            give = std::move(give)]() mutable {
        T made = work();
        boost::asio::post(io, [made = std::move(made), work = std::move(work),
                               give = std::move(give)]() mutable { give(std::move(made)); });
      });
    });
  }

 private:
  boost::asio::io_context& io_;
  std::unique_ptr<boost::asio::thread_pool> thread_;
};

}  // namespace tofud::net
