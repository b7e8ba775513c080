#include "daemon/local/run_sender.hpp"

#include "daemon/keeper/spool_writer.hpp"
#include "daemon/local/limits.hpp"
#include "daemon/spool/notice.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace tofud {

using clock = std::chrono::steady_clock;

void run_sender::begin(const view_options& view, const begun_run& run,
                       const pipeline::engine& rows) {
  const std::string spool = link_.page->spool_path.data();
  forward::daemon_choice choice{view.server, view.no_server, view.token_file};
  // The worker before this one has chosen.
  const auto known = forward::load_record(forward::upload_path(spool));
  if (known && !known->owes()) return;
  if (known && !choice.none) choice.server = known->server;
  const auto daemon = forward::find_daemon(choice);
  std::string failure;
  if (!daemon) {
    failure = daemon.error().text();
  } else if (*daemon && spool.empty()) {
    failure = "its stream is stored only in memory";
  } else if (*daemon) {
    return send_to(**daemon, view, run, rows);
  }
  if (!failure.empty() && link_.page->worker_starts == 1)
    spool::notice("the run is sent to no daemon: " + failure);
}

std::optional<feed::usual> run_sender::usual_of(std::string_view addr,
                                                std::string_view action) const {
  if (!sending_) return std::nullopt;
  for (const feed::address_usual& each : sending_->usual()) {
    if (each.addr == addr && each.action == action) return each.how;
  }
  return std::nullopt;
}

void run_sender::send_to(const forward::found_daemon& daemon, const view_options& view,
                         const begun_run& run, const pipeline::engine& rows) {
  const correlator::run_identity& identity = run.identity;
  const forward::run_facts facts{identity.id,      identity.stack,   identity.labels,
                                 identity.command, identity.may_ask, identity.parallelism};
  forward::forwarding::spooled_stream source;
  source.path = link_.page->spool_path.data();
  source.bytes = [this, &rows](std::uint64_t offset, std::span<char> room) {
    const std::uint64_t there = rows.offset() - std::min(rows.offset(), offset);
    return link_.read_stored(offset, room.first(std::min<std::uint64_t>(room.size(), there)));
  };
  source.size = [this] { return link_.page->stored.load(); };
  source.events = [this] { return keeper::read_events(link_.events.get()); };
  source.began = std::chrono::system_clock::now();
  auto begun = forward::forwarding::begin(io_, daemon, std::move(source), facts, view.mask_file,
                                          run.variables);
  if (!begun) return spool::notice(begun.error().text());
  sending_ = std::move(*begun);
  sending_->on_over([this] {
    if (const auto why = sending_->why_stopped(); !why.empty()) spool::notice(why);
  });
  const auto end = clock::now() + limits::daemon_wait;
  while (!sending_->taken() && !sending_->over() && io_.run_one_until(end) > 0) {
  }
  io_.restart();
  if (sending_->taken() || sending_->over() || link_.page->worker_starts != 1) return;
  spool::notice(sending_->record().server + " has not accepted the run yet; tofud keeps trying");
}

void run_sender::more() {
  if (sending_) sending_->more();
}

void run_sender::beat() {
  if (sending_) sending_->beat();
}

const forward::upload_record* run_sender::taken() const {
  return sending_ && sending_->taken() ? &sending_->record() : nullptr;
}

void run_sender::finish(keeper_is where, bool wrapped) {
  if (!sending_ || sending_->over()) return;
  const bool answers = sending_->was_in_contact() || sending_->taken();
  until_ = clock::now() + (answers ? limits::farewell : limits::farewell_unanswered);
  if (where == keeper_is::here || !wrapped) sending_->end();
}

bool run_sender::is_over(keeper_is where, bool wrapped) {
  if (!sending_ || sending_->over()) return true;
  const bool goes_on_without_us = where == keeper_is::gone && wrapped && sending_->unsent() == 0;
  if (!goes_on_without_us && clock::now() < until_) return false;
  if (!std::exchange(said_what_is_left_, true)) spool::notice(sending_->what_is_left());
  return true;
}

}  // namespace tofud
