#include "daemon/foresight/usual_times.hpp"

#include "daemon/foresight/limits.hpp"
#include "daemon/foresight/said_estimates.hpp"
#include "protocol/feed/labels_text.hpp"
#include "protocol/text/text_index.hpp"

#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <utility>

namespace tofud::foresight {
namespace {

namespace asio = boost::asio;
using feed::step_action;

/// What the planned entries of a row owe, each action once.
std::vector<step_action> owed(const feed::resource_row& row) {
  std::vector<step_action> actions;
  const auto add = [&](step_action action) {
    if (std::find(actions.begin(), actions.end(), action) == actions.end())
      actions.push_back(action);
  };
  for (const feed::planned& each : row.plan) {
    if (each.action == "create" || each.action == "replace") add(step_action::create);
    if (each.action == "delete" || each.action == "replace") add(step_action::remove);
    if (each.action == "update") add(step_action::update);
    if (each.action == "read") add(step_action::read);
  }
  return actions;
}

bool is_waited_for(const feed::resource_row& row) {
  return row.status == feed::resource_status::planned ||
         row.status == feed::resource_status::running;
}

/// All estimates of one loop, which take turns: many runs at once are to leave it its time.
class estimate_turns {
 public:
  using clock = std::chrono::steady_clock;

  /// When it is the turn of one that is wanted from `when` on and costs about so much.
  clock::time_point reserve(clock::time_point when, clock::duration cost) {
    const auto turn = std::max(when, free_from_);
    free_from_ = turn + limits::estimates_share * cost;
    return turn;
  }

 private:
  clock::time_point free_from_{};
};
thread_local estimate_turns turns;

}  // namespace

/// Shared with questions under way, which may come back when all else is gone.
struct usual_times::known_times : std::enable_shared_from_this<usual_times::known_times> {
  using clock = std::chrono::steady_clock;
  struct forecast {
    feed::row_number row;  // no_row: of the run
    std::vector<std::pair<step_action, feed::usual>> usual_of;
  };
  struct asked_row {
    correlator::run_state* run;
    feed::row_number row;
    step_action action;
  };
  struct of_run {
    const correlator::run_state* run;
    std::vector<bool> asked;   // by row
    text::text_index by_addr;  // into `forecasts`
    std::deque<forecast> forecasts;
    run_estimator estimator;
    std::optional<feed::run_estimate> estimate;       // nothing: nobody knows
    std::optional<feed::row_number> estimate_number;  // of its forecast
    said_estimates said;

    std::optional<std::uint32_t> forecast_of(std::string_view addr) const {
      return by_addr.find(addr, [this](std::uint32_t forecast) {
        return run->resource(forecasts[forecast].row)->addr;
      });
    }
  };

  known_times(asio::io_context& io, usual_asker ask)
      : ask_history{std::move(ask)}, pause{io}, until_estimate{io} {}

  /// Null: nothing of it is known. Nearly always the last one.
  of_run* find(const correlator::run_state& run) {
    for (auto each = runs.rbegin(); each != runs.rend(); ++each) {
      if (each->run == &run) return &*each;
    }
    return nullptr;
  }
  of_run& runs_entry(const correlator::run_state& run) {
    of_run* known = find(run);
    return known != nullptr
               ? *known
               : runs.emplace_back(of_run{&run, {}, {}, {}, run_estimator{run}, {}, {}, {}});
  }

  void want(correlator::run_state& run, feed::row_number number) {
    const feed::resource_row* row = run.resource(number);
    if (row == nullptr || row->plan.empty() || run.over() || !is_waited_for(*row)) return;
    of_run& entry = runs_entry(run);
    if (entry.asked.size() <= number) entry.asked.resize(number + 1);
    if (entry.asked[number]) return;
    entry.asked[number] = true;
    for (const step_action action : owed(*row)) waiting.push_back({&run, number, action});
  }

  void ask_more() {
    if (waiting.empty() || asking) return;
    asking = true;
    const std::size_t count = std::min(waiting.size(), limits::usual_asked);
    auto rows = std::make_shared<std::vector<asked_row>>(
        waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(count));
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(count));
    std::vector<history::usual_query> queries;
    queries.reserve(count);
    for (const asked_row& each : *rows) {
      const feed::resource_row& row = *each.run->resource(each.row);
      queries.push_back({each.run->identity().stack, std::string{row.addr}, std::string{row.type()},
                         std::string{feed::name(each.action)},
                         feed::labels_text(each.run->identity().granted)});
    }
    ask_history(std::move(queries), [weak = weak_from_this(), rows](const auto& answers) {
      if (const auto self = weak.lock()) self->learn(*rows, answers);
    });
  }

