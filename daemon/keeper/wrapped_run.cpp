#include "daemon/keeper/wrapped_run.hpp"

#include "daemon/keeper/file_growth.hpp"
#include "daemon/keeper/intake.hpp"
#include "daemon/keeper/interrupt_search.hpp"
#include "daemon/keeper/limits.hpp"
#include "daemon/spool/notice.hpp"
#include "protocol/events/known_run.hpp"
#include "protocol/text/sizes.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace tofud::keeper {
namespace {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// How often is looked at what no descriptor tells: a user's file, or anything on old kernels.
constexpr milliseconds look_every{50};

/// tofu's stdout on its way to ours, and into the spool as long as that takes it.
class through_us {
 public:
  through_us(spool_writer& spool, const shared_page& page, const wakeup& worker,
             const wakeup& keeper)
      : spool_{spool}, page_{page} {
    std::array<int, 2> ends = {-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
    read_ = files::descriptor{ends[0]};
    write_ = files::descriptor{ends[1]};
    ::fcntl(read_.get(), F_SETPIPE_SZ, static_cast<int>(limits::pipe_bytes));
    page->input = input_kind::file;
    ::fcntl(read_.get(), F_SETFL, O_NONBLOCK);
    if (page.ring_memory().empty())
      ring_.emplace(64 * limits::kib);
    else
      ring_.emplace(page->ring, page.ring_memory());
    intake_.emplace(read_.get(), input_kind::file, *ring_, *page, worker, keeper);
    intake_->pass_on_to(STDOUT_FILENO);
    drain_ = std::jthread{[this] {
      intake_->drain();
      is_drained_ = true;
    }};
    try {
      store_ = std::jthread{[this] { intake_->store(spool_); }};
    } catch (const std::system_error&) {
      intake_->give_up();
      throw;
    }
  }
  ~through_us() {
    if (intake_) intake_->give_up();
  }
  through_us(const through_us&) = delete;
  through_us& operator=(const through_us&) = delete;

  int input() const { return read_.get(); }
  int stdout_of_child() const { return write_.get(); }
  /// The child has it: its end is the stream's end.
  void begin() { write_ = files::descriptor{}; }
  /// The child is over. What it started may hold its stdout for longer than anybody waits; what it
  /// wrote goes on to our stdout, however slowly that is read.
  void end() {
    constexpr milliseconds silence{300};
    auto seen = page_->drained.load();
    for (auto since = clock::now(); !is_drained_ && clock::now() - since < silence;) {
      ::usleep(1000);
      if (const auto now = page_->drained.load(); now != seen) {
        seen = now;
        since = clock::now();
      }
    }
    intake_->give_up();
    if (drain_.joinable()) drain_.join();
    if (store_.joinable()) store_.join();
  }

 private:
  spool_writer& spool_;
  const shared_page& page_;
  files::descriptor read_, write_;
  std::optional<byte_ring> ring_;
  std::optional<intake> intake_;
  std::atomic<bool> is_drained_{false};
  std::jthread drain_, store_;
};

/// The command's life: started, its stream announced to the worker, signals passed on, its end
/// told.
class attendant {
 public:
  attendant(wrapped_plan& plan, spool_writer& spool, const original_signals& signals,
            signal_relay& relay, stream_page& page, const wakeup& worker, const wakeup& keeper,
            through_us* through)
      : plan_{plan},
        spool_{spool},
        signals_{signals},
        relay_{relay},
        page_{page},
        worker_{worker},
        keeper_{keeper},
        through_{through},
        growth_{spool.path()} {}

  /// The exit status for our own caller.
  int attend() noexcept;

 private:
  void let_worker_speak_first() const noexcept;
  void wait_until_retold() const noexcept;
  int wait_for_end(const wrapped_child& child) noexcept;
  void pause(const wrapped_child& child) const noexcept;
  void announce_growth() noexcept;
  void relay(const wrapped_child& child) noexcept;
  bool interrupt_shown() noexcept;

