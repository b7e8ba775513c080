#include "daemon/cluster/shared_log.hpp"

#include "daemon/cluster/errors.hpp"
#include "daemon/files/document_file.hpp"
#include "daemon/net/rest.hpp"
#include "daemon/operations/utc_now.hpp"
#include "protocol/events/event.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <span>
#include <utility>

namespace tofud::cluster {

namespace asio = boost::asio;

shared_log::shared_log(asio::io_context& io, jetstream& in, journal::run_log& local, options given)
    : io_{io},
      in_{in},
      local_{local},
      given_{std::move(given)},
      stream_{given_.cluster + "_runs"},
      subjects_{given_.cluster + ".run."},
      reads_files_{io} {}

shared_log::~shared_log() {
  for (auto& [run, at] : tails_) {
    if (at.follows) at.follows->stop();
  }
}

net::task<text::failure> shared_log::ensure() {
  stream_wish wanted;
  wanted.name = stream_;
  wanted.subjects = subjects_ + "*";
  wanted.replicas = given_.replicas;
  wanted.max_bytes = given_.max_bytes;
  return in_.ensure(std::move(wanted));
}

shared_log::tail& shared_log::tail_of(const std::string& run) {
  tail& found = tails_[run];
  if (!found.turns) found.turns = std::make_shared<net::turns>(io_);
  return found;
}

/// What is done to the log of one run is done one after the other. Who waits has the run's own
/// turn, if he needs it.
net::task<net::turn> shared_log::turn_of(std::string run) {
  const auto turns = tail_of(run).turns;
  auto taking = turns->take(limits::log_turn_wait);
  co_return co_await std::move(taking);
}

void shared_log::advance(tail& at, const record& by) {
  switch (by.what) {
    case record::kind::bytes:
      at.bytes = by.offset + by.data.size();
      break;
    case record::kind::event:
      at.events = by.n;
      break;
    case record::kind::end:
      at.has_end = true;
      break;
    case record::kind::open:
    case record::kind::document:
      break;
  }
}

bool shared_log::may_append(const std::string& run) const {
  const auto found = tails_.find(run);
  return found != tails_.end() &&
         (found->second.is_known || found->second.has_surplus || found->second.is_parted);
}

std::uint64_t shared_log::seq_of(const std::string& run) const {
  const auto found = tails_.find(run);
  return found == tails_.end() ? 0 : found->second.seq;
}

void shared_log::doubt(const std::string& run) {
  tail& at = tail_of(run);
  at.is_known = false;
}

// ---- appending ------------------------------------------------------------------------------

net::task<text::failure> shared_log::put(std::string run, record what) {
  what.prev = tail_of(run).seq;
  text::failure why;
  for (int tries = 0; tries < 2; ++tries) {
    auto storing = in_.append(message_of(what, subject_of(run)), what.prev);
    const auto stored = co_await std::move(storing);
    if (stored) {
      tail& at = tail_of(run);
      at.seq = *stored;
      at.is_known = true;
      advance(at, what);
      co_return text::failure{};
    }
    why = stored.error();
    const bool is_unsure = why.is(error::no_answer) || why.is(error::not_connected);
    if (!is_unsure && !why.is(error::other_writer)) co_return why;
    // It may be there all the same.
    auto looking = in_.last(stream_, subject_of(run));
    auto last = co_await std::move(looking);
    tail_of(run).is_known = false;
    if (!last) co_return why;
    if ((*last ? (*last)->seq : 0) == what.prev) {
      tail_of(run).is_known = true;
      continue;
    }
    const auto there = record_in(std::move(**last));
    tail& at = tail_of(run);
    if (there && there->prev == what.prev && there->is_same(what)) {
      at.seq = there->seq;
      at.is_known = true;
      advance(at, what);
      co_return text::failure{};
    }
    co_return text::failure{error::other_writer};
  }
  co_return why;
}

net::task<text::failure> shared_log::put_bytes(std::string run, std::string bytes,
                                               ui::time_point arrived) {
  for (std::size_t from = 0; from < bytes.size();) {
    record piece;
    piece.what = record::kind::bytes;
    piece.offset = tail_of(run).bytes;
    piece.at = arrived;
    piece.data = bytes.substr(from, limits::record_bytes);
    from += piece.data.size();
    auto putting = put(run, std::move(piece));
    if (auto failed = co_await std::move(putting); !failed.empty()) co_return failed;
  }
  co_return text::failure{};
}

net::task<text::failure> shared_log::open(journal::run_header header) {
  const std::string run = header.id;
  auto entering = turn_of(run);
  const auto turn = co_await std::move(entering);
  if (!turn) co_return text::failure{error::busy};
  record first;
  first.what = record::kind::open;
  first.at = header.created_at;
  first.data = journal::to_json(header);
  // Its sender waits; whether an answer that came too late was a good one is found out later.
  auto storing = in_.append(message_of(first, subject_of(run)), 0, limits::open_wait);
  const auto stored = co_await std::move(storing);
  if (stored) {
    tail_of(run).seq = *stored;
    tail_of(run).is_known = true;
    co_return text::failure{};
  }
  if (stored.error().is(error::other_writer)) co_return stored.error();
  wrong_with(run, stored.error());
  add(std::move(header));
  co_return text::failure{};
}

net::task<text::result<std::optional<journal::run_header>>> shared_log::header_of(std::string run) {
  using found = std::optional<journal::run_header>;
  auto looking = in_.first(stream_, subject_of(run));
  auto first = co_await std::move(looking);
  if (!first) co_return first.error();
  if (!*first) co_return found{};
  const auto opened = record_in(std::move(**first));
  if (!opened || opened->what != record::kind::open) co_return found{};
  auto header = journal::parse_header(opened->data);
  if (!header || header->id != run) co_return found{};
  co_return found{std::move(*header)};
}

bool shared_log::is_kept_here_first(const std::string& run) const {
  const auto found = tails_.find(run);
  if (found != tails_.end() && found->second.is_parted) return true;
  const auto here = given_.copy_of(run);
  return here && here->is_sent_here();
}

/// What is here first NATS gets in its time: once who stored it knows where it ends.
void shared_log::push_soon(const std::string& run) {
  tail& at = tail_of(run);
  if (at.is_parted) return;
  at.has_surplus = true;
  if (std::exchange(at.is_pushed, true)) return;
  asio::post(io_, [this, run] { asio::co_spawn(io_, push(run), asio::detached); });
}

/// Whether the log ends where we think. Another daemon's records are for `bring` to take.
net::task<text::failure> shared_log::look(std::string run) {
  if (!tail_of(run).is_known && !tail_of(run).has_surplus) {
    auto looking = in_.last(stream_, subject_of(run));
    const auto last = co_await std::move(looking);
    if (!last) co_return last.error();
    tail& at = tail_of(run);
    if ((*last ? (*last)->seq : 0) != at.seq) co_return text::failure{error::other_writer};
    at.is_known = true;
  }
  if (!tail_of(run).has_surplus && tail_of(run).seq > 0) co_return text::failure{};
  const auto here = given_.copy_of(run);
  const std::uint64_t bytes = here ? here->copied_bytes() : 0;
  const std::size_t events = here ? here->copied_events().size() : 0;
  auto putting = put_surplus(run);
  if (auto failed = co_await std::move(putting); !failed.empty()) co_return failed;
  // What its sender sends now was meant for the place before.
  if (here && (here->copied_bytes() != bytes || here->copied_events().size() != events))
    co_return text::failure{error::other_writer};
  co_return text::failure{};
}

net::task<text::failure> shared_log::put_event(std::string run, journal::kept_event event) {
  record said;
  said.what = record::kind::event;
  said.n = event.n;
  said.offset = event.offset;
  said.at = operations::utc_now();
  said.data = std::move(event.json);
  return put(std::move(run), std::move(said));
}

net::task<text::failure> shared_log::put_end(std::string run, ui::time_point at) {
  record said;
  said.what = record::kind::end;
  said.offset = tail_of(run).bytes;
  said.at = at;
  return put(std::move(run), std::move(said));
}

net::task<journal::append_result> shared_log::append_to(std::string run, std::string bytes,
                                                        ui::time_point arrived) {
  if (is_kept_here_first(run)) {
    auto storing = local_.append(run, std::move(bytes), arrived);
    auto stored = co_await std::move(storing);
    push_soon(run);
    co_return stored;
  }
  auto entering = turn_of(run);
  const auto turn = co_await std::move(entering);
  journal::append_result stored;
  if (!turn) stored.failure = text::failure{error::busy};
  if (stored.failure.empty()) {
    auto looking = look(run);
    stored.failure = co_await std::move(looking);
  }
  if (stored.failure.empty()) {
    auto putting = put_bytes(run, bytes, arrived);
    stored.failure = co_await std::move(putting);
  }
  if (!stored.failure.empty()) {
    stored.bytes = std::move(bytes);
    co_return stored;
  }
  auto storing = local_.append(run, std::move(bytes), arrived);
  stored = co_await std::move(storing);
  // It is in the log, and will be read from there.
  if (!stored.failure.empty()) tail_of(run).is_known = false;
  co_return stored;
}

net::task<text::failure> shared_log::add_event_to(std::string run, journal::kept_event event) {
  net::turn turn;
  const bool here_first = is_kept_here_first(run);
  if (!here_first) {
    auto entering = turn_of(run);
    turn = co_await std::move(entering);
    if (!turn) co_return text::failure{error::busy};
    auto looking = look(run);
    if (auto failed = co_await std::move(looking); !failed.empty()) co_return failed;
    auto putting = put_event(run, event);
    if (auto failed = co_await std::move(putting); !failed.empty()) co_return failed;
  }
  auto storing = local_.add_event(run, std::move(event));
  text::failure failure = co_await std::move(storing);
  if (here_first) push_soon(run);
  co_return failure;
}

net::task<text::failure> shared_log::end_log(std::string run, ui::time_point at) {
  net::turn turn;
  const bool here_first = is_kept_here_first(run);
  if (!here_first) {
    auto entering = turn_of(run);
    turn = co_await std::move(entering);
    if (!turn) co_return text::failure{error::busy};
    auto looking = look(run);
    if (auto failed = co_await std::move(looking); !failed.empty()) co_return failed;
    auto putting = put_end(run, at);
    if (auto failed = co_await std::move(putting); !failed.empty()) co_return failed;
  }
  auto storing = local_.complete(run, at);
  text::failure failure = co_await std::move(storing);
  if (here_first) push_soon(run);
  co_return failure;
}

net::task<text::failure> shared_log::put_document(std::string run, std::string name) {
  std::function<text::result<std::string>()> reading = [path = local_.attachment_path(run, name)] {
    return files::read_document(path, limits::shared_document_bytes);
  };
  auto read = reads_files_.result_of(std::move(reading));
  const auto text = co_await std::move(read);
  if (!text) co_return text::failure{error::no_document, run, name, text.error()};
  const std::size_t pieces =
      std::max<std::size_t>(1, (text->size() + limits::record_bytes - 1) / limits::record_bytes);
  for (std::size_t n = 1; n <= pieces; ++n) {
    record piece;
    piece.what = record::kind::document;
    piece.n = n;
    piece.pieces = pieces;
    piece.name = name;
    piece.at = operations::utc_now();
    piece.data = text->substr((n - 1) * limits::record_bytes, limits::record_bytes);
    auto putting = put(run, std::move(piece));
    if (auto failed = co_await std::move(putting); !failed.empty()) co_return failed;
  }
  co_return text::failure{};
}

net::task<text::failure> shared_log::keep_documents(std::string run,
                                                    std::vector<std::string> names) {
  net::turn turn;
  const bool here_first = is_kept_here_first(run);
  if (!here_first) {
    auto entering = turn_of(run);
    turn = co_await std::move(entering);
    if (!turn) co_return text::failure{error::busy};
    auto looking = look(run);
    if (auto failed = co_await std::move(looking); !failed.empty()) co_return failed;
  }
  auto keeping = local_.keep_attachments(run, names);
  text::failure failure = co_await std::move(keeping);
  // Where it is here first, it is appended with the event that says so.
  if (here_first || !failure.empty()) co_return failure;
  for (const std::string& name : names) {
    auto putting = put_document(run, name);
    if (failure = co_await std::move(putting); !failure.empty()) break;
  }
  co_return failure;
}

// ---- taking what others appended --------------------------------------------------------------

text::failure shared_log::wrong_with(const std::string& run, text::failure why) {
  tail& at = tail_of(run);
  const std::string sentence = why.text();
  if (std::exchange(at.said, sentence) != sentence) given_.said(run, sentence);
  return why;
}

net::task<text::failure> shared_log::take(std::string run, stored_message stored) {
  const std::uint64_t seq = stored.seq;
  auto read = record_in(std::move(stored));
  tail& at = tail_of(run);
  if (!read) {
    wrong_with(run, read.error());
    at.seq = seq;  // others passed over it as well
    co_return text::failure{};
  }
  const bool is_behind = read->what == record::kind::bytes && read->offset > at.bytes;
  if (read->prev != at.seq || is_behind)
    co_return wrong_with(run, text::failure{error::gap, run, at.bytes, read->offset});
  const record what = *read;
  const auto here = given_.copy_of(run);
  if (here && what.what == record::kind::end && here->copied_bytes() > at.bytes) {
    // Nothing more is taken, nor appended: what comes is kept here only.
    at.has_end = at.is_parted = true;
    at.has_surplus = false;
    co_return wrong_with(run, text::failure{error::ended});
  }
  if (here) {
    auto taking = here->take(std::move(*read));
    if (auto failed = co_await std::move(taking); !failed.empty())
      co_return wrong_with(run, std::move(failed));
  }
  tail& now = tail_of(run);
  now.seq = seq;
  advance(now, what);
  co_return text::failure{};
}

net::task<text::failure> shared_log::read_on(std::string run) {
  auto looking = in_.last(stream_, subject_of(run));
  const auto last = co_await std::move(looking);
  if (!last) co_return last.error();
  const std::uint64_t upto = *last ? (*last)->seq : 0;
  if (upto < tail_of(run).seq) start_again(run);  // NATS has lost what it had stored
  const auto reads = std::make_shared<cluster::reader>(
      io_, in_, cluster::reader::place{stream_, subject_of(run), tail_of(run).seq});
  while (tail_of(run).seq < upto) {
    auto reading = reads->next();
    auto came = co_await std::move(reading);
    if (!came) co_return came.error();
    for (stored_message& each : *came) {
      auto taking = take(run, std::move(each));
      if (auto failed = co_await std::move(taking); !failed.empty()) co_return failed;
    }
  }
  tail& at = tail_of(run);
  at.is_known = true;
  const auto here = given_.copy_of(run);
  const bool lacks_ours =
      here && (here->copied_bytes() > at.bytes || here->copied_events().size() > at.events ||
               (here->is_copied_whole() && !at.has_end));
  if (lacks_ours) at.has_surplus = true;
  co_return text::failure{};
}

/// What was acknowledged is here, and is appended once more.
void shared_log::start_again(const std::string& run) {
  tail& at = tail_of(run);
  at.seq = at.bytes = at.events = 0;
  at.has_end = at.is_known = at.is_parted = false;
  if (const auto here = given_.copy_of(run)) at.unopened = here->copied_header();
}

net::task<text::failure> shared_log::bring(std::string run) {
  const auto here = given_.copy_of(run);
  if (!here) co_return text::failure{};
  auto waiting = here->alone_to_copy();
  const auto alone = co_await std::move(waiting);
  auto entering = turn_of(run);
  const auto turn = co_await std::move(entering);
  if (!alone || !turn) co_return text::failure{error::busy};
  if (tail_of(run).is_parted) co_return text::failure{};
  auto reading = read_on(run);
  co_return co_await std::move(reading);
}

void shared_log::follow(const std::string& run) {
  tail& at = tail_of(run);
  if (at.follows || at.is_parted) return;
  at.follows = std::make_shared<cluster::reader>(
      io_, in_, cluster::reader::place{stream_, subject_of(run), at.seq});
  asio::co_spawn(io_, follow_on(run, at.follows), asio::detached);
}

void shared_log::leave(const std::string& run) {
  const auto found = tails_.find(run);
  if (found == tails_.end() || !found->second.follows) return;
  begun_again_ += found->second.follows->begun_again();
  found->second.follows->stop();
  found->second.follows = nullptr;
  found->second.is_known = false;
}

net::task<bool> shared_log::follow_on(std::string run, std::shared_ptr<cluster::reader> reads) {
  while (!reads->is_stopped()) {
    auto reading = reads->next();
    auto came = co_await std::move(reading);
    if (!came) {
      auto waiting = net::rest(io_, limits::follow_again_after);
      co_await std::move(waiting);
      continue;
    }
    if (reads->is_stopped()) break;
    const auto here = given_.copy_of(run);
    if (!here) break;
    if (reads->take_loss()) {
      auto entering = turn_of(run);
      const auto turn = co_await std::move(entering);
      start_again(run);
    }
    for (stored_message& each : *came) {
      bool is_taken = false;
      while (!is_taken && !reads->is_stopped()) {
        auto waiting = here->alone_to_copy();
        auto alone = co_await std::move(waiting);
        auto entering = turn_of(run);
        auto turn = co_await std::move(entering);
        if (reads->is_stopped()) break;
        is_taken = each.seq <= tail_of(run).seq;  // by who appended it, or who was brought it
        if (!is_taken && alone && turn) {
          stored_message next = each;
          auto taking = take(run, std::move(next));
          const auto failed = co_await std::move(taking);
          is_taken = failed.empty();
          if (failed.is(error::gap) || failed.is(error::ended)) reads->stop();
        }
        if (is_taken) continue;
        alone.reset();
        turn.reset();
        auto resting = net::rest(io_, limits::follow_again_after);
        co_await std::move(resting);
      }
    }
    if (const auto here_now = given_.copy_of(run); here_now && here_now->is_copied_whole()) break;
  }
  // `leave` may have put another one in its place.
  if (const auto found = tails_.find(run); found != tails_.end() && found->second.follows == reads)
    found->second.follows = nullptr;
  reads->stop();
  co_return true;
}

net::task<text::failure> shared_log::remove(const std::string& run) {
  forget(run);
  return in_.purge(stream_, subject_of(run));
}

void shared_log::forget(const std::string& run) {
  leave(run);
  tails_.erase(run);
}

}  // namespace tofud::cluster
