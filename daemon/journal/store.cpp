#include "daemon/journal/store.hpp"

#include "daemon/files/private_file.hpp"
#include "daemon/journal/attachments.hpp"
#include "daemon/journal/compression.hpp"
#include "daemon/journal/index.hpp"
#include "daemon/journal/journal_thread.hpp"
#include "daemon/journal/layout.hpp"
#include "daemon/journal/limits.hpp"
#include "daemon/journal/recovery.hpp"
#include "daemon/journal/removals.hpp"
#include "daemon/journal/stream_file.hpp"

#include <boost/asio/post.hpp>

#include <cerrno>
#include <fcntl.h>
#include <map>
#include <set>
#include <span>
#include <sys/file.h>
#include <utility>

namespace tofud::journal {

namespace asio = boost::asio;

namespace {

/// What the loop knows of a run without asking the disk.
struct known_run {
  std::string upload_id;
  ui::time_point created_at;
  std::optional<ui::time_point> completed_at;
  std::uint64_t disk_bytes = 0;
  std::uint64_t attached_bytes = 0;  // of these
  std::string sender, stack;
  ui::time_point heard_at;  // when bytes came last, else its creation
};

/// When the run ended, as far as retention is concerned: nobody waits for ever for a forwarder.
std::optional<ui::time_point> over_at(const known_run& run, ui::time_point now) {
  if (run.completed_at || now - run.heard_at < limits::abandoned_after) return run.completed_at;
  return run.heard_at;
}

/// Shared with completions, which may run when the store is gone.
struct catalog {
  std::map<std::string, known_run, std::less<>> runs;
  std::set<std::string, std::less<>> removed;  // ids of runs and of uploads

  known_run* find(std::string_view id) {
    const auto found = runs.find(id);
    return found == runs.end() ? nullptr : &found->second;
  }
  void remove(const std::string& id, std::string_view upload_id, removed_by whom) {
    runs.erase(id);
    if (whom == removed_by::retention) return;
    removed.insert(id);
    if (!upload_id.empty()) removed.emplace(upload_id);
  }
};

/// "" or a sentence.
text::failure make_directory(disk& on, const std::string& path) {
  if (on.is_directory(path) || on.mkdir(path) == 0) return {};
  if (errno == ENOENT) {
    const auto slash = path.rfind('/');
    if (slash != std::string::npos && slash > 0) {
      if (auto failure = make_directory(on, path.substr(0, slash)); !failure.empty())
        return failure;
      if (on.mkdir(path) == 0) return {};
    }
  }
  return refused(path, error::not_made, errno);
}

}  // namespace

struct store::state {
  state(asio::io_context& io, std::string where, options chosen)
      : loop{io},
        root{std::move(where)},
        given{std::move(chosen)},
        on{given.on == nullptr ? real_disk() : *given.on},
        writes{on, root, {given.free_bytes, given.free_percent}},
        removed{on, root},
        packs{on, root, [this](const auto& run, const auto& failure) { packed(run, failure); }},
        thread{loop, writes, [this] { return packs.step(); }} {}

  asio::io_context& loop;
  std::string root;
  options given;
  disk& on;
  open_file lock;
  std::shared_ptr<catalog> known = std::make_shared<catalog>();
  bool looked = false;  // for runs that were kept long enough

  // Below: the thread's.
  writer writes;
  removals removed;
  compression packs;
  std::unique_ptr<index> lists;  // from recovery on
  bool recovering = true;
  journal_thread thread;  // last: it uses the others

  /// Does `work` on the thread and gives what it returns to `done` on the loop.
  template <class Work, class Done>
  void ask(const std::string& run, Work work, Done done) {
    thread.push(asked(run, std::move(work), std::move(done)));
  }
  template <class Work, class Done>
  static other_job asked(const std::string& run, Work work, Done done) {
    return {run, [work = std::move(work), done = std::move(done)]() -> std::function<void()> {
              return [result = work(), done]() mutable { done(std::move(result)); };
            }};
  }