  wrapped_plan& plan_;
  spool_writer& spool_;
  const original_signals& signals_;
  signal_relay& relay_;
  stream_page& page_;
  const wakeup& worker_;
  const wakeup& keeper_;
  through_us* through_;  // null: the child writes the spool itself, or a file of its user's
  file_growth growth_;
  interrupt_search search_;
  std::uint64_t searched_ = 0;
};

int attendant::attend() noexcept {
  let_worker_speak_first();
  auto [child, error] = wrapped_child::start(plan_.child, signals_);
  int status = 0;
  if (child) {
    if (through_ != nullptr) through_->begin();
    status = wait_for_end(*child);
    if (through_ != nullptr) through_->end();
    announce_growth();
    write_event(spool_.events_fd(), events::text_of({page_.stored, events::exit_status{status}}));
    page_.exit_status = static_cast<std::uint32_t>(status) + 1;
  } else {
    status = status_of_no_start(error);
    spool::notice(plan_.child.program +
                  " can't be started: " + std::generic_category().message(error));
  }
  // Before the worker says how the run went: its words come last.
  if (child && plan_.afterwards) {
    worker_.notify();
    wait_until_retold();
    plan_.afterwards(status);
  }
  page_.eof = 1;
  worker_.notify();
  keeper_.notify();
  return status;
}

// A worker that is gone for good, or stands still, is not waited for.
void attendant::wait_until_retold() const noexcept {
  auto alive = page_.heartbeat.load();
  for (auto end = clock::now() + limits::retold_wait;
       page_.retold < page_.stored && clock::now() < end;) {
    ::usleep(1000);
    if (const auto now = page_.heartbeat.load(); now != alive) {
      alive = now;
      end = clock::now() + limits::retold_wait;
    }
  }
}

// The page's address comes before what tofu prints. A worker that takes longer is not waited for.
void attendant::let_worker_speak_first() const noexcept {
  const auto end = clock::now() + limits::first_line_wait;
  while (page_.announced == 0 && clock::now() < end) ::usleep(1000);
}

int attendant::wait_for_end(const wrapped_child& child) noexcept {
  for (;;) {
    pause(child);
    growth_.clear();
    // Asked before the file is looked at: what tofu wrote last is there by then.
    const auto status = child.ended();
    announce_growth();
    if (status) return shell_status(*status);
    relay_.take(clock::now());
    relay(child);
  }
}

void attendant::pause(const wrapped_child& child) const noexcept {
  std::array<pollfd, 3> news = {pollfd{child.fd(), POLLIN, 0}, pollfd{relay_.fd(), POLLIN, 0},
                                pollfd{growth_.fd(), POLLIN, 0}};
  std::optional<milliseconds> at_most;
  if (child.fd() < 0 || growth_.fd() < 0 || plan_.file) at_most = look_every;
  if (const auto next = relay_.next()) {
    const auto left =
        std::max(std::chrono::ceil<milliseconds>(*next - clock::now()), milliseconds{0});
    at_most = at_most ? std::min(*at_most, left) : left;
  }
  ::poll(news.data(), news.size(), at_most ? static_cast<int>(at_most->count()) : -1);
}

void attendant::announce_growth() noexcept {
  if (through_ != nullptr) return;
  if (plan_.file) plan_.file->copy(spool_);
  const std::uint64_t size = file_size(spool_.lines_fd());
  if (size <= page_.stored) return;
  page_.stored = size;
  page_.drained = size;
  // tofu goes on without a word when its lines can't be written.
  if (page_.stop == 0 && spool_.is_out_of_room()) {
    page_.stop = packed({stop_reason::write_error, ENOSPC, size});
    keeper_.notify();
  }
  worker_.notify();
}

void attendant::relay(const wrapped_child& child) noexcept {
  const auto number = relay_.due(clock::now());
  if (!number || interrupt_shown()) return;
  child.signal(*number);
}

bool attendant::interrupt_shown() noexcept {
  std::array<char, 64 * limits::kib> room;
  for (;;) {
    const ssize_t n =
        ::pread(spool_.lines_fd(), room.data(), room.size(), static_cast<off_t>(searched_));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return search_.found();
    search_.feed({room.data(), static_cast<std::size_t>(n)});
    searched_ += static_cast<std::uint64_t>(n);
  }
}

/// What is to be had before the command may be started.
struct preparations {
  preparations(const spool_writer& spool, std::size_t ring_bytes)
      : page{shared_page::create(ring_bytes)} {
    write_text(page->run_id, spool.id());
    write_text(page->spool_path, spool.path());
    std::array<int, 2> ends = {-1, -1};
    [[maybe_unused]] const int ignored = ::pipe2(ends.data(), O_CLOEXEC);
    liveness_read = files::descriptor{ends[0]};
    liveness_write = files::descriptor{ends[1]};
  }

  shared_page page;
  wakeup worker_bell, keeper_bell;
  files::descriptor liveness_read, liveness_write;
};

}  // namespace

std::optional<int> follow_command(wrapped_plan& plan, spool_writer& spool,
                                  const original_signals& signals, signal_relay& relay) noexcept
    try {
  const preparations made{spool, plan.through_us ? limits::ring_bytes : 0};
  std::optional<through_us> through;
  if (plan.through_us) try {
      through.emplace(spool, made.page, made.worker_bell, made.keeper_bell);
      plan.child.stdout_fd = through->stdout_of_child();
    } catch (const std::system_error&) {  // no threads: the child writes the spool after all
    }
  const worker_files files{made.page.fd(),        spool.lines_fd(),
                           made.worker_bell.fd(), made.liveness_read.get(),
                           spool.events_fd(),     through ? through->input() : -1,
                           plan.worker.told.get()};
  supervisor watching{plan.worker,      made.page,        files,
                      made.worker_bell, made.keeper_bell, spool.where()};
  attendant attending{plan,
                      spool,
                      signals,
                      relay,
                      *made.page,
                      made.worker_bell,
                      made.keeper_bell,
                      through ? &*through : nullptr};
  std::optional<int> status;
  std::optional<std::jthread> beside;
  try {
    beside.emplace([&] { status = attending.attend(); });
  } catch (const std::system_error&) {  // no thread to be had: the command comes first
    made.page->announced = 1;
    return attending.attend();
  }
  watching.run();
  beside->join();
  return status;
} catch (const std::bad_alloc&) {
  return std::nullopt;
}

}  // namespace tofud::keeper
