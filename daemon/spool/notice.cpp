#include "daemon/spool/notice.hpp"

#include "protocol/diagnostics/erasure.hpp"

#include <climits>

#include <cstdlib>
#include <new>
#include <poll.h>
#include <string>
#include <unistd.h>
#include <utility>

namespace tofud::spool {

namespace {
thread_local collected_notices* collects = nullptr;
}

collected_notices::collected_notices() : before_{std::exchange(collects, this)} {}
collected_notices::~collected_notices() { collects = before_; }

void collected_notices::add(std::string_view sentence) {
  if (!text_.empty()) text_ += "; ";
  text_ += sentence;
}

void notice(std::string_view sentence) noexcept {
  try {
    if (collects != nullptr) return collects->add(sentence);
    // A progress display rests its cursor where it begins, or left it in mid-line: it is drawn
    // again below this.
    const char* term = std::getenv("TERM");
    const bool understands = term == nullptr || std::string_view{term} != "dumb";
    std::string line;
    if (::isatty(STDERR_FILENO) != 0 && understands) line = diagnostics::erase_from_here;
    line.append("tofud: ").append(sentence).append("\n");
    write_patiently(STDERR_FILENO, line);
  } catch (const std::bad_alloc&) {
    // Going on matters more than saying so.
  }
}

void write_patiently(int fd, std::string_view bytes) noexcept {
  constexpr int patience_ms = 1000;
  pollfd ready{fd, POLLOUT, 0};
  if (::poll(&ready, 1, patience_ms) != 1 || (ready.revents & POLLOUT) == 0) return;
  [[maybe_unused]] const auto n = ::write(fd, bytes.data(), bytes.substr(0, PIPE_BUF).size());
}

}  // namespace tofud::spool
