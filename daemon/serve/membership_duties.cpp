// What a member of a cluster does now and then: for itself, and once for all.
#include "daemon/cluster/errors.hpp"
#include "daemon/net/socket.hpp"
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
  if (is_the_one() && ++looks_ % limits::once_looks_every == 0) {
    auto telling = tell_untold();
    co_await std::move(telling);
    auto clearing = make_room();
    co_await std::move(clearing);
  }
  now_.is_rescuing = false;
  co_return true;
}

net::task<bool> membership::append_surplus() {
  for (const std::string& run : log_->with_surplus()) {
    const auto here = runs_->of_id(run);
    if (!here || now_.is_stopped) continue;
    auto claiming = claim_upload(here->header());
    auto failed = co_await std::move(claiming);
    if (failed.is(cluster::error::made_elsewhere)) {
      // Nothing of it was acknowledged: its sender sends it there.
      auto removing = store_.remove(run, journal::removed_by::retention, operations::utc_now());
      co_await std::move(removing);
      runs_->forget(run);
      continue;
    }
    if (!failed.empty()) co_return false;
    auto appending = log_->append_surplus(run);
    failed = co_await std::move(appending);
    if (!failed.empty()) co_return false;
    runs_->tell_again(run);
  }
  co_return true;
}

/// What this daemon takes in may have gone on elsewhere since it was stopped or cut off.
net::task<bool> membership::read_doubted() {
  for (const std::string& run : runs_->taken_in()) {
    if (log_->may_append(run) || now_.is_stopped) continue;
    auto bringing = log_->bring(run);
    if (const auto failed = co_await std::move(bringing); !failed.empty()) co_return false;
  }
  co_return true;
}

/// Runs from before there was a cluster.
net::task<bool> membership::share_history() {
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
  const auto before = std::exchange(telling_.untold, now);
  for (const std::string& run : now) {
    if (std::find(before.begin(), before.end(), run) == before.end()) continue;
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
    auto removing = remove(oldest, journal::removed_by::retention);
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
    const bool is_ours =
        by == own_name_ ? each->contact() != feed::run_contact::ok : is_gone(by) && is_the_one();
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