  /// The same for work with the index, which may be done later than what comes after it.
  template <class Work, class Done>
  void ask_index(const std::string& run, Work work, Done done) {
    auto tells = [this, work = std::move(work)] {
      auto result = work(*lists);
      tell_remarks();
      return result;
    };
    thread.push_later(asked(run, std::move(tells), std::move(done)));
  }

  /// The same for what a run adds to the index: nothing if it was removed meanwhile.
  template <class Work>
  void ask_index_about(const std::string& run, Work work, on_done done) {
    auto known_only = [this, run, work = std::move(work)](index& in) {
      return writes.knows(run) ? work(in) : text::failure{error::unknown_run, run};
    };
    ask_index(run, std::move(known_only), std::move(done));
  }

  void tell(std::string sentence) {
    asio::post(loop, [said = given.said, sentence = std::move(sentence)] { said(sentence); });
  }

  void tell_remarks() {
    auto remarks = lists->remarks();
    if (remarks.empty()) return;
    for (auto& remark : remarks) tell(std::move(remark));
    if (!recovering) asio::post(loop, given.index_lost);
  }

  void packed(const std::string& run, const text::failure& failure) {
    if (!failure.empty())
      tell(failure.text() + "; the stored stream of run " + run + " stays as it is");
    asio::post(loop, [known = known, run, bytes = bytes_in(on, run_in(root, run))] {
      if (auto* found = known->find(run)) found->disk_bytes = bytes;
    });
  }

  struct found_runs {
    std::vector<kept_run> runs;
    std::vector<removal> removals;
  };
  found_runs recover();
  text::failure remove(const std::string& run, const std::string& upload_id, removed_by whom,
                       ui::time_point at);
};

/// On the thread.
store::state::found_runs store::state::recover() {
  std::map<std::string, indexed_run, std::less<>> indexed;
  recovered found = recover_runs(on, root, [&] {
    lists = std::make_unique<index>(index_in(root), given.made_by);
    for (auto& run : lists->all()) indexed.emplace(run.id, std::move(run));
  });
  for (auto& remark : found.remarks) tell(std::move(remark));

  std::set<std::string, std::less<>> gone;
  found_runs result;
  result.removals = removed.read();
  for (const auto& each : result.removals) gone.insert(each.run);
  std::erase_if(found.runs, [&](const kept_run& run) {
    const auto& id = run.header.id;
    if (!gone.contains(id)) return false;  // else the crash came between the promise and the deed
    if (const auto failure = writes.remove(id); !failure.empty()) tell(failure.text());
    return true;
  });
  for (auto& run : found.runs) {
    const auto& id = run.header.id;
    writes.know(run);
    if (run.complete && !run.compressed) packs.add(id, run.bytes);
    if (const auto listed = indexed.find(id); listed != indexed.end()) {
      if (run.complete && listed->second.bytes == run.bytes &&
          listed->second.events == run.events.size())
        run.indexed = std::move(listed->second);
      indexed.erase(listed);
    }
  }
  result.runs = std::move(found.runs);
  for (const auto& [id, run] : indexed)
    lists->forget(id, gone.contains(id) ? history_of_run::goes : history_of_run::stays);
  tell_remarks();
  recovering = false;
  return result;
}

/// On the thread.
text::failure store::state::remove(const std::string& run, const std::string& upload_id,
                                   removed_by whom, ui::time_point at) {
  if (whom == removed_by::person) {
    if (auto failure = removed.add({run, upload_id, at}); !failure.empty()) return failure;
  }
  packs.drop(run);
  if (auto failure = writes.remove(run); !failure.empty()) return failure;
  auto failure =
      lists->forget(run, whom == removed_by::person ? history_of_run::goes : history_of_run::stays);
  if (!failure.empty()) tell(failure.text());  // the next start does it
  tell_remarks();
  return {};
}

text::result<std::unique_ptr<store>> store::open(asio::io_context& loop, const std::string& root,
                                                 options given) {
  disk plain;
  if (auto failure = make_directory(plain, runs_in(root)); !failure.empty()) return failure;
  const std::string path = root + "/lock";
  const int fd = plain.open(path, O_RDWR | O_CREAT);
  if (fd < 0) return refused(path, error::unopenable, errno);
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    plain.close(fd);
    if (error == EWOULDBLOCK) return text::failure{error::in_use, root};
    return refused(path, error::not_locked, error);
  }
  auto made = std::make_unique<state>(loop, root, std::move(given));
  made->lock = open_file{made->on, fd};
  return std::unique_ptr<store>{new store{std::move(made)}};
}

