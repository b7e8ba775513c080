#include "daemon/serve/run_cards.hpp"

#include "daemon/cluster/errors.hpp"
#include "daemon/net/rest.hpp"
#include "daemon/operations/log_event.hpp"
#include "daemon/operations/utc_now.hpp"
#include "daemon/serve/limits.hpp"
#include "daemon/serve/run_card.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace tofud::serve {
namespace {

namespace asio = boost::asio;
using cluster::bucket;

void warn(const std::string& sentence) {
  operations::log_warning(operations::events::cluster, {}, "{}", sentence);
}

}  // namespace

run_cards::run_cards(asio::io_context& io, cluster::jetstream& in, const std::string& cluster,
                     std::string own_name, cluster::shared_log& log, journal::store& store,
                     std::function<void()> current)
    : io_{io},
      in_{in},
      bucket_{in, cluster + "_cards"},
      own_name_{std::move(own_name)},
      log_{log},
      store_{store},
      current_{std::move(current)} {}

run_cards::~run_cards() { stop(); }

void run_cards::begin() {
  if (reads_) return;
  reads_ = std::make_shared<cluster::reader>(io_, in_, bucket_.all());
  asio::co_spawn(io_, follow(), asio::detached);
}

void run_cards::stop() {
  is_stopped_ = true;
  if (reads_) reads_->stop();
}

void run_cards::look() {
  if (!reads_) return;
  if (reads_->is_caught_up() && !is_taking_) {
    if (reads_->take_loss()) begin_anew();
    current_();
  }
  for (auto& [run, of] : known_) {
    if (!of.value.empty() && !of.is_being_told) asio::co_spawn(io_, tell(run), asio::detached);
  }
}

std::string run_cards::taker_of(const std::string& run) const {
  const auto found = known_.find(run);
  return found == known_.end() ? "" : found->second.by;
}

ui::time_point run_cards::told_at(const std::string& run) const {
  const auto found = known_.find(run);
  return found == known_.end() ? ui::time_point{} : found->second.at;
}

net::task<text::failure> run_cards::remove(std::string run, journal::removed_by whom) {
  const bool by_person = whom == journal::removed_by::person;
  run_card mark;
  mark.removed_by = by_person ? "person" : "retention";
  auto marking = bucket_.put(run, to_json(mark));
  const auto marked = co_await std::move(marking);
  if (!marked) co_return marked.error();
  co_return text::failure{};
}

net::task<bool> run_cards::clear_marks(ui::time_point now) {
  for (std::size_t n = 0; n < limits::marks_cleared_at_once && !marks_.empty(); ++n) {
    if (now - marks_.front().first < limits::removal_told_for) break;
    auto purging = in_.purge(bucket_.stream(), bucket_.subject_of(marks_.front().second));
    if (const auto failed = co_await std::move(purging); !failed.empty()) break;
    if (!marks_.empty()) marks_.pop_front();
  }
  co_return true;
}

/// NATS has lost the cards: what this daemon takes in, and has whole, it tells again.
void run_cards::begin_anew() {
  ++losses_;
  marks_.clear();
  warn("NATS has lost what the daemons told each other; this one tells it again");
  known_.clear();
  runs_->doubt_all();
}

net::task<bool> run_cards::follow() {
  const auto reads = reads_;
  while (!reads->is_stopped()) {
    auto reading = reads->next();
    auto came = co_await std::move(reading);
    if (!came) {
      auto resting = net::rest(io_, limits::cluster_again_after);
      co_await std::move(resting);
      continue;
    }
    is_taking_ = true;
    if (reads->take_loss()) begin_anew();
    for (cluster::stored_message& each : *came) {
      if (reads->is_stopped()) co_return false;
      bucket::entry entry = bucket_.entry_of(std::move(each));
      const std::string run = entry.key;
      const std::uint64_t revision = entry.revision;
      auto taking = take(std::move(entry), is_next::yes);
      co_await std::move(taking);
      // Only now: whoever has seen this wall up to that number has seen what was told of the run.
      runs_->go_on_from(revision);
      runs_->told_of(run);
    }
    is_taking_ = false;
    if (reads->is_caught_up()) current_();
  }
  co_return true;
}

