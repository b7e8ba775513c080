#include "daemon/journal/writer.hpp"

#include "daemon/journal/layout.hpp"
#include "daemon/journal/limits.hpp"
#include "daemon/journal/run_directory.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <set>
#include <utility>

namespace tofud::journal {

struct writer::written_run {
  written_run(disk& on, const std::string& directory, std::uint64_t bytes,
              std::uint64_t event_bytes, std::uint64_t events_so_far)
      : stream{on, stream_in(directory), bytes},
        events{on, events_in(directory), event_bytes},
        arrivals_path{arrivals_in(directory)},
        event_count{events_so_far} {}

  appended_file stream, events;
  std::string arrivals_path;
  open_file arrivals;
  std::uint64_t arrivals_size = 0;
  std::uint64_t event_count;
  bool complete = false;
  bool ends_in_line = true;  // the batch's last byte is a newline
};

struct writer::batch {
  // Filled while jobs are written, in their order.
  std::vector<std::pair<create_job, text::failure>> creates;  // with its failure
  std::vector<append_job> appends;
  std::vector<std::pair<event_job, text::failure>> events;
  std::vector<other_job> others;
  std::set<std::string, std::less<>> waiting;  // runs that creates and others are about
  std::optional<text::failure> room;           // asked once: empty, or why there is none
};

writer::writer(disk& on, std::string root, free_floor floor)
    : disk_{on}, root_{std::move(root)}, floor_{floor} {}
writer::~writer() = default;

void writer::know(const kept_run& run) {
  std::uint64_t event_bytes = 0;
  for (const auto& event : run.events) event_bytes += event.json.size() + 1;
  // Of a run that is over nothing is opened any more.
  const std::string directory = run.complete ? "" : run_in(root_, run.header.id);
  auto known =
      std::make_unique<written_run>(disk_, directory, run.bytes, event_bytes, run.events.size());
  known->complete = run.complete;
  runs_[run.header.id] = std::move(known);
}

writer::written_run* writer::find(const std::string& id) {
  const auto found = runs_.find(id);
  return found == runs_.end() ? nullptr : found->second.get();
}

void writer::process(std::vector<job> jobs, const std::function<void(completions)>& emit) {
  batch now;
  for (auto& each : jobs) {
    if (auto* other = std::get_if<other_job>(&each)) {
      now.waiting.insert(other->run);
      now.others.push_back(std::move(*other));
      continue;
    }
    const auto& run = std::holds_alternative<create_job>(each)
                          ? std::get<create_job>(each).header.id
                      : std::holds_alternative<append_job>(each) ? std::get<append_job>(each).run
                                                                 : std::get<event_job>(each).run;
    // What came after another asked of the same run stays after it.
    if (now.waiting.contains(run)) {
      finish(now, emit);
      now = {};
    }
    if (auto* create = std::get_if<create_job>(&each)) {
      now.waiting.insert(create->header.id);
      start(now, std::move(*create));
    } else if (auto* append = std::get_if<append_job>(&each)) {
      start(now, std::move(*append));
    } else {
      start(now, std::move(std::get<event_job>(each)));
    }
  }
  finish(now, emit);
}

text::failure writer::too_little_room() const {
  if (floor_.bytes == 0) return {};
  const auto space = disk_.space(root_);
  if (!space) return {};
  if (space->free >= std::min(floor_.bytes, space->size / 100 * floor_.percent)) return {};
  return {error::no_room, root_, space->free >> 20U};
}

void writer::start(batch& now, create_job asked) {
  if (!now.room) now.room = too_little_room();
  now.creates.emplace_back(std::move(asked), *now.room);
}

void writer::start(batch& now, append_job asked) {
  if (!now.room) now.room = too_little_room();
  written_run* run = find(asked.run);
  if (run != nullptr && !run->complete && now.room->empty() && !asked.bytes.empty()) {
    run->stream.write(asked.bytes);
    run->ends_in_line = asked.bytes.back() == '\n';
  }
  now.appends.push_back(std::move(asked));
}

void writer::start(batch& now, event_job asked) {
  written_run* run = find(asked.run);
  text::failure failure;
  if (run == nullptr) {
    failure = {error::unknown_run, asked.run};
  } else if (run->complete) {
    failure = {error::complete_run, asked.run};
  } else if (asked.event.n != run->event_count + 1) {
    failure = {error::event_out_of_order, asked.run, run->event_count, asked.event.n};
  } else if (const auto line = as_line(asked.event.json); !event_offset(line)) {
    failure = error::bad_event;
  } else {
    ++run->event_count;
    run->events.write(line + "\n");
  }
  now.events.emplace_back(std::move(asked), std::move(failure));
}

void writer::finish(batch& now, const std::function<void(completions)>& emit) {
  completions out;
  finish_creates(now, out);
  finish_appends(now, out);
  finish_events(now, out);
  if (!out.empty()) emit(std::move(out));
  for (const auto& other : now.others) {
    completions one;
    if (auto call = other.work()) one.push_back(std::move(call));
    if (!one.empty()) emit(std::move(one));
  }
}

/// Waits for the disk for all of them at once.
void writer::all_at_once(std::size_t count, const std::function<void(std::size_t)>& work) {
  if (count > 1 && !crew_) crew_ = std::make_unique<sync_crew>(limits::journal_syncs - 1);
  if (count > 1)
    crew_->each(count, work);
  else if (count == 1)
    work(0);
}

void writer::finish_creates(batch& now, completions& out) {
  all_at_once(now.creates.size(), [&](std::size_t i) {
    auto& [asked, failure] = now.creates[i];
    if (failure.empty()) failure = make_run(disk_, root_, asked.header);
  });
  const bool any = std::any_of(now.creates.begin(), now.creates.end(),
                               [](const auto& each) { return each.second.empty(); });
  const int error = any ? sync_directory(disk_, runs_in(root_)) : 0;
  for (auto& [asked, failure] : now.creates) {
    const std::string& id = asked.header.id;
    if (failure.empty() && error != 0) {
      failure = refused(runs_in(root_), error::not_on_disk, error);
      remove_run(disk_, root_, id);
      clear_removed(disk_, run_being_removed(root_, id));
    }
    if (failure.empty())
      runs_[id] = std::make_unique<written_run>(disk_, run_in(root_, id), 0, 0, 0);
    out.push_back([done = std::move(asked.done), failure = std::move(failure)] { done(failure); });
  }
}

/// Brings one file of each run to disk and notes what failed.
void writer::sync_all(std::map<written_run*, text::failure>& failures,
                      appended_file written_run::*file) {
  std::vector<std::pair<appended_file*, text::failure*>> waiting;
  waiting.reserve(failures.size());
  for (auto& [run, failure] : failures) waiting.emplace_back(&(run->*file), &failure);
  if (waiting.size() > 1) {
    for (const auto& [each_file, failure] : waiting) each_file->start_sync();
  }
  all_at_once(waiting.size(),
              [&](std::size_t i) { *waiting[i].second = waiting[i].first->sync(); });
}

void writer::finish_appends(batch& now, completions& out) {
  std::map<written_run*, text::failure> failures;  // of the runs that were written
  for (const auto& asked : now.appends) {
    if (written_run* run = find(asked.run)) failures.try_emplace(run);
  }
  const auto began = std::chrono::steady_clock::now();
  sync_all(failures, &written_run::stream);
  if (!now.appends.empty()) {
    const std::lock_guard held{counting_};
    syncs_.add(std::chrono::steady_clock::now() - began);
    if (!now.room->empty()) ++refusals_;
  }
  for (const auto& asked : now.appends) {
    written_run* run = find(asked.run);
    if (run == nullptr || run->stream.pending() == run->stream.acknowledged()) continue;
    text::failure failure = record_arrival(*run, {run->stream.pending(), asked.arrived});
    if (failure.empty()) {
      run->stream.commit();
    } else {
      run->stream.abandon();
      failures[run] = std::move(failure);
    }
  }
  for (auto& asked : now.appends) {
    append_result result;
    written_run* run = find(asked.run);
    if (run == nullptr) {
      result.failure = {error::unknown_run, asked.run};
    } else {
      result.offset = run->stream.acknowledged();
      result.failure = run->complete        ? text::failure{error::complete_run, asked.run}
                       : !now.room->empty() ? *now.room
                                            : failures[run];
    }
    result.bytes = std::move(asked.bytes);
    out.push_back([done = std::move(asked.done), result = std::move(result)]() mutable {
      done(std::move(result));
    });
  }
}

void writer::finish_events(batch& now, completions& out) {
  std::map<written_run*, text::failure> failures;
  for (const auto& [asked, failure] : now.events) {
    if (written_run* run = find(asked.run)) failures.try_emplace(run);
  }
  sync_all(failures, &written_run::events);
  for (const auto& [run, failure] : failures) {
    if (failure.empty()) run->events.commit();
  }
  for (auto& [asked, failure] : now.events) {
    written_run* run = find(asked.run);
    if (failure.empty() && run != nullptr) {
      failure = failures[run];
      if (!failure.empty()) --run->event_count;
    }
    out.push_back([done = std::move(asked.done), failure = std::move(failure)] { done(failure); });
  }
}

/// Recovery keeps whole lines without it. The end of an unfinished one is kept only because of this
/// record, so then it has to be on disk as well.
text::failure writer::record_arrival(written_run& run, const arrival& arrival) {
  if (!run.arrivals) {
    run.arrivals = open_file{disk_, disk_.open(run.arrivals_path, O_RDWR | O_CREAT)};
    if (!run.arrivals) return refused(run.arrivals_path, error::unopenable, errno);
    run.arrivals_size = disk_.size(run.arrivals.fd()).value_or(0);
  }
  const std::string line = to_line(arrival);
  int error = write_all(disk_, run.arrivals.fd(), line, run.arrivals_size);
  if (error == 0 && !run.ends_in_line && disk_.fdatasync(run.arrivals.fd()) != 0) error = errno;
  if (error == 0) {
    run.arrivals_size += line.size();
    return {};
  }
  disk_.ftruncate(run.arrivals.fd(), run.arrivals_size);
  run.arrivals.close();
  return refused(run.arrivals_path, error::not_written, error);
}

text::failure writer::complete(const std::string& id, ui::time_point at) {
  written_run* run = find(id);
  if (run == nullptr) return {error::unknown_run, id};
  if (run->complete) return {};
  text::failure failure = mark_complete(disk_, root_, id, {run->stream.acknowledged(), at});
  if (!failure.empty()) return failure;
  auto over = std::make_unique<written_run>(disk_, run_in(root_, id), run->stream.acknowledged(),
                                            run->events.acknowledged(), run->event_count);
  over->complete = true;
  runs_[id] = std::move(over);  // its files are closed
  return {};
}

bool writer::is_complete(const std::string& id) {
  const written_run* run = find(id);
  return run != nullptr && run->complete;
}

text::failure writer::remove(const std::string& id) {
  text::failure failure = remove_run(disk_, root_, id);
  if (!failure.empty()) return failure;
  runs_.erase(id);
  clear_removed(disk_, run_being_removed(root_, id));
  return {};
}

void writer::add_counts(store_facts& to) const {
  const std::lock_guard held{counting_};
  to.syncs = syncs_;
  to.refusals = refusals_;
}

std::uint64_t writer::bytes(const std::string& id) {
  const written_run* run = find(id);
  return run == nullptr ? 0 : run->stream.acknowledged();
}

}  // namespace tofud::journal