store::store(std::unique_ptr<state> made) : state_{std::move(made)} {}
store::~store() = default;

std::vector<kept_run> store::recover() {
  state::found_runs found;
  state_->thread.wait_for([&] { found = state_->recover(); });
  for (const auto& each : found.removals)
    state_->known->remove(each.run, each.upload_id, removed_by::person);
  for (const auto& run : found.runs) {
    const auto& header = run.header;
    state_->known->runs[header.id] = {
        header.upload_id,   header.created_at,
        run.completed_at,   run.disk_bytes,
        run.attached_bytes, owner_of(header),
        header.stack,       run.last_arrival ? run.last_arrival->at : header.created_at};
  }
  return std::move(found.runs);
}

bool store::is_free(std::string_view id) const {
  return is_safe_id(id) && !state_->known->runs.contains(id) && !removed_by_person(id);
}

void store::create(run_header header, on_done done) {
  const auto id = header.id;
  if (!is_free(id)) {
    auto refuse = [done = std::move(done), id] { done({error::run_there_already, id}); };
    asio::post(state_->loop, std::move(refuse));
    return;
  }
  state_->known->runs[id] = {header.upload_id, header.created_at, std::nullopt,     0, 0,
                             owner_of(header), header.stack,      header.created_at};
  state_->thread.push(
      create_job{std::move(header),
                 [known = state_->known, id, done = std::move(done)](text::failure failure) {
                   if (!failure.empty()) known->runs.erase(id);
                   done(std::move(failure));
                 }});
}

void store::append(const std::string& run, std::string bytes, ui::time_point arrived,
                   std::function<void(append_result)> done) {
  state_->thread.push(append_job{
      run, std::move(bytes), arrived,
      [known = state_->known, run, arrived, done = std::move(done)](append_result result) {
        if (auto* found = known->find(run)) {
          found->disk_bytes = result.offset + found->attached_bytes;
          found->heard_at = std::max(found->heard_at, arrived);
        }
        done(std::move(result));
      }});
}

void store::add_event(const std::string& run, kept_event event, on_done done) {
  state_->thread.push(event_job{run, std::move(event), std::move(done)});
}

std::string store::rows_path(const std::string& run) const {
  return rows_in(run_in(state_->root, run));
}

text::failure store::write_rows(const std::string& run, std::string_view text) const {
  if (auto full = state_->writes.too_little_room(); !full.empty()) return full;
  return files::write_private(rows_path(run), text);
}

void store::rows_were_written(const std::string& run) {
  state* const here = state_.get();
  auto work = [here, run] { return bytes_in(here->on, run_in(here->root, run)); };
  here->ask(run, work, [known = here->known, run](std::uint64_t bytes) {
    if (auto* found = known->find(run)) found->disk_bytes = bytes;
  });
}

std::string store::attachment_path(const std::string& run, std::string_view name) const {
  return inside(attachments_in(run_in(state_->root, run)), name);
}

text::failure store::write_attachment(const std::string& run, std::string_view name,
                                      std::string_view text) const {
  if (auto full = state_->writes.too_little_room(); !full.empty()) return full;
  return journal::write_attachment(state_->on, run_in(state_->root, run), name, text);
}

