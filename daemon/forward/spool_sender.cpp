#include "daemon/forward/spool_sender.hpp"

#include "daemon/files/errors.hpp"
#include "daemon/forward/errors.hpp"
#include "daemon/pipeline/kept_stream.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/terminal/writer.hpp"
#include "protocol/text/sizes.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tofud::forward {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds beat{100};

std::size_t read_at(int fd, std::uint64_t offset, std::span<char> room) {
  ssize_t n = 0;
  do {
    n = ::pread(fd, room.data(), room.size(), static_cast<off_t>(offset));
  } while (n < 0 && errno == EINTR);
  return n < 0 ? 0 : static_cast<std::size_t>(n);
}

bool is_compressed(int fd) {
  std::array<char, 2> magic{};
  return read_at(fd, 0, magic) == magic.size() && magic[0] == '\x1f' && magic[1] == '\x8b';
}

std::string mebibytes(std::uint64_t bytes) {
  const std::uint64_t tenths = bytes * 10 / limits::mib;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " MiB";
}

}  // namespace

spool_sender::spool_sender(std::string path, options given)
    : path_{std::move(path)}, given_{std::move(given)} {}

/// Empty, or why nothing can be sent of that file.
text::failure spool_sender::refusal() {
  file_ = files::descriptor{::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  struct stat facts {};
  if (!file_ || ::fstat(file_.get(), &facts) != 0) {
    return {files::error::unreadable, path_, std::strerror(errno)};
  }
  if (!S_ISREG(facts.st_mode)) return {forward::error::no_stream, path_};
  if (is_compressed(file_.get())) return {forward::error::compressed, path_};
  auto stream = spool::stream_file::open(path_);
  if (!stream) return stream.error();
  stream_.emplace(std::move(*stream));
  return {};
}

/// Empty, or why nothing is sent.
text::failure spool_sender::begin() {
  const auto known = forward::load_record(upload_path(path_));
  daemon_choice choice{given_.server, false, given_.token_file};
  if (choice.server.empty() && known) choice.server = known->server;
  const auto daemon = find_daemon(choice);
  if (!daemon) return daemon.error();
  if (!*daemon) return forward::error::no_daemon;
  auto kept = pipeline::kept_stream::open(path_);
  if (!kept) return kept.error();
  const auto identity = kept->identity();
  forwarding::spooled_stream source;
  source.path = path_;
  source.bytes = [this](std::uint64_t offset, std::span<char> room) {
    return read_at(file_.get(), offset, room);
  };
  source.size = [this] { return size(); };
  source.events = [this] { return spool::events_beside(path_); };
  struct stat facts {};
  ::fstat(file_.get(), &facts);
  source.began = std::chrono::system_clock::from_time_t(facts.st_mtime);
  auto begun = forwarding::begin(io_, **daemon, std::move(source),
                                 {identity.id, identity.stack, identity.labels, identity.command,
                                  identity.may_ask, identity.parallelism},
                                 given_.mask_file);
  if (!begun) return begun.error();
  forwarding_ = std::move(*begun);
  return {};
}

std::uint64_t spool_sender::size() const {
  struct stat facts {};
  return ::fstat(file_.get(), &facts) == 0 ? static_cast<std::uint64_t>(facts.st_size) : 0;
}

/// The exit status if there is nothing to be done, which is said.
std::optional<int> spool_sender::settled() const {
  const auto known = forward::load_record(upload_path(path_));
  if (!known || known->owes()) return std::nullopt;
  const auto asked = client::parse_server_address(given_.server);
  if (asked && to_string(*asked) != known->server) return std::nullopt;
  clear_after_upload(path_);
  const std::string id = spool::run_id_of(path_);
  if (known->complete) {
    spool::notice("run " + id + " is at " + known->server + " already, completely");
    return 0;
  }
  spool::notice("run " + id + " is not sent to " + known->server + ": " + known->stopped->sentence);
  return 1;
}

int spool_sender::run() {
  if (const auto status = settled()) return *status;
  auto failure = refusal();
  if (failure.empty()) failure = begin();
  if (!failure.empty()) {
    spool::notice(failure.text());
    return 1;
  }
  signals_.async_wait([this](boost::system::error_code failed, int number) {
    if (failed) return;
    signal_ = number;
    io_.stop();
  });
  forwarding_->on_over([this] { io_.stop(); });
  each_beat();
  io_.run();
  return conclude();
}

void spool_sender::each_beat() {
  // Asked before the bytes are looked at: what came last is there by then. The lock counts whatever
  // was said of an end: a wrapped tofu outlives a keeper that was killed, and writes on.
  if (!ended_ && !spool::is_locked(file_.get(), std::chrono::system_clock::now()) &&
      !stream_->is_written()) {
    ended_ = true;
    forwarding_->end();
  }
  if (!ended_) {
    forwarding_->beat();
    forwarding_->more();
  }
  show_progress();
  beat_.expires_after(beat);
  beat_.async_wait([this](boost::system::error_code failed) {
    if (!failed) each_beat();
  });
}

void spool_sender::show_progress() {
  if (::isatty(STDERR_FILENO) == 0) return;
  std::string line = "tofud: run " + spool::run_id_of(path_) + " to " +
                     forwarding_->record().server + ": " + mebibytes(forwarding_->acknowledged()) +
                     " there, " + mebibytes(forwarding_->unsent()) + " to go";
  if (!forwarding_->is_in_contact()) line += ", no answer yet";
  if (line == shown_) return;
  shown_ = line;
  spool::write_patiently(STDERR_FILENO, "\r\x1b[K" + line);
}

int spool_sender::conclude() {
  if (!shown_.empty()) spool::write_patiently(STDERR_FILENO, "\r\x1b[K");
  const std::string id = spool::run_id_of(path_);
  if (forwarding_->complete()) {
    spool::notice("run " + id + " is at " + forwarding_->record().server + ", all " +
                  std::to_string(forwarding_->acknowledged()) + " bytes of it");
    return 0;
  }
  if (forwarding_->over()) {
    spool::notice(forwarding_->why_stopped());
    return 1;
  }
  spool::notice(forwarding_->what_is_left());
  constexpr int shell_adds = 128;
  return shell_adds + signal_;
}

}  // namespace tofud::forward
