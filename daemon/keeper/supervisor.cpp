#include "daemon/keeper/supervisor.hpp"

#include "daemon/keeper/worker_link.hpp"
#include "daemon/spool/notice.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <new>
#include <poll.h>
#include <sys/wait.h>
#include <utility>

namespace tofud::keeper {
namespace {

using std::chrono::milliseconds;

/// How often a worker is looked at when no descriptor tells: once the stream is over, to see
/// whether it moves; before, only on kernels without pidfds.
constexpr milliseconds look_every{100};

/// Times the number of deaths.
constexpr milliseconds back_off{50};

/// What must change while a worker lives. Its loop may turn and turn without getting on with the
/// fold.
struct sign_of_life {
  std::uint64_t folded;
  std::uint64_t turns;
  bool operator==(const sign_of_life&) const = default;
};

sign_of_life sign(const stream_page& page) {
  const std::uint64_t folded = page.folded;
  return {folded, folded < page.stored ? 0 : page.heartbeat.load()};
}

}  // namespace

supervisor::supervisor(const worker_command& command, const shared_page& page,
                       const worker_files& files, const wakeup& worker, const wakeup& keeper,
                       std::string where)
    : command_{command},
      page_{page},
      files_{files},
      worker_bell_{worker},
      keeper_bell_{keeper},
      where_{std::move(where)} {}

int supervisor::run() {
  start(command_.argv);
  watch_until_over();
  return conclude();
}

void supervisor::start(const std::vector<std::string>& argv) {
  next_start_.reset();
  ++page_->worker_starts;
  page_->folded = 0;  // its fold begins anew
  try {
    worker_ = worker_process::start(command_.executable, argv, files_);
  } catch (const std::bad_alloc&) {
    worker_.reset();
  }
  if (!worker_) note_death("could not be started");
}

void supervisor::watch_until_over() {
  while (!over()) {
    if (next_start_ && clock::now() >= *next_start_) start(command_.argv);
    if (worker_) {
      if (const auto status = worker_->ended()) note_death(ending_text(*status));
    }
    note_stop();
    if (next_start_) {
      const auto left = std::chrono::ceil<milliseconds>(*next_start_ - clock::now());
      pause(std::max(left, milliseconds{0}));
    } else {
      const bool told = keeper_bell_.fd() >= 0 && (!worker_ || worker_->fd() >= 0);
      pause(told ? std::nullopt : std::optional{look_every});
    }
    keeper_bell_.clear();
  }
  note_stop();
}

void supervisor::clear_worker() {
  worker_.reset();
  terminal_.restore(command_.erase);
}

void supervisor::note_death(const std::string& how) {
  clear_worker();
  if (++deaths_ <= command_.restarts) {
    next_start_ = clock::now() + back_off * deaths_;
    return;
  }
  if (over()) return;  // there is nothing left to show
  spool::notice(
      "the live view " + how + " for the " + std::to_string(deaths_) +
      "th time and is not restarted; the run itself is not affected, and its stream is stored in " +
      where_);
}

void supervisor::note_stop() {
  const auto stop = unpacked(page_->stop);
  if (!stop || stop_told_) return;
  stop_told_ = true;
  spool::notice("the stream is no longer stored from byte " + std::to_string(stop->offset) +
                " on (" + where_ + "): " + reason_text(*stop) +
                "; the run itself is not affected, but only its end will be shown");
}

int supervisor::conclude() {
  // One that died, just now or before, has the end of the run to show.
  do {
    if (next_start_) start(command_.argv);
    outlast_worker();
  } while (next_start_);
  if (!command_.infers) return 0;
  if (page_->result == 0) {
    auto argv = command_.argv;
    argv.emplace_back(headless_argument);
    start(argv);
    outlast_worker();
  }
  if (const auto result = page_->result.load(); result != 0) return static_cast<int>(result) - 1;
  spool::notice("tofud failed, not tofu: the run's outcome is unknown; its stream is in " + where_);
  return 1;
}

void supervisor::outlast_worker() {
  if (!worker_) return;
  worker_bell_.notify();
  worker_->signal(SIGCONT);  // it may have been stopped
  auto seen = sign(*page_);
  milliseconds still{0};
  bool killed = false;
  while (worker_) {
    const auto before = clock::now();
    pause(look_every);
    keeper_bell_.clear();
    if (const auto status = worker_->ended()) {
      if (!killed && page_->result == 0) return note_death(ending_text(*status));
      if (!WIFEXITED(*status)) return clear_worker();  // one more would hang as well
      worker_.reset();
      return;
    }
    // Time that we were stopped ourselves (Ctrl-Z) is no time the worker had.
    const auto waited = std::chrono::duration_cast<milliseconds>(clock::now() - before);
    still += std::min(waited, 2 * look_every);
    if (const auto now = sign(*page_); now != seen) {
      seen = now;
      still = milliseconds{0};
    }
    if (still <= command_.stall) continue;
    if (killed) return clear_worker();  // waits for a disk, perhaps for ever
    worker_->signal(SIGKILL);
    killed = true;
    still = milliseconds{0};
  }
}

void supervisor::pause(std::optional<milliseconds> at_most) const {
  std::array<pollfd, 2> news = {pollfd{keeper_bell_.fd(), POLLIN, 0},
                                pollfd{worker_ ? worker_->fd() : -1, POLLIN, 0}};
  ::poll(news.data(), news.size(), at_most ? static_cast<int>(at_most->count()) : -1);
}

}  // namespace tofud::keeper
