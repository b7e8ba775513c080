#include "daemon/net/worker_thread.hpp"

#include <csignal>
#include <pthread.h>

namespace tofud::net {

worker_thread::~worker_thread() {
  if (!thread_) return;
  thread_->stop();
  thread_->join();
}

void worker_thread::post(std::function<void()> work) {
  if (!thread_) {
    sigset_t all{};
    sigset_t before{};
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::make_unique<boost::asio::thread_pool>(1);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  boost::asio::post(*thread_, std::move(work));
}

}  // namespace tofud::net