void store::keep_attachments(const std::string& run, std::vector<std::string> names, on_done done) {
  state* const here = state_.get();
  struct kept {
    text::failure failure;
    std::uint64_t bytes = 0;
  };
  auto work = [here, run, names = std::move(names)] {
    const std::string directory = run_in(here->root, run);
    kept result;
    result.failure = journal::keep_attachments(here->on, directory, names);
    result.bytes = attached_bytes(here->on, directory);
    return result;
  };
  here->ask(run, work, [known = here->known, run, done = std::move(done)](kept result) {
    if (auto* found = known->find(run)) {
      found->disk_bytes += result.bytes - found->attached_bytes;
      found->attached_bytes = result.bytes;
    }
    done(std::move(result.failure));
  });
}

void store::clear_attachments(const std::string& run, std::function<void()> done) {
  state* const here = state_.get();
  auto work = [here, run, done = std::move(done)] {
    journal::clear_attachments(here->on, run_in(here->root, run));
    return done;
  };
  here->thread.push(other_job{run, std::move(work)});
}

void store::complete(const std::string& run, ui::time_point at, on_done done) {
  state* const here = state_.get();
  auto work = [here, run, at] {
    if (here->writes.is_complete(run)) return text::failure{};
    auto failure = here->writes.complete(run, at);
    if (failure.empty()) here->packs.add(run, here->writes.bytes(run));
    return failure;
  };
  here->ask(run, work,
            [known = here->known, run, at, done = std::move(done)](text::failure failure) {
              auto* const found = known->find(run);
              if (failure.empty() && found != nullptr && !found->completed_at)
                found->completed_at = at;
              done(std::move(failure));
            });
}

void store::remove(const std::string& run, removed_by whom, ui::time_point at, on_done done) {
  state* const here = state_.get();
  const known_run* found = here->known->find(run);
  const std::string upload_id = found == nullptr ? "" : found->upload_id;
  auto work = [here, run, upload_id, whom, at] { return here->remove(run, upload_id, whom, at); };
  here->ask(
      run, work,
      [known = here->known, run, upload_id, whom, done = std::move(done)](text::failure failure) {
        if (failure.empty()) known->remove(run, upload_id, whom);
        done(std::move(failure));
      });
}

bool store::removed_by_person(std::string_view id) const {
  return state_->known->removed.contains(id);
}

void store::retain(const retention& kept, ui::time_point now, const asked_of_runs& asked,
                   std::function<void(std::vector<std::string> removed)> done) {
  state* const here = state_.get();
  std::vector<retained_run> runs;
  for (const auto& [id, run] : here->known->runs) {
    auto over = over_at(run, now);
    if (over && asked.seen_at) over = std::max(*over, asked.seen_at(id));
    runs.push_back(
        {id, run.created_at, over, run.disk_bytes, run.sender, run.stack, asked.waits(id)});
  }
  const auto which = std::exchange(here->looked, true) ? look::later : look::first;
  auto chosen = beyond(kept, std::move(runs), now, asked.keep, which);
  auto removed = std::make_shared<std::vector<std::string>>();
  for (const auto& id : chosen) {
    remove(id, removed_by::retention, now,
           [id, removed, said = here->given.said](const text::failure& failure) {
             if (failure.empty())
               removed->push_back(id);
             else
               said(failure.text());
           });
  }
  // Comes last, since jobs keep their order.
  here->ask_index(
      "",
      [most = kept.operations](index& in) {
        return most ? in.trim_history(*most) : text::failure{};
      },
      [removed, said = here->given.said, done = std::move(done)](const text::failure& failure) {
        if (!failure.empty()) said(failure.text());
        done(std::move(*removed));
      });
}

void store::put(indexed_run run, on_done done) {
  const std::string id = run.id;
  auto work = [run = std::move(run)](index& in) { return in.put(run); };
  state_->ask_index_about(id, std::move(work), std::move(done));
}

