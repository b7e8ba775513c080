#include "daemon/cli/lock_search.hpp"

#include "daemon/files/regular_file.hpp"
#include "daemon/spool/kept_runs.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/stack/limits.hpp"
#include "daemon/stack/state_place.hpp"
#include "daemon/wall/limits.hpp"

#include <utility>

namespace tofud::cli {
namespace {

bool refuse(const std::string& sentence) {
  spool::notice(sentence);
  return false;
}

/// What a run says that could not have the lock.
std::optional<recovery::found_lock> lock_in(const correlator::run_state& run) {
  for (std::size_t i = run.diagnostics(); i-- > 0;) {
    const feed::diagnostic_row& each = run.diagnostic_at(i);
    if (!wall::is_lock_error(each.summary)) continue;
    auto lock = wall::parse_lock_info(each.detail);
    if (!lock || lock->id.empty()) continue;
    return recovery::found_lock{std::move(*lock), "the lock error of run " + run.id(), false};
  }
  return std::nullopt;
}

/// In the runs behind `before`, or in all if that is null.
std::optional<recovery::found_lock> lock_behind(const correlator::stream_fold& fold,
                                                const correlator::run_state* before) {
  bool behind = before == nullptr;
  for (const correlator::run_state& each : fold.runs()) {
    if (behind) {
      if (auto lock = lock_in(each)) return lock;
    }
    behind = behind || &each == before;
  }
  return std::nullopt;
}

std::optional<recovery::found_lock> lock_of(const std::string& spool, const std::string& stack) {
  auto stream = pipeline::kept_stream::open(spool);
  if (!stream || stream->identity().stack != stack) return std::nullopt;
  recovery::recovered_stream later;
  if (!later.read(*stream).empty()) return std::nullopt;
  return lock_behind(later.fold(), nullptr);
}

/// In the streams that were kept since, newest first: the newest error tells of the lock as it is.
std::optional<recovery::found_lock> lock_since(const lock_place& place,
                                               const run_argument& search) {
  const std::string& stack = place.run.identity().stack;
  const auto kept = spool::kept_runs(search.state_dir, spool::process_environment());
  if (!kept || stack.empty() || place.spool.empty()) return std::nullopt;
  std::size_t since = 0;
  while (since < kept->size() && (*kept)[since].path != place.spool) ++since;
  if (since == kept->size()) return std::nullopt;  // it is none of those kept
  for (std::size_t i = 0; i < since && i < limits::runs_of_a_card; ++i) {
    if (auto lock = lock_of((*kept)[i].path, stack)) return lock;
  }
  return std::nullopt;
}

bool read_given_stream(run_argument search, const std::string& stream,
                       std::optional<recovery::found_lock>& found) {
  search.run = stream;
  auto opened = open_run(search);
  if (!opened) return false;
  recovery::recovered_stream other;
  const auto failure = other.read(opened->stream);
  if (!failure.empty()) return refuse(failure.text());
  found = lock_behind(other.fold(), nullptr);
  return found.has_value() || refuse(stream + " has no error about a lock");
}

bool read_given_file(const std::string& path, std::optional<recovery::found_lock>& found) {
  const auto read = files::read_regular_file(path, limits::described_bytes);
  if (!read) return refuse(read.error().text());
  auto lock = wall::parse_lock_file(*read);
  if (!lock) return refuse(path + " has no lock ID; tofud expects a lock in JSON");
  found = recovery::found_lock{std::move(*lock), path, path.ends_with(".lock.info")};
  return true;
}

/// One that is not there, or holds something else, says nothing.
std::optional<recovery::found_lock> lock_beside(const std::filesystem::path& state) {
  if (state.empty()) return std::nullopt;
  const std::string path = stack::lock_file_of(state).string();
  auto lock = wall::parse_lock_file(
      text::or_empty(files::read_regular_file(path, limits::described_bytes)));
  if (!lock) return std::nullopt;
  return recovery::found_lock{std::move(*lock), path, true};
}

}  // namespace

bool find_lock(const lock_arguments& given, const run_argument& search, const lock_place& place,
               std::optional<recovery::found_lock>& found) {
  if (!given.file.empty()) return read_given_file(given.file, found);
  if (!given.stream.empty()) return read_given_stream(search, given.stream, found);
  found = lock_beside(place.state);
  if (!found) found = lock_behind(place.stream.fold(), &place.run);
  if (!found && recovery::may_have_left_lock(place.run.view())) found = lock_since(place, search);
  return true;
}

}  // namespace tofud::cli
