#include "daemon/cli/run_listing.hpp"

#include "daemon/api/limits.hpp"
#include "daemon/api/run_filter.hpp"
#include "daemon/cli/limits.hpp"
#include "daemon/cli/run_argument.hpp"
#include "daemon/pipeline/attached_parts.hpp"
#include "daemon/redaction/redaction.hpp"
#include "daemon/spool/notice.hpp"
#include "protocol/feed/age.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

namespace tofud::cli {
namespace {

/// The runs of a stream, the last one first; nothing if it can't be read.
std::vector<terminal::listed_run> runs_of(const spool::kept_run& kept,
                                          const listing_question& asked) {
  std::vector<terminal::listed_run> runs;
  auto stream = pipeline::kept_stream::open(kept.path);
  if (!stream) return runs;  // pruned since it was found, perhaps
  auto identity = stream->identity();
  std::optional<redact::rules> rules;
  if (asked.redacted_with) {
    auto found = redaction::rules_of_stream(kept.path, *asked.redacted_with);
    if (!found) return runs;
    rules = std::move(*found);
    identity = redaction::redacted(std::move(identity), *rules);
  }
  pipeline::engine rows{std::move(identity)};
  if (rules) rows.redact_by(*rules);
  pipeline::attached_parts none;
  const bool goes_on = stream->is_held();
  if (!feed_all(rows, *stream, none).empty()) return runs;
  if (!goes_on) finish(rows, *stream);
  const auto& all = rows.fold().runs();
  for (auto run = all.rbegin(); run != all.rend(); ++run) {
    terminal::listed_run listed{run->view(), kept.began, true, kept.bytes};
    if (listed.run.started_at) listed.began = *listed.run.started_at;
    runs.push_back(std::move(listed));
  }
  return runs;
}

run_listing list_of(const std::vector<spool::kept_run>& kept, const listing_question& asked) {
  run_listing found;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (!asked.all && found.runs.size() >= limits::listed_runs) {
      found.left_out = kept.size() - i;
      break;
    }
    bytes += kept[i].bytes;
    if (!asked.all && bytes > limits::listed_bytes) {
      terminal::listed_run unread{{}, kept[i].began, false, kept[i].bytes};
      unread.run.id = kept[i].id;
      found.runs.push_back(std::move(unread));
      ++found.unread;
      bytes -= kept[i].bytes;  // a smaller one may still have room
      continue;
    }
    for (auto& run : runs_of(kept[i], asked)) found.runs.push_back(std::move(run));
  }
  return found;
}

/// Those at the daemon that are not kept here, the newest first. False: it could not be asked,
/// which is said.
bool add_from_daemon(run_listing& found, const asked_daemon& daemon, const feed::run_query& wanted,
                     const listing_question& given) {
  std::set<std::string> here;
  for (const auto& each : found.runs) here.insert(each.run.id);
  feed::run_query query = wanted;
  if (!given.all) query.limit = limits::listed_runs;
  do {
    const auto list = daemon.service->list(query);
    if (!list) {
      if (is_left_over(daemon, list.error())) return true;
      spool::notice(list.error().sentence);
      return false;
    }
    for (const feed::run_view& run : list->runs) {
      if (here.contains(run.id)) continue;
      terminal::listed_run listed{run, {}, true, 0};
      if (run.started_at) {
        const auto live = run.status == feed::run_status::running ? feed::run_goes_on::yes
                                                                  : feed::run_goes_on::no;
        listed.began = feed::by_our_clock(*run.started_at, run.clock_offset, live);
      }
      found.runs.push_back(std::move(listed));
    }
    query.cursor = list->next;
  } while (given.all && !query.cursor.empty());
  found.more_there = !query.cursor.empty();
  return true;
}

void filter(run_listing& found, const feed::run_query& wanted) {
  if (wanted.is_empty()) return;
  std::erase_if(found.runs, [&](const terminal::listed_run& each) {
    return !each.read ||
           !matches(wanted, each.run, std::chrono::floor<std::chrono::microseconds>(each.began));
  });
}

}  // namespace

std::optional<run_listing> list_runs(const listing_question& asked) {
  const auto daemon = daemon_for(asked.server, asked.no_server, asked.token_file);
  if (!daemon) return std::nullopt;
  auto kept = spool::kept_runs(asked.state_dir, spool::process_environment());
  if (!kept) {
    spool::notice(kept.error().text());
    return std::nullopt;
  }
  run_listing found = list_of(*kept, asked);
  filter(found, asked.wanted);
  if (daemon->service && !add_from_daemon(found, *daemon, asked.wanted, asked)) return std::nullopt;
  std::stable_sort(found.runs.begin(), found.runs.end(),
                   [](const auto& a, const auto& b) { return a.began > b.began; });
  // Here and there may be twice as many as anybody asked for.
  if (!asked.all && daemon->service && found.runs.size() > limits::listed_runs) {
    found.runs.resize(limits::listed_runs);
    found.more_there = true;
  }
  found.kept = std::move(*kept);
  return found;
}

}  // namespace tofud::cli