void store::list(run_query query, sqlite::row_filter seen, std::function<void(run_list)> done) {
  state_->ask_index(
      "",
      [query = std::move(query), seen = std::move(seen)](index& in) {
        return in.list(query, seen);
      },
      std::move(done));
}

void store::add_history(const std::string& run, std::vector<history::run_operations> did,
                        on_done done) {
  add_history(run, std::move(did), true, std::move(done));
}

void store::add_history_of_others(const std::string& run, std::vector<history::run_operations> did,
                                  on_done done) {
  if (removed_by_person(run)) return done({});
  add_history(run, std::move(did), false, std::move(done));
}

void store::add_history(const std::string& run, std::vector<history::run_operations> did,
                        bool is_known_only, on_done done) {
  const auto ask = [this, &run, is_known_only](auto work, on_done then) {
    if (is_known_only)
      state_->ask_index_about(run, std::move(work), std::move(then));
    else
      state_->ask_index(run, std::move(work), std::move(then));
  };
  // In pieces, since bytes wait while one is written.
  auto all = std::make_shared<const std::vector<history::run_operations>>(std::move(did));
  auto failure = std::make_shared<text::failure>();
  ask([failure, run](index& in) { return *failure = in.forget_history(run); },
      [](const text::failure&) {});
  for (const history::run_operations& each : *all) {
    for (std::size_t begin = 0, end = 0; begin == 0 || begin < each.operations.size();
         begin = end) {
      end = std::min(begin + limits::history_piece, each.operations.size());
      auto work = [all, failure, run, of = &each, begin, end](index& in) {
        const std::span piece{of->operations.data() + begin, end - begin};
        if (failure->empty()) *failure = in.add_history(run, of->run, piece);
        return *failure;
      };
      ask(std::move(work), [](const text::failure&) {});
      if (end == 0) break;
    }
  }
  ask([failure](index&) { return *failure; }, std::move(done));
}

void store::find_history(history::report_query query, sqlite::row_filter seen,
                         std::function<void(text::result<history::report>)> done) {
  auto work = [query = std::move(query), seen = std::move(seen)](index& in) {
    return in.find_history(query, seen);
  };
  state_->ask_index("", std::move(work), std::move(done));
}

net::task<std::vector<feed::address_usual>> store::usual_of_stack(std::string stack,
                                                                  std::size_t most,
                                                                  sqlite::row_filter seen) {
  return net::given<std::vector<feed::address_usual>>(
      [this, stack = std::move(stack), most, seen = std::move(seen)](auto give) {
        state_->ask_index(
            "", [stack, most, seen](index& in) { return in.usual_of_stack(stack, most, seen); },
            [give = std::move(give)](const text::result<std::vector<feed::address_usual>>& found) {
              give(found ? *found : std::vector<feed::address_usual>{});
            });
      });
}

void store::find_usual(std::vector<history::usual_query> queries,
                       std::function<void(usual_answer)> done) {
  auto work = [queries = std::move(queries)](index& in) { return in.find_usual(queries); };
  state_->ask_index("", std::move(work), std::move(done));
}

void store::reindex(on_done done) {
  std::set<std::string, std::less<>> again;
  for (const auto& [id, run] : state_->known->runs) again.insert(id);
  state_->ask_index(
      "", [again = std::move(again)](index& in) { return in.begin_again(again); }, std::move(done));
}

files::stream_bytes store::reader(const std::string& run) const {
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

store_facts store::facts() const {
  store_facts now;
  for (const auto& [id, run] : state_->known->runs) now.bytes += run.disk_bytes;
  now.disk = state_->on.space(state_->root);
  state_->writes.add_counts(now);
  return now;
}

void store::tick(std::function<void()> done) {
  state_->thread.push(other_job{"", [done = std::move(done)] { return done; }});
}

}  // namespace tofud::journal
