// A worker for the keeper's tests: its fold is a checksum, and it fails as it is told.
//
//     stub_worker REPORT STATUS [BEHAVIOUR] [--headless]
//
// Appends to the file REPORT: "start PID N" (N: the how manyeth start), and after the fold
// "folded BYTES SUM tail FIRST SUM stop REASON PORT". A behaviour holds unless --headless is given;
// with "always-" before it, also then.

#include "daemon/files/limits.hpp"
#include "daemon/keeper/worker_link.hpp"
#include "tests/keeper/fnv.hpp"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sstream>
#include <string>
#include <string_view>
#include <termios.h>
#include <unistd.h>
#include <vector>

namespace {

using namespace tofud::keeper;

void report(const std::string& path, const std::string& line) {
  const tofud::files::descriptor file{
      ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600)};
  const auto text = line + "\n";
  [[maybe_unused]] const auto n = ::write(file.get(), text.data(), text.size());
}

[[noreturn]] void die() {
  ::raise(SIGKILL);
  ::_exit(99);
}

/// Does nothing any more, but for the keeper's end.
[[noreturn]] void hang(const worker_link& link) {
  pollfd keeper{link.liveness.get(), POLLIN, 0};
  ::poll(&keeper, 1, -1);
  ::_exit(98);
}

struct fold {
  std::uint64_t bytes = 0;
  std::uint64_t sum = fnv_start;
};

void take_stored(const worker_link& link, fold& sum) {
  std::vector<char> room(tofud::limits::read_bytes);
  while (const auto n = link.read_stored(sum.bytes, room)) {
    sum.sum = fnv({room.data(), n}, sum.sum);
    sum.bytes += n;
    link.page->folded = sum.bytes;
  }
}

std::string summary(const worker_link& link, const fold& sum) {
  const auto tail = read_tail(*link.page);
  const auto stop = unpacked(link.page->stop);
  std::ostringstream text;
  text << "folded " << sum.bytes << ' ' << sum.sum << " tail " << tail.first << ' '
       << fnv(tail.bytes) << " stop " << (stop ? static_cast<int>(stop->reason) : 0) << ' '
       << link.page->port;
  return text.str();
}

void soil_terminal() {
  termios raw{};
  ::tcgetattr(STDOUT_FILENO, &raw);
  ::cfmakeraw(&raw);
  ::tcsetattr(STDOUT_FILENO, TCSANOW, &raw);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string_view> words(argv, argv + argc);
  if (words.size() < 3) return 2;
  const bool headless = words.back() == headless_argument;
  std::string_view behaviour = words.size() > 3 ? words[3] : "";
  if (behaviour.starts_with("always-")) {
    behaviour.remove_prefix(7);
  } else if (headless) {
    behaviour = "";
  }
  auto link = worker_link::inherit();
  if (!link) return 97;
  const std::string path{words[1]};
  const auto status = static_cast<std::uint32_t>(std::stoul(std::string{words[2]}));
  auto& page = *link->page;
  if (page.port == 0) page.port = 4000 + page.worker_starts;  // the first one's stays
  report(path, "start " + std::to_string(::getpid()) + " " + std::to_string(page.worker_starts));

  if (behaviour == "crash") die();
  if (behaviour == "crash-twice" && page.worker_starts <= 2) die();
  if (behaviour == "exit-0") return 0;
  if (behaviour == "stop") ::raise(SIGSTOP);
  if (behaviour == "hang") hang(*link);
  if (behaviour == "soil-terminal") {
    soil_terminal();
    die();
  }

  fold sum;
  while (page.eof == 0 || sum.bytes < page.stored) {
    std::array<pollfd, 2> news = {pollfd{link->wakeup.get(), POLLIN, 0},
                                  pollfd{link->liveness.get(), POLLIN, 0}};
    if (page.eof == 0) ::poll(news.data(), news.size(), 1000);
    link->clear_wakeup();
    ++page.heartbeat;
    take_stored(*link, sum);
    if (link->keeper_gone()) {
      report(path, "orphan");
      return 0;
    }
  }
  if (behaviour == "hang-at-end") hang(*link);
  report(path, summary(*link, sum));
  page.result = status + 1;
  if (behaviour == "hang-after-result") hang(*link);
  if (behaviour == "crash-after-result") die();
  return static_cast<int>(status);
}
