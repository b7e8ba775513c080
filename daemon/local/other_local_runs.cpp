#include "daemon/local/other_local_runs.hpp"

#include "daemon/local/limits.hpp"
#include "daemon/spool/spool_place.hpp"

#include <fcntl.h>
#include <filesystem>
#include <unistd.h>
#include <utility>

namespace tofud {
namespace {

bool ended_just_now(const std::string& path) {
  std::error_code failed;
  const auto written = std::filesystem::last_write_time(spool::beside(path, ".events"), failed);
  return !failed && std::filesystem::file_time_type::clock::now() - written < limits::ended_served;
}

/// Bytes of a file from an offset, by a description of its own.
files::stream_bytes bytes_of(const std::string& path) {
  const auto file = std::make_shared<files::descriptor>(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return [file](std::uint64_t offset, std::span<char> room) {
    const auto n = ::pread(file->get(), room.data(), room.size(), static_cast<off_t>(offset));
    return n > 0 ? static_cast<std::size_t>(n) : std::size_t{0};
  };
}

}  // namespace

struct other_local_runs::other_run {
  other_run(boost::asio::io_context& io, pipeline::kept_stream opened, const spool::kept_run& kept,
            server& shown)
      : stream{std::move(opened)},
        parts{kept.path},
        rows{stream.identity(), parts.reader()},
        topics{rows, told(kept, shown)},
        following{io,
                  stream,
                  parts,
                  rows,
                  {nullptr, [this] { caught_up = true; },
                   [this](const text::failure& failure) { over(failure); }}} {}

  static pipeline::run_topics::listeners told(const spool::kept_run& kept, server& shown) {
    return {[&shown, bytes = bytes_of(kept.path), began = kept.began](pipeline::run& run) {
              shown.run_began(run, bytes, began);
            },
            [&shown](pipeline::run& run) { shown.run_changed(run); }};
  }

  void over(const text::failure& failure) {
    caught_up = true;
    goes_on = false;
    if (!failure.empty()) pipeline::finish(rows, stream);
  }

  pipeline::kept_stream stream;
  pipeline::attached_parts parts;
  pipeline::engine rows;
  pipeline::run_topics topics;
  pipeline::follower following;
  bool caught_up = false, goes_on = true;
};

other_local_runs::other_local_runs(boost::asio::io_context& io, std::string directory,
                                   std::string own, server& shown)
    : io_{io}, directory_{std::move(directory)}, own_{std::move(own)}, shown_{shown} {}

other_local_runs::~other_local_runs() = default;

void other_local_runs::look() {
  const auto all = spool::kept_runs(directory_, [](const char*) { return std::nullopt; });
  if (!all) return;
  // Oldest first, as they began.
  for (auto kept = all->rbegin(); kept != all->rend(); ++kept) {
    if (kept->path == own_ || known_.contains(kept->path)) continue;
    auto opened = pipeline::kept_stream::open(kept->path);
    const bool goes_on = opened && opened->is_held();
    // Its worker is about to say what the run is called and which group it is of, and may take a
    // while to find out. Its rows are made of that once: such a run is looked at again.
    if (goes_on && opened->said().id.empty()) continue;
    auto& place = known_[kept->path];
    if (!opened || (!goes_on && !ended_just_now(kept->path))) continue;
    place = std::make_unique<other_run>(io_, std::move(*opened), *kept, shown_);
    place->following.start();
  }
}

bool other_local_runs::caught_up() const {
  for (const auto& [path, each] : known_) {
    if (each && !each->caught_up) return false;
  }
  return true;
}

bool other_local_runs::any_goes_on() const {
  for (const auto& [path, each] : known_) {
    if (each && each->goes_on && each->stream.is_held()) return true;
  }
  return false;
}

void other_local_runs::stop() {
  for (const auto& [path, each] : known_) {
    if (each) each->following.stop();
  }
}

}  // namespace tofud
