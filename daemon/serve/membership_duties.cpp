// What a member of a cluster does now and then: for itself, and once for all.
#include "daemon/cluster/errors.hpp"
#include "daemon/operations/log_event.hpp"
#include "daemon/operations/utc_now.hpp"
#include "daemon/serve/limits.hpp"
#include "daemon/serve/membership.hpp"

#include <algorithm>
#include <utility>

namespace tofud::serve {

net::task<bool> membership::rescue() {
  auto appending = append_surplus();
  co_await std::move(appending);
  auto reading = read_doubted();
  co_await std::move(reading);
  auto sharing = share_history();
  co_await std::move(sharing);
  auto finishing = finish_cut_off();
  co_await std::move(finishing);
  auto comparing = clocks_.shared->look();
  co_await std::move(comparing);
  if (is_the_one() && ++looks_ % limits::once_looks_every == 0) {
    auto giving_up = give_up_made_elsewhere();
    co_await std::move(giving_up);
    auto forgetting = cards_->clear_marks(now());
    co_await std::move(forgetting);
    auto telling = tell_untold();
    co_await std::move(telling);
    auto clearing = make_room();
    co_await std::move(clearing);
  }
  now_.is_rescuing = false;
  co_return true;
}

net::task<text::failure> membership::remove_everywhere(std::string run) {
  auto removing = remove(run, journal::removed_by::retention);
  if (auto failed = co_await std::move(removing); !failed.empty()) co_return failed;
  auto removing_here = runs_->remove(std::move(run), journal::removed_by::retention);
  co_return co_await std::move(removing_here);
}

/// A run of which its sender has had no byte acknowledged, and which he began on another daemon as
/// well: it goes. False: NATS can't say now.
net::task<bool> membership::give_up_if_made_elsewhere(std::string run) {
  const auto here = runs_->of_id(run);
  if (!here || here->copied_bytes() > 0) co_return true;
  auto claiming = claim_upload(here->header());
  const auto claimed = co_await std::move(claiming);
  if (claimed.empty()) co_return true;
  if (!claimed.is(cluster::error::made_elsewhere)) co_return false;
  auto bringing = log_->bring(run);
  if (const auto failed = co_await std::move(bringing); !failed.empty()) co_return false;
  if (here->copied_bytes() > 0) co_return true;
  auto removing = remove_everywhere(run);
  const auto failed = co_await std::move(removing);
  co_return failed.empty();
}

/// Whoever took such a run in may have been stopped before it knew.
net::task<bool> membership::give_up_made_elsewhere() {
  for (const std::string& run : runs_->only_begun()) {
    if (now_.is_stopped) co_return false;
    auto giving_up = give_up_if_made_elsewhere(run);
    if (const bool is_sure = co_await std::move(giving_up); !is_sure) co_return false;
  }
  co_return true;
}

net::task<bool> membership::append_surplus() {
  for (const std::string& run : log_->with_surplus()) {
    if (now_.is_stopped) co_return false;
    auto giving_up = give_up_if_made_elsewhere(run);
    if (const bool is_sure = co_await std::move(giving_up); !is_sure) co_return false;
    if (!runs_->of_id(run)) continue;
    auto appending = log_->append_surplus(run);
    const auto failed = co_await std::move(appending);
    if (failed.is(cluster::error::busy)) continue;
    if (!failed.empty()) co_return false;
    runs_->tell_again(run);
  }
  co_return true;
}

/// What this daemon takes in may have gone on elsewhere since it was stopped or cut off, or it was
/// stopped before the others knew of it.
net::task<bool> membership::read_doubted() {
  for (const std::string& run : runs_->taken_in()) {
    if (log_->may_append(run) || now_.is_stopped) continue;
    auto bringing = log_->bring(run);
    const auto failed = co_await std::move(bringing);
    if (failed.is(cluster::error::busy)) continue;
    if (!failed.empty()) co_return false;
    const auto here = runs_->of_id(run);
    if (!here) continue;
    if (here->copied_bytes() == 0) log_->add(here->header());  // whether NATS has it or not
    runs_->tell_again(run);
  }
  co_return true;
}

/// Runs from before there was a cluster, or before NATS lost them.
net::task<bool> membership::share_history() {
  const std::uint64_t now = cards_->losses();
  if (shared_at_ == now) co_return true;
  for (journal::run_header& each : runs_->whole_runs()) {
    if (now_.is_stopped || !link_->is_up()) co_return false;
    const std::string run = each.id;
    if (cards_->knows(run)) continue;
    log_->add(std::move(each));
    auto appending = log_->append_surplus(run);
    const auto failed = co_await std::move(appending);
    if (!failed.empty()) co_return false;
    runs_->tell_again(run);
  }
  shared_at_ = now;
  co_return true;
}

/// Whoever took a run in may have died between its end and the word about it.
net::task<bool> membership::tell_untold() {
  if (!telling_.outbox || !telling_.to->has_rules() || !telling_.outbox->is_current())
    co_return false;
  auto asking = net::given<std::vector<std::string>>(
      [this](std::function<void(std::vector<std::string>)> give) {
        telling_.to->without_end(runs_->ended(), std::move(give));
      });
  const auto now = co_await std::move(asking);
  const std::set<std::string> still{now.begin(), now.end()};
  std::erase_if(telling_.tried, [&](const std::string& run) { return !still.contains(run); });
  const auto before = std::exchange(telling_.untold, now);
  for (const std::string& run : now) {
    if (std::find(before.begin(), before.end(), run) == before.end()) continue;
    // An end that nobody is told of, such as that of a run that changed nothing, stays so.
    if (!telling_.tried.insert(run).second) continue;
    operations::log_info(operations::events::cluster, {run, ""},
                         "run {}: this daemon notifies of its end", run);
    runs_->tell_end(run);
  }
  co_return true;
}

/// The oldest runs go before NATS has to refuse new ones.
net::task<bool> membership::make_room() {
  if (options_.max_bytes <= 0) co_return false;
  for (std::size_t i = 0; i < limits::room_made_at_once; ++i) {
    auto asking = streams_->state(log_->stream());
    const auto now = co_await std::move(asking);
    if (!now || now->bytes < static_cast<std::uint64_t>(options_.max_bytes / 10 * 9))
      co_return false;
    const std::string oldest = runs_->oldest_ended();
    if (oldest.empty()) co_return false;
    auto removing = remove_everywhere(oldest);
    if (const auto failed = co_await std::move(removing); !failed.empty()) co_return false;
    operations::log_info(operations::events::runs_retired, {oldest, ""},
                         "run {} was removed: the runs in NATS take nearly as much as they may",
                         oldest);
  }
  co_return true;
}

/// Streams that were cut off with the daemon that took them in.
net::task<bool> membership::finish_cut_off() {
  for (const auto& each : runs_->sent_once()) {
    const std::string run = each->id();
    const std::string told = cards_->taker_of(run);
    const std::string by = told.empty() ? own_name_ : told;
    // Of before this daemon was started, or of one that is gone.
    const bool is_silent = each->is_from_before() || each->contact() != feed::run_contact::ok;
    const bool is_ours = by == own_name_ ? is_silent : is_gone(by) && is_the_one();
    if (!is_ours || now_.is_stopped) continue;
    auto taking = take_over(run);
    if (const auto failed = co_await std::move(taking); !failed.empty()) co_return false;
    auto finishing = runs_->finish_broken(run);
    const auto failed = co_await std::move(finishing);
    if (failed.empty()) continue;
    operations::log_warning(operations::events::cluster, {run, ""}, "run {} can't be ended: {}",
                            run, failed.text());
  }
  co_return true;
}

}  // namespace tofud::serve
