#include "daemon/keeper/printed_child.hpp"

#include "daemon/files/descriptor.hpp"
#include "protocol/text/sizes.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace tofud::keeper {
namespace {

using clock = std::chrono::steady_clock;

/// How often is looked whether the command has ended, and whether a signal is due.
constexpr int look_milliseconds = 50;

}  // namespace

std::optional<int> print_child(child_plan plan, const original_signals& signals,
                               signal_relay& relay,
                               const std::function<void(std::string_view)>& take) {
  std::array<int, 2> ends = {-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  const files::descriptor output{ends[0]};
  files::descriptor input{ends[1]};
  plan.stdout_fd = input.get();
  auto [child, error] = wrapped_child::start(plan, signals);
  input = files::descriptor{};
  if (!child) return std::nullopt;
  std::array<char, 64 * limits::kib> room;
  std::optional<int> status;
  bool is_open = true;
  while (is_open || !status) {
    if (!status) status = child->ended();
    std::array<pollfd, 2> news = {pollfd{relay.fd(), POLLIN, 0},
                                  pollfd{is_open ? output.get() : -1, POLLIN, 0}};
    // What it has started may hold its output for longer than anybody waits.
    const int ready = ::poll(news.data(), news.size(), status ? 0 : look_milliseconds);
    if (ready <= 0 && status) break;
    relay.take(clock::now());
    if (const auto number = relay.due(clock::now()); number && !status) child->signal(*number);
    if (news[1].revents == 0) continue;
    const ssize_t n = ::read(output.get(), room.data(), room.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0)
      is_open = false;
    else
      take({room.data(), static_cast<std::size_t>(n)});
  }
  return shell_status(*status);
}

}  // namespace tofud::keeper
