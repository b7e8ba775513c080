#include "daemon/serve/walls.hpp"

#include "daemon/operations/doing.hpp"
#include "protocol/text/sha256.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <utility>

namespace tofud::serve {

/// How far a wall has come: first its cards learn of every run, then the newest get rows.
struct walls::filling {
  std::weak_ptr<one> of;
  std::optional<registry::run_registry::place> next = registry::run_registry::place{};
  std::size_t seen = 0;  // runs that may be seen
  bool has_cards = false;
};

namespace {

/// Changes of a wall between two revisions, as far as their numbers are concerned.
constexpr feed::sequence numbers_of_a_revision = feed::sequence{1} << 20U;

}  // namespace

walls::walls(boost::asio::io_context& io, fanout::hub& hub, std::string epoch)
    : io_{io},
      hub_{hub},
      epoch_{std::move(epoch)},
      everybodys_{std::make_shared<one>(nullptr, epoch_for(nullptr))} {}
walls::~walls() = default;

void walls::weigh(one& which) {
  which.held.hold(which.cards.cards().runs() * limits::wall_run_bytes);
}

/// Positions on the wall of some stacks are worth nothing on another one.
std::string walls::epoch_for(const access::reach* within) const {
  if (epoch_.empty()) return fanout::random_epoch();
  return within == nullptr ? epoch_
                           : text::sha256_hex(epoch_ + access::to_text(*within)).substr(0, 8);
}

void walls::go_on_from(std::uint64_t revision) {
  revision_ = std::max(revision_, revision);
  everybodys_->rows.go_on_from(revision_ * numbers_of_a_revision);
  for (const auto& each : of_some_) each->rows.go_on_from(revision_ * numbers_of_a_revision);
}

void walls::told_of(registry::shown_run& run) {
  shown_->changed_quietly(run);
  everybodys_->cards.touch(run.facts.stack);
  for (const auto& each : of_some_) {
    if (each->runs.sees(run)) each->cards.touch(run.facts.stack);
  }
}

void walls::when_at(const access::principal& by, feed::sequence seq,
                    const std::function<void()>& ready) {
  one* his = find(by);
  if (his == nullptr || his->rows.topic().head() >= seq) return ready();
  const auto held = his == everybodys_.get()
                        ? everybodys_
                        : *std::find_if(of_some_.begin(), of_some_.end(),
                                        [&](const auto& each) { return each.get() == his; });
  wait(held, seq, clock::now() + limits::wall_waited_for, ready);
}

void walls::wait(const std::shared_ptr<one>& which, feed::sequence seq, clock::time_point until,
                 const std::function<void()>& ready) {
  if (which->rows.topic().head() >= seq || clock::now() >= until) return ready();
  const auto soon = std::make_shared<boost::asio::steady_timer>(io_, limits::wall_waited_for / 40);
  soon->async_wait([this, soon, which, seq, until, ready](boost::system::error_code failed) {
    if (!failed) wait(which, seq, until, ready);
  });
}

void walls::offer() { hub_.offer_wall(everybodys_->rows.topic()); }

void walls::learned(const registry::shown_run& run) {
  everybodys_->cards.update(run.facts);
  everybodys_->rows.topic().publish();
  for (const auto& each : of_some_) {
    if (!each->runs.sees(run)) continue;
    each->cards.update(run.facts);
    weigh(*each);
    each->rows.topic().publish();
  }
}

void walls::forget(std::string_view run) {
  everybodys_->cards.forget(run);
  for (const auto& each : of_some_) each->cards.forget(run);
}

void walls::publish() {
  everybodys_->rows.topic().publish();
  for (const auto& each : of_some_) each->rows.topic().publish();
}

void walls::forget_removed() {
  everybodys_->rows.forget_removed();
  for (const auto& each : of_some_) each->rows.forget_removed();
}

walls::one* walls::find(const access::principal& by) const {
  if (!by.within) return everybodys_.get();
  const auto found = std::find_if(of_some_.begin(), of_some_.end(),
                                  [&](const auto& each) { return *each->within == *by.within; });
  return found == of_some_.end() ? nullptr : found->get();
}

bool walls::is_ready(const access::principal& by) {
  if (!by.within) return true;
  one* his = find(by);
  if (his == nullptr) return false;
  his->used_at = clock::now();
  return his->is_filled;
}

void walls::prepare(const access::principal& by, std::function<void(bool)> ready) {
  if (is_ready(by)) return ready(true);
  if (one* his = find(by)) {
    his->waiting.push_back(std::move(ready));
    return;
  }
  if (of_some_.size() >= limits::walls) drop_unused();
  if (of_some_.size() >= limits::walls) return ready(false);
  auto& made = of_some_.emplace_back(std::make_shared<one>(by.within, epoch_for(by.within.get())));
  made->rows.go_on_from(revision_ * numbers_of_a_revision);
  made->waiting.push_back(std::move(ready));
  shown_->add_rows(made->runs);
  hub_.offer_wall(made->rows.topic());
  const auto how = std::make_shared<filling>();
  how->of = made;
  fill(how);
}

void walls::drop_unused() {
  const auto now = clock::now();
  for (const auto& each : std::vector{of_some_}) {
    const bool is_needed = !each->is_filled || each->rows.topic().is_watched() ||
                           now - each->used_at < limits::unwatched_wall_age;
    if (!is_needed) drop(*each);
  }
}

void walls::drop(one& unused) {
  shown_->leave_out(unused.runs);
  hub_.withdraw_wall(unused.rows.topic());
  std::erase_if(of_some_, [&](const auto& each) { return each.get() == &unused; });
}

void walls::fill(const std::shared_ptr<filling>& how) {
  const auto which = how->of.lock();
  if (!which) return;
  const operations::doing filling{"filling the wall of some stacks"};
  const auto until = clock::now() + limits::wall_turn;
  const auto has_time = [until] { return clock::now() < until; };
  how->next = shown_->walk(*how->next, [&](registry::shown_run& run) {
    if (which->runs.sees(run)) {
      if (!how->has_cards) {
        ++how->seen;
        if (!run.facts.id.empty()) which->cards.update(run.facts);
      } else if (how->seen > limits::wall_runs) {
        --how->seen;
      } else {
        which->runs.changed(run);
      }
    }
    return has_time();
  });
  if (!how->next && !std::exchange(how->has_cards, true)) {
    how->next = registry::run_registry::place{};
  }
  if (how->next) {
    boost::asio::post(io_, [this, how] { fill(how); });
    return;
  }
  weigh(*which);
  which->is_filled = true;
  which->rows.topic().publish();
  for (const auto& each : std::exchange(which->waiting, {})) each(true);
}

const wall::stack_cards& walls::cards(const access::principal& by) const {
  static const wall::stack_cards none;
  const one* his = find(by);
  return his == nullptr ? none : his->cards.cards();
}

const fanout::topic* walls::topic(const access::principal& by) const {
  one* his = find(by);
  return his == nullptr ? nullptr : &his->rows.topic();
}

}  // namespace tofud::serve