net::task<bool> run_cards::take(bucket::entry entry, is_next in_order) {
  const std::string id = entry.key;
  const std::uint64_t revision = entry.revision;
  ++counts_.taken;
  const auto read = entry.is_removed ? std::optional<run_card>{} : parse_run_card(entry.value);
  if (entry.is_removed || (read && !read->removed_by.empty())) {
    known_.erase(id);
    if (!entry.is_removed && in_order == is_next::yes) marks_.emplace_back(entry.at, id);
    if (!runs_->of_id(id)) co_return false;
    const auto whom = read && read->removed_by == "person" ? journal::removed_by::person
                                                           : journal::removed_by::retention;
    auto removing = store_.remove(id, whom, operations::utc_now());
    co_await std::move(removing);
    if (in_order == is_next::yes) runs_->go_on_from(revision);
    runs_->forget(id);
    co_return true;
  }
  if (!read || read->told.header.id != id) {
    warn("the card of run " + id + " in NATS can't be read; it is skipped");
    co_return false;
  }
  if (store_.removed_by_person(id)) co_return false;
  card& known = known_[id];
  if (entry.revision < known.revision) co_return false;
  known.revision = entry.revision;
  known.by = read->by;
  known.at = entry.at;
  const auto here = runs_->of_id(id);
  if (here && !here->is_elsewhere().is_taken) {
    // Both took it in, one after the other: the log says who is the last.
    // What is sent to this process it has more of.
    const bool is_later =
        read->by != own_name_ && read->seq > log_.seq_of(id) && !here->is_sent_here();
    // NATS took two cards at once (nats-server 2.9.10 with three copies): the older one came last.
    // Answered once: the other one may know better.
    const std::uint64_t own = log_.seq_of(id);
    const bool is_older = in_order == is_next::yes && read->by != own_name_ && read->seq < own;
    if (is_older && std::exchange(known.corrected, own) != own) runs_->tell_again(id);
    if (!is_later) co_return true;
    log_.doubt(id);
  }
  auto adopting = runs_->adopt(read->told.header);
  if (const auto failed = co_await std::move(adopting); !failed.empty()) {
    warn("run " + id + " of another daemon can't be stored here: " + failed.text());
    co_return false;
  }
  runs_->learn_elsewhere(read->told);
  const auto run = runs_->of_id(id);
  if (run && run->folded() != nullptr && run->is_partial()) log_.follow(id);
  co_return true;
}

void run_cards::changed(const ingested_run& run, std::string views) {
  run_card said{{run.header(), run.complete(), std::move(views)}, own_name_, log_.seq_of(run.id())};
  card& of = known_[run.id()];
  of.value = to_json(said);
  if (!of.is_being_told && reads_) asio::co_spawn(io_, tell(run.id()), asio::detached);
}

net::task<bool> run_cards::tell(std::string run) {
  known_[run].is_being_told = true;
  for (;;) {
    const auto found = known_.find(run);
    if (found == known_.end()) co_return false;  // removed
    card& of = found->second;
    if (of.value.empty() || is_stopped_) break;
    std::string value = std::exchange(of.value, {});
    auto saying =
        of.revision == 0 ? bucket_.create(run, value) : bucket_.update(run, value, of.revision);
    const auto said = co_await std::move(saying);
    const auto again = known_.find(run);
    if (again == known_.end()) co_return false;
    card& now = again->second;
    if (said) {
      ++counts_.sent;
      now.revision = std::max(now.revision, *said);
      now.by = own_name_;
      continue;
    }
    if (now.value.empty()) now.value = std::move(value);
    if (!said.error().is(cluster::error::other_writer)) break;  // `look` tries again
    ++counts_.other_writers;
    auto getting = bucket_.get(run);
    auto there = co_await std::move(getting);
    if (!there) break;
    const auto third = known_.find(run);
    if (third == known_.end()) co_return false;
    if (!*there) {
      third->second.revision = 0;
      continue;
    }
    const auto theirs = parse_run_card((*there)->value);
    const auto here = runs_->of_id(run);
    const bool is_later = theirs && theirs->by != own_name_ && theirs->seq > log_.seq_of(run) &&
                          !(here && here->is_sent_here());
    if (is_later || (theirs && !theirs->removed_by.empty())) {
      third->second.value.clear();
      third->second.is_being_told = false;
      auto taking = take(std::move(**there), is_next::no);
      co_await std::move(taking);
      co_return false;
    }
    third->second.revision = (*there)->revision;
  }
  if (const auto found = known_.find(run); found != known_.end())
    found->second.is_being_told = false;
  co_return true;
}

net::task<text::failure> run_cards::find(std::string run) {
  if (runs_->of_id(run) || !journal::is_safe_id(run)) co_return text::failure{};
  auto getting = bucket_.get(run);
  auto card = co_await std::move(getting);
  if (!card) co_return card.error();
  if (*card) {
    auto taking = take(std::move(**card), is_next::no);
    co_await std::move(taking);
    co_return text::failure{};
  }
  // Whoever began it may have died before it said more.
  auto looking = log_.header_of(run);
  auto header = co_await std::move(looking);
  if (!header) co_return header.error();
  if (!*header) co_return text::failure{};
  auto adopting = runs_->adopt(std::move(**header));
  co_return co_await std::move(adopting);
}

}  // namespace tofud::serve
