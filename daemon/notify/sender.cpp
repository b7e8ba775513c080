#include "daemon/notify/sender.hpp"

#include "daemon/notify/errors.hpp"
#include "daemon/notify/limits.hpp"
#include "daemon/notify/outbox_change.hpp"
#include "daemon/operations/utc_now.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <functional>
#include <random>
#include <utility>

namespace tofud::notify {

namespace asio = boost::asio;

text::result<ready_rules> ready(std::vector<rule> all) {
  ready_rules made;
  for (rule& each : all) {
    auto read = ready(std::move(each));
    if (!read) return read.error();
    const bool is_known = std::any_of(made.all.begin(), made.all.end(),
                                      [&](const rule& other) { return other.name == read->name; });
    if (is_known) return text::failure{error::same_name, read->name};
    if (!read->url.empty()) {
      auto tls = net::tls_client::open(read->ca_file);
      if (!tls) return text::failure{error::unreadable, read->name, tls.error()};
      made.tls[read->name] = std::move(*tls);
    }
    made.all.push_back(std::move(*read));
  }
  return made;
}

sender::sender(asio::io_context& io, options given)
    : io_{io}, given_{std::move(given)}, disk_{io}, programs_{io} {}

sender::~sender() { *alive_ = false; }

text::failure sender::open() {
  if (outbox_ || rules_.all.empty()) return {};
  auto opened = outbox::open(given_.path, operations::now_in_seconds());
  if (!opened) return opened.error();
  outbox_ = std::move(*opened);
  return {};
}

void sender::follow(ready_rules given) {
  rules_ = std::move(given);
  off_.clear();
  if (const auto failed = open(); !failed.empty()) given_.said(failed.text());
}

bool sender::wants(occasion what) const {
  return std::any_of(rules_.all.begin(), rules_.all.end(),
                     [&](const rule& each) { return each.on.contains(what); });
}

template <class T>
void sender::on_disk(std::function<T(outbox&)> work, std::function<void(T)> then) {
  if (!outbox_) return;
  disk_.post([this, &io = io_, alive = std::weak_ptr<bool>{alive_}, work = std::move(work),
              then = std::move(then)] {
    auto made = std::make_shared<std::optional<T>>();
    std::string why;
    try {
      *made = work(*outbox_);
    } catch (const sqlite::failure& failed) {
      why = failed.what();
    }
    asio::post(io, [this, alive, made, why, then] {
      if (alive.expired()) return;
      if (!why.empty()) given_.said(text::failure{error::database, why}.text());
      then(*made ? std::move(**made) : T{});
    });
  });
}

void sender::applied(std::function<void(std::uint64_t)> then) {
  if (!outbox_) return then(0);
  on_disk<std::uint64_t>([](outbox& in) { return in.applied(); }, std::move(then));
}

void sender::forget_applied(std::function<void()> then) {
  if (!outbox_) return then();
  on_disk<bool>(
      [](outbox& in) {
        in.forget_applied();
        return true;
      },
      [then = std::move(then)](bool) { then(); });
}

void sender::apply(std::string change, std::uint64_t number, time at, std::function<void()> then) {
  if (!outbox_) return then();
  on_disk<bool>(
      [change = std::move(change), rules = rules_.all, number, at](outbox& in) {
        in.apply(change, rules, number, at);
        return true;
      },
      [this, then = std::move(then)](bool) {
        then();
        look();
      });
}

void sender::without_end(std::vector<std::string> runs,
                         std::function<void(std::vector<std::string>)> then) {
  if (!outbox_ || runs.empty()) return then({});
  on_disk<std::vector<std::string>>(
      [runs = std::move(runs)](outbox& in) { return in.without_end(runs); }, std::move(then));
}

void sender::take(std::vector<happening> all, std::function<void()> then) {
  if (is_shared()) {
    const auto left = std::make_shared<std::size_t>(all.size());
    if (all.empty() && then) then();
    for (happening& each : all) {
      others_.share(to_json(outbox_change{outbox_change::kind::took, std::move(each), "", {}}),
                    [left, then] {
                      if (--*left == 0 && then) then();
                    });
    }
    return;
  }
  if (all.empty() || !outbox_) {
    if (then) then();
    return;
  }
  on_disk<bool>(
      [all = std::move(all), rules = rules_.all, now = operations::now_in_seconds()](outbox& in) {
        for (const happening& each : all) in.take(each, rules, now);
        return true;
      },
      [this, then = std::move(then)](bool) {
        if (then) then();
        look();
      });
}

void sender::look() {
  if (looking_ || stopped_ || !outbox_ || busy_.size() >= limits::deliveries) return;
  looking_ = true;
  std::vector<rule> on;
  for (const rule& each : rules_.all)
    if (!off_.contains(each.name)) on.push_back(each);
  struct seen {
    std::vector<message> due;
    outbox::counts counts;
  };
  const bool tidies = looks_++ % 600 == 0;
  on_disk<seen>(
      [on = std::move(on), busy = busy_, most = limits::deliveries - busy_.size(), tidies,
       delivers = may_deliver(), now = operations::now_in_seconds()](outbox& in) {
        if (tidies) in.tidy(now);
        auto due = delivers ? in.due(on, busy, most, now) : std::vector<message>{};
        return seen{std::move(due), in.count()};
      },
      [this](seen got) {
        looking_ = false;
        counts_.kept = got.counts;
        for (message& each : got.due) {
          if (is_shared() && !each.merged.empty()) {
            others_.share(
                to_json(outbox_change{
                    outbox_change::kind::merged, {each.of, false}, each.rule, each.merged}),
                [] {});
          }
          deliver(std::move(each));
        }
      });
}

void sender::stop() { stopped_ = true; }

const rule* sender::rule_of(const std::string& name) const {
  const auto found = std::find_if(rules_.all.begin(), rules_.all.end(),
                                  [&](const rule& each) { return each.name == name; });
  return found == rules_.all.end() ? nullptr : &*found;
}

void sender::deliver(message one) {
  const rule* by = rule_of(one.rule);
  if (stopped_ || by == nullptr || !busy_.insert(one.rule).second) return;
  const report of = one.of;
  hand_over(*by, of, [this, one = std::move(one)](const handed_over& what) { ended(one, what); });
}

void sender::hand_over(const rule& by, const report& of, std::function<void(handed_over)> done) {
  if (by.where == target::mail || by.where == target::command) {
    programs_.post([this, &io = io_, alive = std::weak_ptr<bool>{alive_}, by, of,
                    source = given_.source(), done = std::move(done)] {
      auto what = hand_to_program(of, by, source);
      asio::post(io, [alive, what = std::move(what), done] {
        if (!alive.expired()) done(what);
      });
    });
    return;
  }
  const auto where = place_of(by, rules_.tls[by.name]);
  client::request asked =
      post_of(of, by, given_.source(), operations::now_in_seconds().time_since_epoch().count());
  asked.target = where.target;
  const std::uint64_t number = next_flight_++;
  auto& by_http = flights_[number];
  by_http = std::make_unique<client::http_client>(
      io_, where.at,
      client::patience{limits::target_wait, limits::target_wait, client::patience::counts::whole,
                       limits::target_answer_bytes});
  by_http->exchange(std::move(asked),
                    [this, number, done = std::move(done)](const client::answered& answer) {
                      auto what = meaning_of(answer);
                      // Not within its own call.
                      asio::post(io_, [this, alive = std::weak_ptr<bool>{alive_}, number] {
                        if (!alive.expired()) flights_.erase(number);
                      });
                      done(std::move(what));
                    });
}

/// Doubled with each try, and less by up to a third: many daemons that lost one target do not come
/// back to it together.
std::chrono::seconds sender::pause_after(unsigned tries, const std::string& id) {
  const auto doubled = limits::told_again_first * (1U << std::min(tries, 12U));
  const auto pause = std::min<std::chrono::seconds>(doubled, limits::told_again_longest);
  const auto less = std::hash<std::string>{}(id) % static_cast<std::size_t>(pause.count() / 3 + 1);
  return pause - std::chrono::seconds{static_cast<std::int64_t>(less)};
}

void sender::ended(const message& one, const handed_over& what) {
  const auto now = operations::now_in_seconds();
  if (what.why.empty()) {
    ++counts_.delivered;
  } else {
    ++counts_.failed;
    given_.said("rule " + one.rule + ": " + what.why + "; message " + one.of.id +
                (what.is_gone ? "" : ", it is tried again"));
  }
  if (what.is_gone) off_[one.rule] = what.why;
  on_disk<bool>(
      [one, what, now](outbox& in) {
        if (what.why.empty()) {
          in.delivered(one.of.id, now);
        } else if (what.is_gone) {
          in.give_up(one.rule, what.why, now);
        } else {
          in.failed(one.of.id, what.why,
                    now + what.after.value_or(pause_after(one.tries, one.of.id)), now);
        }
        return true;
      },
      [this, rule = one.rule, id = one.of.id, is_delivered = what.why.empty()](bool) {
        if (is_shared() && is_delivered)
          others_.share(to_json(outbox_change{outbox_change::kind::delivered, {}, "", {id}}),
                        [] {});
        busy_.erase(rule);
        look();
      });
}

// ---- for who runs the daemon -----------------------------------------------------------------

void sender::list(std::function<void(overview)> done) {
  overview made;
  for (const rule& each : rules_.all) {
    const auto off = off_.find(each.name);
    made.rules.push_back(
        {each.name, std::string{name(each.where)}, off == off_.end() ? "" : off->second});
  }
  if (!outbox_) return done(std::move(made));
  on_disk<overview>(
      [made = std::move(made)](outbox& in) mutable {
        overview all = made;
        all.messages = in.list(1000);
        all.counts = in.count();
        return all;
      },
      std::move(done));
}

void sender::retry(const std::string& id, std::function<void(text::result<std::size_t>)> done) {
  if (!outbox_)
    return done(id.empty() ? text::result<std::size_t>{0U} : text::failure{error::no_message});
  off_.clear();
  on_disk<std::size_t>(
      [id, now = operations::now_in_seconds()](outbox& in) { return in.retry(id, now); },
      [this, id, done = std::move(done)](std::size_t count) {
        look();
        if (count == 0 && !id.empty()) return done(text::failure{error::no_message});
        done(count);
      });
}

void sender::try_rule(const std::string& name, std::function<void(text::failure)> done) {
  const rule* by = rule_of(name);
  if (by == nullptr) return done(text::failure{error::no_rule, name});
  report of;
  of.what = occasion::test;
  of.at = operations::utc_now();
  std::random_device dice;
  of.id = report_id(std::to_string(dice()) + std::to_string(dice()), of.what, name);
  hand_over(*by, of, [done = std::move(done)](const handed_over& what) {
    done(what.why.empty() ? text::failure{} : text::failure{error::unanswered, what.why});
  });
}

}  // namespace tofud::notify