  void learn(const std::vector<asked_row>& rows,
             const std::vector<std::optional<feed::usual>>& answers) {
    const correlator::run_state* told = nullptr;
    std::vector<feed::row_number> news;
    const auto tell = [&] {
      if (topics != nullptr && told != nullptr) topics->forecasts_changed(*told, news);
      news.clear();
    };
    for (std::size_t i = 0; i < std::min(rows.size(), answers.size()); ++i) {
      if (!answers[i]) continue;
      const asked_row& each = rows[i];
      if (told != each.run) tell();
      told = each.run;
      const feed::row_number number = put(each, *answers[i]);
      if (news.empty() || news.back() != number) news.push_back(number);
    }
    tell();
    for (of_run& each : runs) each.estimator.learnt();
    estimate_soon();
    pause.expires_after(limits::usual_asked_every);
    pause.async_wait([weak = weak_from_this()](boost::system::error_code failed) {
      const auto self = failed ? nullptr : weak.lock();
      if (!self) return;
      self->asking = false;
      self->ask_more();
    });
  }

  feed::row_number put(const asked_row& of, const feed::usual& known) {
    of_run& entry = runs_entry(*of.run);
    const std::string_view addr = of.run->resource(of.row)->addr;
    auto at = entry.forecast_of(addr);
    if (!at) {
      at = static_cast<std::uint32_t>(entry.forecasts.size());
      entry.by_addr.put(addr, *at);
      entry.forecasts.push_back({of.row, {}});
    }
    entry.forecasts[*at].usual_of.emplace_back(of.action, known);
    return *at;
  }

  // ---- when it will be over --------------------------------------------------------------------

  const feed::usual* usual_of(const of_run& entry, std::string_view addr,
                              step_action action) const {
    const auto found = entry.forecast_of(addr);
    if (!found) return nullptr;
    for (const auto& [known, usual] : entry.forecasts[*found].usual_of) {
      if (known == action) return &usual;
    }
    return nullptr;
  }

  /// At once, or as soon as may be after the last one.
  void estimate_soon() {
    if (estimating || runs.empty()) return;
    estimating = true;
    wait(turns.reserve(std::max(clock::now(), last_estimate + limits::estimated_every), cost),
         &known_times::estimate);
  }

  void wait(clock::time_point until, void (known_times::*then)()) {
    until_estimate.expires_at(until);
    until_estimate.async_wait([weak = weak_from_this(), then](boost::system::error_code failed) {
      if (const auto self = failed ? nullptr : weak.lock()) ((*self).*then)();
    });
  }

