#include "daemon/cli/run_search.hpp"

#include "daemon/api/limits.hpp"
#include "daemon/cli/errors.hpp"
#include "daemon/spool/run_id.hpp"

#include <algorithm>
#include <set>
#include <sys/stat.h>
#include <utility>
#include <vector>

namespace tofud::cli {
namespace {

using found_run = text::result<opened_run>;

class run_search {
 public:
  run_search(const run_argument& given, const asked_daemon& daemon)
      : given_{given},
        daemon_{daemon},
        newest_{given.run.empty() || given.run == "last"},
        id_{spool::taken_apart(given.run).id} {
    // A place that can't be read holds nothing here; `choose_run` says why once it is needed.
    if (auto kept = spool::kept_runs(given.state_dir, spool::process_environment())) {
      here_ = std::move(*kept);
    }
  }

  found_run find() {
    if (!daemon_.service || (!newest_ && (is_here(id_) || is_file()))) return open_here();
    return newest_ ? find_newest() : find_named();
  }

 private:
  bool is_here(const std::string& id) const {
    return std::any_of(here_.begin(), here_.end(), [&](const auto& run) { return run.id == id; });
  }

  bool is_file() const {
    if (given_.run.find('/') != std::string::npos) return true;
    struct stat facts {};
    return !spool::is_run_id(id_) && ::stat(given_.run.c_str(), &facts) == 0 &&
           !S_ISDIR(facts.st_mode);
  }

  /// The newest run here that goes on.
  std::optional<opened_run> going_here() const {
    for (const spool::kept_run& run : here_) {
      auto stream = pipeline::kept_stream::open(run.path);
      if (stream && stream->is_held()) return opened_run{{run.path, ""}, std::move(*stream)};
    }
    return std::nullopt;
  }

  found_run open_here() const {
    if (given_.run.empty()) {
      if (auto going = going_here()) return std::move(*going);
    }
    return open_here(newest_ ? "last" : given_.run);
  }

  found_run open_here(const std::string& text) const {
    auto chosen = spool::choose_run(text, given_.state_dir, spool::process_environment());
    if (!chosen) return chosen.error();
    auto stream = pipeline::kept_stream::open(chosen->path);
    if (!stream) return stream.error();
    return opened_run{std::move(*chosen), std::move(*stream)};
  }

  boost::system::result<opened_run, client::failure> open_there(const std::string& text) const {
    const auto [id, part] = spool::taken_apart(text);
    auto stream = pipeline::kept_stream::open(*daemon_.service, id);
    if (!stream) return stream.error();
    // The first run of a stream has the stream's id.
    const std::string only = part.empty() ? "" : part == "1" ? id : text;
    return opened_run{{"", only}, std::move(*stream)};
  }

  found_run open_either(const std::string& text) const {
    if (is_here(spool::taken_apart(text).id)) return open_here(text);
    auto there = open_there(text);
    return there ? found_run{std::move(*there)} : there.error().passed_on();
  }

  /// An id begins with the minute in which its run began, and within one only the clocks know.
  static bool is_newer(const spool::kept_run& here, const feed::run_view& there) {
    constexpr std::size_t minute = 13;  // of "20261121T0312-7f3a"
    const int order = here.id.compare(0, minute, there.id, 0, minute);
    if (order != 0 || here.id == there.id || !there.created_at) return order >= 0;
    return std::chrono::floor<std::chrono::microseconds>(here.began) >= *there.created_at;
  }

  found_run find_newest() const {
    if (given_.run.empty()) {
      if (auto going = going_here()) return std::move(*going);
      feed::run_query running;
      running.statuses = {"running"};
      running.limit = 1;
      const auto going = daemon_.service->list(running);
      if (!going && is_left_over(daemon_, going.error())) return open_here("last");
      if (!going) return going.error().passed_on();
      if (!going->runs.empty()) return open_either(going->runs.front().id);
    }
    feed::run_query any;
    any.limit = 1;
    const auto there = daemon_.service->list(any);
    if (!there && !is_left_over(daemon_, there.error())) return there.error().passed_on();
    if (!there || there->runs.empty()) return open_here("last");
    const feed::run_view& newest = there->runs.front();
    if (!here_.empty() && is_newer(here_.front(), newest)) return open_here("last");
    return open_either(newest.id);
  }

  found_run find_named() const {
    auto exact = open_there(given_.run);
    if (exact) return std::move(*exact);
    const client::failure& failed = exact.error();
    if (is_left_over(daemon_, failed)) return open_here(given_.run);
    if (failed.what != client::trouble::not_found) return failed.passed_on();
    feed::run_query named;
    named.text = id_;
    named.limit = limits::listed_runs;
    const auto there = daemon_.service->list(named);
    if (!there) return there.error().passed_on();
    std::set<std::string> ids;
    for (const spool::kept_run& run : here_) ids.insert(run.id);
    for (const feed::run_view& run : there->runs) ids.insert(spool::taken_apart(run.id).id);
    std::erase_if(ids, [&](const std::string& id) { return !id.starts_with(id_); });
    if (ids.empty()) {
      return text::failure{cli::error::not_kept, given_.run, daemon_.service->at().shown};
    }
    if (ids.size() > 1) return spool::too_many_runs(given_.run, {ids.begin(), ids.end()});
    return open_either(*ids.begin() + given_.run.substr(id_.size()));
  }

  const run_argument& given_;
  const asked_daemon& daemon_;
  bool newest_;
  std::string id_;  // of the stream
  std::vector<spool::kept_run> here_;
};

}  // namespace

found_run find_run(const run_argument& given, const asked_daemon& daemon) {
  return run_search{given, daemon}.find();
}

}  // namespace tofud::cli
