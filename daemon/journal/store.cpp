#include "daemon/journal/store.hpp"

#include "daemon/journal/journal_thread.hpp"
#include "daemon/journal/layout.hpp"
#include "daemon/journal/recovery.hpp"
#include "daemon/journal/stream_file.hpp"

#include <boost/asio/post.hpp>

#include <cerrno>
#include <fcntl.h>
#include <map>
#include <set>
#include <sys/file.h>
#include <utility>

namespace tofud::journal {
namespace {

/// What the loop knows of a run without asking the disk.
struct known_run {
  ui::time_point created_at;
  std::optional<ui::time_point> completed_at;
  std::uint64_t disk_bytes = 0;
};

/// Shared with completions, which may run when the store is gone.
struct catalog {
  std::map<std::string, known_run, std::less<>> runs;
};

/// "" or a sentence.
std::string make_directory(disk& on, const std::string& path) {
  if (on.is_directory(path) || on.mkdir(path) == 0) return "";
  if (errno == ENOENT) {
    const auto slash = path.rfind('/');
    if (slash != std::string::npos && slash > 0) {
      if (auto failure = make_directory(on, path.substr(0, slash)); !failure.empty())
        return failure;
      if (on.mkdir(path) == 0) return "";
    }
  }
  return refused(path, "can't be made", errno);
}

}  // namespace

struct store::state {
  state(boost::asio::io_context& io, std::string where, options chosen)
      : loop{io},
        root{std::move(where)},
        given{std::move(chosen)},
        on{given.on == nullptr ? real_disk() : *given.on},
        writes{on, root, {given.free_bytes, given.free_percent}},
        thread{loop, writes, [] { return false; }} {}

  boost::asio::io_context& loop;
  std::string root;
  journal::options given;
  disk& on;
  open_file lock;
  std::shared_ptr<catalog> known = std::make_shared<catalog>();
  writer writes;
  journal_thread thread;  // last: it uses the others
};

boost::system::result<std::unique_ptr<store>, std::string> store::open(
    boost::asio::io_context& loop, const std::string& root, options given) {
  disk plain;
  if (auto failure = make_directory(plain, runs_in(root)); !failure.empty()) return failure;
  const std::string path = root + "/lock";
  const int fd = plain.open(path, O_RDWR | O_CREAT);
  if (fd < 0) return refused(path, "can't be opened", errno);
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    plain.close(fd);
    if (error == EWOULDBLOCK)
      return root + ": another tofud keeps its runs here; give this one a --state-dir of its own";
    return refused(path, "can't be locked", error);
  }
  auto made = std::make_unique<state>(loop, root, std::move(given));
  made->lock = open_file{made->on, fd};
  return std::unique_ptr<store>{new store{std::move(made)}};
}

store::store(std::unique_ptr<state> made) : state_{std::move(made)} {}
store::~store() = default;

std::vector<kept_run> store::recover() {
  recovered found;
  state_->thread.wait_for([&] {
    found = recover_runs(state_->on, state_->root);
    for (const auto& run : found.runs) state_->writes.know(run);
  });
  for (const auto& run : found.runs) {
    state_->known->runs[run.header.id] = {run.header.created_at, run.completed_at, run.disk_bytes};
  }
  for (auto& remark : found.remarks) state_->given.said(std::move(remark));
  return std::move(found.runs);
}

bool store::is_free(std::string_view id) const {
  return is_safe_id(id) && !state_->known->runs.contains(id);
}

void store::create(run_header header, on_done done) {
  const auto id = header.id;
  if (!is_free(id)) {
    auto refuse = [done = std::move(done), id] { done("run " + id + " is there already"); };
    boost::asio::post(state_->loop, std::move(refuse));
    return;
  }
  state_->known->runs[id].created_at = header.created_at;
  state_->thread.push(create_job{
      std::move(header), [known = state_->known, id, done = std::move(done)](std::string failure) {
        if (!failure.empty()) known->runs.erase(id);
        done(std::move(failure));
      }});
}

void store::append(const std::string& run, std::string bytes, ui::time_point arrived,
                   std::function<void(append_result)> done) {
  state_->thread.push(append_job{run, std::move(bytes), arrived, std::move(done)});
}

void store::add_event(const std::string& run, kept_event event, on_done done) {
  state_->thread.push(event_job{run, std::move(event), std::move(done)});
}

void store::complete(const std::string& run, ui::time_point at, on_done done) {
  auto work = [&writes = state_->writes, known = state_->known, run, at,
               done = std::move(done)]() -> std::function<void()> {
    return [failure = writes.complete(run, at), known, run, at, done] {
      if (const auto found = known->runs.find(run); failure.empty() && found != known->runs.end())
        found->second.completed_at = at;
      done(failure);
    };
  };
  state_->thread.push(other_job{run, std::move(work)});
}

stream_reader store::reader(const std::string& run) const {
  auto opened = stream_file::open(state_->on, run_in(state_->root, run));
  if (!opened) return {};
  auto file = std::make_shared<stream_file>(std::move(*opened));
  return [file, run, said = state_->given.said](std::uint64_t offset, std::span<char> room) {
    const auto n = file->read(offset, room);
    if (!n) said("the stream of run " + run + " can't be read at byte " + std::to_string(offset));
    return n.value_or(0);
  };
}

std::vector<arrival> store::arrivals(const std::string& run) const {
  return read_arrivals(state_->on, run_in(state_->root, run));
}

}  // namespace tofud::journal