  void estimate() {
    estimating = false;
    of_run& entry = runs.back();
    const auto at = entry.run->view().last_line_at;
    if (!at || entry.run->over()) return;
    last_estimate = clock::now();
    const auto begun = last_estimate;
    // Where nothing comes the stream's clock goes on with ours.
    const auto silent =
        std::chrono::duration_cast<std::chrono::microseconds>(last_estimate - last_line);
    const auto moment = *at + silent;
    auto made = entry.estimator.make(
        [&](std::string_view addr, step_action action) { return usual_of(entry, addr, action); },
        moment);
    cost = clock::now() - begun;
    if (made || entry.estimate) entry.said.say(moment, made ? &*made : nullptr);
    tell(entry, std::move(made));
    if (const auto passing = entry.estimator.next_passing()) {
      const auto then = std::chrono::duration_cast<clock::duration>(
          std::chrono::duration<double>{std::min(*passing, 86'400.0) + 0.01});
      wait(last_estimate + then, &known_times::estimate_soon);  // unless a message comes before it
    }
  }

  void tell(of_run& entry, std::optional<feed::run_estimate> made) {
    if (!made && !entry.estimate) return;
    entry.estimate = std::move(made);
    if (!entry.estimate_number) {
      entry.estimate_number = static_cast<feed::row_number>(entry.forecasts.size());
      entry.forecasts.push_back({feed::no_row, {}});
    }
    if (topics != nullptr) {
      const std::array numbers{*entry.estimate_number};
      topics->forecasts_changed(*entry.run, numbers);
    }
  }

  usual_asker ask_history;
  pipeline::run_topics* topics = nullptr;
  std::deque<of_run> runs;
  std::deque<asked_row> waiting;
  bool asking = false;
  asio::steady_timer pause, until_estimate;
  bool estimating = false;
  clock::time_point last_estimate{}, last_line = clock::now();
  clock::duration cost = std::chrono::milliseconds{1};  // of the last estimate
};

usual_times::usual_times(asio::io_context& io, pipeline::engine& of, usual_asker ask)
    : known_{std::make_shared<known_times>(io, std::move(ask))} {
  of.tell(*this);
}

usual_times::~usual_times() { known_->topics = nullptr; }

void usual_times::tell(pipeline::run_topics& topics) {
  known_->topics = &topics;
  topics.forecast_by(*this);
}

void usual_times::changed(correlator::run_state& run, feed::row_change change) {
  known_->want(run, change.row);
}

void usual_times::summary_came(correlator::run_state& run) {
  known_->runs_entry(run);
  known_->estimate_soon();
}

void usual_times::run_ended(correlator::run_state& run) {
  if (auto* entry = known_->find(run)) known_->tell(*entry, std::nullopt);
}

void usual_times::settled() {
  known_->last_line = known_times::clock::now();
  known_->ask_more();
  if (!known_->runs.empty() && known_->runs.back().estimator.is_stale()) known_->estimate_soon();
}

std::vector<history::said_estimate> usual_times::judged(const correlator::run_state& run) const {
  const auto* entry = known_->find(run);
  return entry == nullptr ? std::vector<history::said_estimate>{} : entry->said.judged(run);
}

const feed::run_estimate* usual_times::estimate_of(std::string_view run) const {
  const auto* known = estimate();
  return known != nullptr && known_->runs.back().run->id() == run ? known : nullptr;
}

const feed::run_estimate* usual_times::estimate() const {
  if (known_->runs.empty() || !known_->runs.back().estimate) return nullptr;
  return &*known_->runs.back().estimate;
}

const feed::usual* usual_times::of(std::string_view addr, feed::step_action action) const {
  for (auto each = known_->runs.rbegin(); each != known_->runs.rend(); ++each) {
    if (const feed::usual* usual = known_->usual_of(*each, addr, action)) return usual;
  }
  return nullptr;
}

void usual_times::forget_others() {
  for (auto& run : known_->runs) {
    std::vector<feed::row_number> news;
    for (feed::row_number number = 0; number < run.forecasts.size(); ++number) {
      const auto gone = std::erase_if(run.forecasts[number].usual_of, [](const auto& each) {
        return each.second.at == feed::rung::anywhere;
      });
      if (gone > 0) news.push_back(number);
    }
    if (known_->topics != nullptr && !news.empty())
      known_->topics->forecasts_changed(*run.run, news);
    run.estimator.learnt();
  }
  known_->estimate_soon();
}

std::size_t usual_times::memory() const {
  std::size_t bytes = known_->waiting.size() * sizeof(known_times::asked_row);
  for (const auto& run : known_->runs) {
    bytes += run.asked.capacity() / 8 + run.forecasts.size() * limits::forecast_bytes +
             run.estimator.memory();
  }
  return bytes;
}

void usual_times::encode(std::string& out, const correlator::run_state& run,
                         feed::row_number forecast) const {
  const auto* entry = known_->find(run);
  const auto& known = entry->forecasts[forecast];
  if (known.row == feed::no_row) {
    feed::encode(out, run.id(), entry->estimate ? &*entry->estimate : nullptr);
    return;
  }
  feed::encode(out, {run.resource(known.row)->addr, run.id(), known.usual_of});
}

feed::row_facts usual_times::facts(const correlator::run_state& run,
                                   feed::row_number forecast) const {
  const auto* entry = known_->find(run);
  const feed::row_number row = entry->forecasts[forecast].row;
  feed::row_facts facts = row == feed::no_row ? feed::row_facts{} : run.facts(row);
  facts.kind = feed::row_kind::forecast;
  return facts;
}

}  // namespace tofud::foresight
