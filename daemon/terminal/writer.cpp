#include "daemon/terminal/writer.hpp"

#include "protocol/limits.hpp"

#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace tofud::terminal {

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (count < 0 && errno == EAGAIN) {
      // Somebody else made the shared description non-blocking.
      pollfd room{fd, POLLOUT, 0};
      ::poll(&room, 1, -1);
    } else if (count == 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}

line_writer::line_writer(int fd, std::function<void(std::uint64_t)> written)
    : fd_{fd}, written_{std::move(written)}, thread_{[this] { run(); }} {}

line_writer::~line_writer() { finish(); }

void line_writer::write(std::string_view line, counted is_counted) {
  {
    const std::lock_guard lock{mutex_};
    if (queued_bytes_ + line.size() > limits::terminal_queue_bytes) {
      ++left_out_;
      if (is_counted == counted::yes) ++left_out_counted_;
    } else {
      queue_.push_back({std::string{line} + "\n", is_counted});
      queued_bytes_ += line.size() + 1;
    }
  }
  changed_.notify_one();
}

bool line_writer::drained() const {
  const std::lock_guard lock{mutex_};
  return queue_.empty() && left_out_ == 0 && !writing_;
}

void line_writer::finish() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void line_writer::run() {
  bool works = true;
  std::unique_lock lock{mutex_};
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !queue_.empty() || left_out_ > 0; });
    if (queue_.empty() && left_out_ == 0) return;
    // Everything that waits in one write: fewer calls, and lines of a frame stay together.
    std::string batch;
    std::uint64_t lines = 0;
    while (!queue_.empty() && batch.size() < limits::frame_bytes) {
      const queued& next = queue_.front();
      batch.append(next.text);
      queued_bytes_ -= next.text.size();
      if (next.is_counted == counted::yes) ++lines;
      queue_.pop_front();
    }
    if (left_out_ > 0 && queue_.empty()) {
      batch.append("… ").append(std::to_string(left_out_)).append(" lines left out\n");
      lines += left_out_counted_;
      left_out_ = left_out_counted_ = 0;
    }
    writing_ = true;
    lock.unlock();
    if (works) works = write_all(fd_, batch);
    taken_ += lines;
    if (written_) written_(taken_);
    lock.lock();
    writing_ = false;
  }
}

}  // namespace tofud::terminal
