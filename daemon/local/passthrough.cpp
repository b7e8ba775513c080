#include "daemon/local/passthrough.hpp"

#include "daemon/files/limits.hpp"
#include "daemon/files/write_all.hpp"

#include <unistd.h>
#include <vector>

namespace tofud {

passthrough::passthrough(keeper::worker_link& link) : link_{link}, thread_{[this] { run(); }} {}

passthrough::~passthrough() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void passthrough::wake() {
  {
    const std::lock_guard lock{mutex_};
    woken_ = true;
  }
  changed_.notify_one();
}

bool passthrough::finished() const {
  const std::lock_guard lock{mutex_};
  return finished_;
}

void passthrough::run() {
  auto& page = *link_.page;
  std::vector<char> room(limits::read_bytes);
  bool works = true;
  std::unique_lock lock{mutex_};
  for (;;) {
    changed_.wait(lock, [this] { return woken_ || stopping_; });
    if (stopping_) return;
    woken_ = false;
    lock.unlock();
    // Read before the loop: what is stored after it is announced by another wake.
    const bool over = page.eof != 0;
    while (works) {
      const std::size_t count = link_.read_stored(page.passed_on, room);
      if (count == 0) break;
      works = files::write_all(STDOUT_FILENO, {room.data(), count});
      page.passed_on += count;
    }
    if (over && works && page.drained > page.stored) {
      const keeper::stream_tail tail = keeper::read_tail(page);
      works = files::write_all(STDOUT_FILENO, tail.bytes);
    }
    lock.lock();
    if (over || !works) {
      finished_ = true;
      return;
    }
  }
}

}  // namespace tofud
