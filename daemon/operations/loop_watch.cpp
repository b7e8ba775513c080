#include "daemon/operations/loop_watch.hpp"

#include "daemon/operations/doing.hpp"
#include "daemon/operations/limits.hpp"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>
#include <utility>

namespace tofud::operations {
namespace {

using std::chrono::steady_clock;

/// What took longest in this thread's turn. Inner names end before outer ones.
struct longest {
  steady_clock::time_point since;
  std::chrono::nanoseconds took{};
  std::string name;
};
thread_local longest named;

std::chrono::nanoseconds processor_time() {
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return std::chrono::seconds{used.tv_sec} + std::chrono::nanoseconds{used.tv_nsec};
}

long milliseconds(std::chrono::nanoseconds of) {
  return static_cast<long>(std::chrono::duration_cast<std::chrono::milliseconds>(of).count());
}

void keep_in(const char* file, const long_turn& turn) {
  const int fd = ::open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) return;
  std::string who = "?";  // a test starts several, and which of them it was is not in the turn
  if (std::ifstream arguments{"/proc/self/cmdline"}) std::getline(arguments, who);
  std::replace(who.begin(), who.end(), '\0', ' ');
  const std::string line =
      std::to_string(milliseconds(turn.used)) + " " + as_text(turn) + ", in: " + who + "\n";
  if (::write(fd, line.data(), line.size()) < 0) {  // a test that sees nothing fails by itself
  }
  ::close(fd);
}

}  // namespace

std::string as_text(const long_turn& turn) {
  std::string text = "for " + std::to_string(milliseconds(std::max(turn.took, turn.used))) +
                     " ms, " + std::to_string(milliseconds(turn.used)) + " ms of the processor";
  if (!turn.with.empty()) text += ", by: " + turn.with;
  return text;
}

doing::~doing() {
  const auto took = steady_clock::now() - since_;
  if (took < limits::turn_budget) return;
  std::string name{what_};
  if (!about_.empty()) name.append(" ").append(about_);
  // A part that took most of it says more than the whole; both say where.
  if (named.since >= since_ && named.took * 2 >= took) name.append(": ").append(named.name);
  if (took >= named.took) named = {since_, took, std::move(name)};
}

void loop_watch::run(boost::asio::io_context& io) {
  named = {};  // what this thread did before was no turn
  used_before_ = processor_time();
  looked_at_ = steady_clock::now();
  // An idle loop sleeps in run_one: by the clock that turn is long, by the processor it is not.
  while (io.run_one() > 0) {
    const auto now = steady_clock::now();
    if (now - looked_at_ >= limits::turn_looked_at || named.took > std::chrono::nanoseconds{})
      look(now);
  }
}

void loop_watch::look(steady_clock::time_point now) {
  const auto used = processor_time();
  const long_turn turn{used - std::exchange(used_before_, used), named.took,
                       std::exchange(named, {}).name};
  looked_at_ = now;
  const auto longest = std::max(turn.used, turn.took);
  if (longest < limits::turn_budget) return;
  if (const char* file = std::getenv("TOFUD_LONG_TURNS")) keep_in(file, turn);
  if (longest >= limits::long_turn && told_) told_(turn);
}

void loop_lag::begin() {
  timer_.expires_after(limits::turn_probed_every);
  timer_.async_wait([this](boost::system::error_code failed) {
    if (failed) return;
    seen_.add(std::max(steady_clock::duration::zero(), steady_clock::now() - timer_.expiry()));
    begin();
  });
}

}  // namespace tofud::operations
