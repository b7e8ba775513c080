#include "daemon/pipeline/line_search.hpp"

#include "daemon/files/limits.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace tofud::pipeline {
namespace {

/// Of the loop's time, before others get their turn.
constexpr std::chrono::milliseconds at_a_time{8};

/// On a disk if there is one to be had.
int nameless_file() {
  const char* own = std::getenv("TMPDIR");
  for (const char* directory : {own, "/var/tmp", "/tmp"}) {
    if (directory == nullptr || *directory != '/') continue;
    const int fd = ::open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0) return fd;
  }
  return ::memfd_create("tofud-lines", MFD_CLOEXEC);
}

[[noreturn]] void fail(const char* what) {
  throw std::runtime_error{std::string{"lines that were found can't be "} + what + ": " +
                           std::strerror(errno)};
}

}  // namespace

line_search::line_search(std::function<std::unique_ptr<stream_search>()> begin,
                         turn_taker take_turn)
    : begin_{std::move(begin)}, take_turn_{std::move(take_turn)} {}

line_search::~line_search() {
  if (file_ >= 0) ::close(file_);
}

void line_search::put(const std::string& lines) {
  if (file_ < 0) file_ = nameless_file();
  for (std::size_t done = 0; done < lines.size();) {
    const auto n =
        ::pwrite(file_, lines.data() + done, lines.size() - done, static_cast<off_t>(written_));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail("kept");
    done += static_cast<std::size_t>(n);
    written_ += static_cast<std::uint64_t>(n);
  }
}

void line_search::fold() {
  if (!turn_) turn_ = take_turn_();
  if (!turn_) return;
  if (!search_) search_ = begin_();
  const auto until = std::chrono::steady_clock::now() + at_a_time;
  std::string lines;
  do {
    lines.clear();
    found_all_ = !search_->next(lines);
    put(lines);
  } while (!found_all_ && !search_->waits() && std::chrono::steady_clock::now() < until);
  if (!found_all_) return;
  search_.reset();
  turn_.reset();
}

bool line_search::next(std::string& out) {
  if (!found_all_) {
    fold();
    return true;
  }
  const std::size_t begin = out.size();
  out.resize(begin + std::min<std::uint64_t>(written_ - sent_, limits::read_bytes));
  ssize_t n = 0;
  do {
    n = out.size() == begin
            ? 0
            : ::pread(file_, out.data() + begin, out.size() - begin, static_cast<off_t>(sent_));
  } while (n < 0 && errno == EINTR);
  if (n < 0) fail("read");
  out.resize(begin + static_cast<std::size_t>(n));
  sent_ += static_cast<std::uint64_t>(n);
  return n > 0;
}

}  // namespace tofud::pipeline
