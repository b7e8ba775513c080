#include "daemon/terminal/writer.hpp"

#include "daemon/files/write_all.hpp"
#include "daemon/terminal/limits.hpp"
#include "protocol/diagnostics/erasure.hpp"
#include "protocol/feed/limits.hpp"

#include <cerrno>
#include <thread>
#include <unistd.h>

namespace tofud::terminal {

line_writer::line_writer(int fd, std::function<void(std::uint64_t)> written, with_block block)
    : fd_{fd},
      with_block_{block},
      written_{std::move(written)},
      drawn_{block == with_block::yes},
      thread_{[this] { run(); }} {}

line_writer::~line_writer() { finish(); }

void line_writer::write(std::string_view line, counted is_counted) {
  {
    const std::lock_guard lock{mutex_};
    if (queued_bytes_ + line.size() > limits::terminal_queue_bytes) {
      ++left_out_;
      if (is_counted == counted::yes) ++left_out_counted_;
    } else {
      if (queue_.empty() || queue_.back().text.size() >= limits::frame_bytes) queue_.emplace_back();
      queued& last = queue_.back();
      last.text.append(line).push_back('\n');
      if (is_counted == counted::yes) ++last.counted;
      queued_bytes_ += line.size() + 1;
    }
  }
  if (with_block_ == with_block::no) changed_.notify_one();
}

void line_writer::redraw(std::string block, std::string orders) {
  {
    const std::lock_guard lock{mutex_};
    block_ = std::move(block);
    orders_ = std::move(orders);
    redraw_ = true;
  }
  changed_.notify_one();
}

bool line_writer::drained() const {
  const std::lock_guard lock{mutex_};
  return queue_.empty() && left_out_ == 0 && !redraw_ && !writing_;
}

void line_writer::finish() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void line_writer::let_go() {
  {
    const std::lock_guard lock{mutex_};
    block_.clear();
    drawn_ = false;
    redraw_ = true;
  }
  changed_.notify_one();
}

bool line_writer::pending() const {
  const bool lines = !queue_.empty() || left_out_ > 0;
  return redraw_ || (lines && (with_block_ == with_block::no || stopping_));
}

// Everything that waits in one write: fewer calls, and lines of a frame stay together.
std::string line_writer::next_batch(std::uint64_t& lines) {
  std::string batch;
  if (drawn_) batch = diagnostics::erase_from_here;
  if (!queue_.empty()) {
    queued& next = queue_.front();
    queued_bytes_ -= next.text.size();
    lines += next.counted;
    if (batch.empty())
      batch = std::move(next.text);
    else
      batch.append(next.text);
    queue_.pop_front();
  }
  if (left_out_ > 0 && queue_.empty()) {
    batch.append("... ").append(std::to_string(left_out_)).append(" lines left out\n");
    lines += left_out_counted_;
    left_out_ = left_out_counted_ = 0;
  }
  batch.append(block_);
  if (orders_ != orders_given_) batch.append(orders_given_ = orders_);
  drawn_ = !block_.empty();
  redraw_ = with_block_ == with_block::yes && !queue_.empty();
  // A terminal that knows mode 2026 shows nothing before its end; others ignore it.
  if (drawn_) batch = "\x1b[?2026h" + batch + "\x1b[?2026l";
  return batch;
}

void line_writer::run() {
  bool works = true;
  std::unique_lock lock{mutex_};
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || pending(); });
    if (!pending()) return;
    std::uint64_t lines = 0;
    const std::string batch = next_batch(lines);
    writing_ = true;
    lock.unlock();
    if (works && !batch.empty()) works = files::write_all(fd_, batch);
    taken_ += lines;
    if (written_) written_(taken_);
    // Lines that come by the thousand are not written one by one: nobody reads faster.
    if (lines > 0) std::this_thread::sleep_for(limits::lines_gathered_for);
    lock.lock();
    writing_ = false;
  }
}

}  // namespace tofud::terminal
