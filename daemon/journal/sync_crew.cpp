#include "daemon/journal/sync_crew.hpp"

#include <system_error>

namespace tofud::journal {

sync_crew::sync_crew(std::size_t helpers) {
  helpers_.reserve(helpers);
  try {
    while (helpers_.size() < helpers) helpers_.emplace_back([this] { help(); });
  } catch (const std::system_error&) {  // the caller works alone, if need be
  }
}

sync_crew::~sync_crew() {
  {
    const std::lock_guard held{mutex_};
    stopping_ = true;
  }
  news_.notify_all();
}

void sync_crew::each(std::size_t count, const std::function<void(std::size_t)>& work) {
  if (count == 0) return;
  std::unique_lock held{mutex_};
  work_ = &work;
  next_ = 0;
  left_ = count_ = count;
  if (count > 1) news_.notify_all();
  while (next_ < count_) take_one(held);
  all_done_.wait(held, [this] { return left_ == 0; });
}

void sync_crew::take_one(std::unique_lock<std::mutex>& held) {
  const std::size_t mine = next_++;
  const auto* work = work_;
  held.unlock();
  (*work)(mine);
  held.lock();
  if (--left_ == 0) all_done_.notify_one();
}

void sync_crew::help() {
  std::unique_lock held{mutex_};
  for (;;) {
    news_.wait(held, [this] { return stopping_ || next_ < count_; });
    if (stopping_) return;
    take_one(held);
  }
}

}  // namespace tofud::journal
