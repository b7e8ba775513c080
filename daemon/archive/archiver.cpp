#include "daemon/archive/archiver.hpp"

#include "daemon/archive/errors.hpp"
#include "daemon/archive/limits.hpp"
#include "daemon/journal/layout.hpp"
#include "daemon/operations/utc_now.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <utility>

namespace tofud::archive {

namespace asio = boost::asio;

archiver::archiver(asio::io_context& io, options given)
    : io_{io},
      given_{std::move(given)},
      on_{given_.on == nullptr ? journal::real_disk() : *given_.on},
      thread_{io} {}

archiver::~archiver() {
  *alive_ = false;
  stop();
}

template <class T>
void archiver::on_thread(std::function<T()> work, std::function<void(T)> then) {
  thread_.post([&io = io_, alive = std::weak_ptr<bool>{alive_}, work = std::move(work),
                then = std::move(then)] {
    auto made = std::make_shared<T>(work());
    asio::post(io, [alive, made, then] {
      if (!alive.expired()) then(std::move(*made));
    });
  });
}

void archiver::look() {
  if (!is_on() || busy_ || stopped_) return;
  const auto now = steady::now();
  if (now >= looks_at_) return look_at_disk();
  if (now < rests_until_) return;
  if (!has_begun_) return begin();
  archive_next();
}

void archiver::expect() {
  looks_at_ = std::min(looks_at_, steady::now() + limits::archive_looks_after_end);
}

void archiver::look_at_disk() {
  const auto now = steady::now();
  const bool compares = now >= compares_at_;
  looks_at_ = now + limits::archive_looks_every;
  if (compares) compares_at_ = now + limits::archive_compares_every;
  busy_ = true;
  std::set<std::string, std::less<>> known;
  if (!compares) known = archived_;
  on_thread<looked_at>(
      [this, known = std::move(known)] {
        return look_at_runs(on_, given_.root, given_.to, known, operations::utc_now());
      },
      [this, compares](looked_at found) {
        busy_ = false;
        if (compares) archived_.clear();
        archived_.insert(found.archived.begin(), found.archived.end());
        waiting_.clear();
        order_.clear();
        for (waiting_run& each : found.waiting) {
          if (being_removed_.contains(each.id)) continue;
          waiting_.emplace(each.id, each.over_at);
          order_.push_back(std::move(each.id));
        }
        if (found.more_soon) expect();
        if (!std::exchange(has_looked_, true) && !waiting_.empty())
          given_.said("runs that wait to be archived in " + given_.to + ": " +
                      std::to_string(waiting_.size()));
        look();
      });
}

void archiver::begin() {
  busy_ = true;
  const auto before = archived_.empty() ? used_before::no : used_before::yes;
  on_thread<text::failure>([this, before] { return given_.at->begin(before); },
                           [this](const text::failure& wrong) {
                             busy_ = false;
                             if (!wrong.empty()) return failed(wrong);
                             has_begun_ = true;
                             succeeded();
                             look();
                           });
}

void archiver::archive_next() {
  while (!order_.empty() && !waiting_.contains(order_.front())) order_.pop_front();
  if (order_.empty()) return;
  busy_ = true;
  const std::string id = std::move(order_.front());
  order_.pop_front();
  const auto before = archived_.empty() ? used_before::no : used_before::yes;
  on_thread<text::result<std::uint64_t>>(
      [this, id, before]() -> text::result<std::uint64_t> {
        if (auto wrong = given_.at->begin(before); !wrong.empty()) return wrong;
        return archive_run(on_, given_.root, id, *given_.at, given_.to, operations::utc_now());
      },
      [this, id](const text::result<std::uint64_t>& sent) {
        busy_ = false;
        if (!sent) {
          order_.push_back(id);  // others first: what is wrong may be this run's
          return failed(text::failure{error::not_archived, id, sent.error()});
        }
        waiting_.erase(id);
        if (*sent > 0) {
          archived_.insert(id);
          ++counts_.runs;
          counts_.bytes += *sent;
        }
        succeeded();
        look();
      });
}

/// Each further failure doubles the rest.
void archiver::failed(const text::failure& why) {
  if (stopped_) return;
  ++counts_.failures;
  const auto doubled = limits::archive_rests_first * (1U << std::min(failures_in_row_++, 12U));
  const auto rest = std::min<std::chrono::seconds>(doubled, limits::archive_rests_longest);
  rests_until_ = steady::now() + rest;
  trouble_ = why.text();
  given_.complained("the archive " + given_.to + " takes nothing: " + trouble_ +
                    "; it is tried again in " + std::to_string(rest.count()) + " seconds");
}

void archiver::succeeded() {
  failures_in_row_ = 0;
  if (!std::exchange(trouble_, "").empty())
    given_.said("the archive " + given_.to + " takes runs again");
}

void archiver::stop() {
  stopped_ = true;
  if (given_.at) given_.at->give_up();
}

bool archiver::waits_for(std::string_view run, ui::time_point now) const {
  if (!is_on() || has(run)) return false;
  const auto found = waiting_.find(run);
  return found == waiting_.end() || now - found->second < limits::archive_waited_for;
}

net::task<text::failure> archiver::remove(std::string run) {
  being_removed_.insert(run);
  waiting_.erase(run);
  archived_.erase(run);
  std::function<text::failure()> work = [this, run]() -> text::failure {
    const auto marked = read_mark(on_, journal::run_in(given_.root, run));
    if (!marked) return {};
    if (given_.at == nullptr || marked->to != given_.to)
      return {error::archived_elsewhere, run, marked->to};
    auto wrong = remove_archived(on_, given_.root, run, *given_.at);
    return wrong.empty() ? wrong : text::failure{error::not_removed, run, given_.to, wrong};
  };
  auto removing = thread_.result_of(std::move(work));
  text::failure wrong = co_await std::move(removing);
  if (!wrong.empty()) let_go(run);
  co_return wrong;
}

void archiver::let_go(const std::string& run) { being_removed_.erase(run); }

}  // namespace tofud::archive
