#include "daemon/keeper/heir.hpp"

#include "daemon/keeper/file_growth.hpp"
#include "daemon/keeper/intake.hpp"
#include "daemon/keeper/limits.hpp"
#include "daemon/keeper/ring.hpp"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <functional>
#include <new>
#include <poll.h>
#include <string>
#include <system_error>
#include <unistd.h>

namespace tofud::keeper {
namespace {

/// A signal that is for the loop must not be taken by this thread.
std::jthread start_thread(std::function<void()> work) {
  sigset_t all{};
  sigset_t before{};
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::jthread made;
  try {
    made = std::jthread{std::move(work)};
  } catch (const std::system_error&) {  // there is no thread to be had
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return made;
}

files::descriptor copy_of(const files::descriptor& one) {
  return files::descriptor{::fcntl(one.get(), F_DUPFD_CLOEXEC, 0)};
}

}  // namespace

heir::heir(worker_link& link, const spool_caps& caps)
    : link_{link}, caps_{caps}, worker_{link.wakeup.get()} {
  if (link_.page->input == input_kind::none) return;
  waiting_ = start_thread([this] { wait(); });
}

heir::~heir() { stop_.notify(); }

void heir::wait() noexcept {
  for (;;) {
    std::array<pollfd, 2> news = {pollfd{link_.liveness.get(), POLLIN, 0},
                                  pollfd{stop_.fd(), POLLIN, 0}};
    if (::poll(news.data(), news.size(), -1) < 0) continue;
    if ((news[0].revents & (POLLHUP | POLLERR)) != 0) break;
    if (news[1].revents != 0) return;
  }
  // The keeper may have come to its end as it should.
  if (link_.page->eof == 0) take_over();
}

void heir::take_over() noexcept try {
  inherited_ = true;
  stream_page& page = *link_.page;
  const std::string path = page.spool_path.data();
  spool_writer out{{page.run_id.data(), path, copy_of(link_.spool), copy_of(link_.events)},
                   path.empty() ? spool_home::memory : spool_home::disk,
                   caps_};
  const std::uint64_t stored = file_size(link_.spool.get());
  const wakeup nobody;
  // Without the keeper's ring its last bytes are in the tail, if they fit there.
  const auto shared = link_.page.ring_memory();
  byte_ring own{limits::pipe_bytes};
  byte_ring over_shared{page.ring, shared};
  intake in{link_.input.get(), page.input, shared.empty() ? own : over_shared, page,
            worker_,           nobody};
  if (!shared.empty()) {
    in.inherit(stored);
  } else if (page.drained > stored && page.stop == 0) {
    page.stored = stored;
    page.stop = packed({stop_reason::keeper_killed, 0, stored});
  }
  worker_.notify();
  const auto store = start_thread([&] { in.store(out); });
  if (!store.joinable()) return in.drain_and_store(out);
  in.drain();
} catch (const std::bad_alloc&) {
  drain_to_nowhere(link_.input.get());
  link_.page->eof = 1;
  worker_.notify();
}

}  // namespace tofud::keeper
