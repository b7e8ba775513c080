#include "daemon/foresight/usual_times.hpp"

#include "daemon/foresight/limits.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
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

}  // namespace

/// Shared with questions under way, which may come back when all else is gone.
struct usual_times::known_times : std::enable_shared_from_this<usual_times::known_times> {
  struct forecast {
    feed::row_number row;
    std::vector<std::pair<step_action, feed::usual>> usual_of;
  };
  struct asked_row {
    correlator::run_state* run;
    feed::row_number row;
    step_action action;
  };
  struct of_run {
    const correlator::run_state* run;
    std::vector<bool> asked;                                             // by row
    boost::unordered_flat_map<std::string_view, std::uint32_t> by_addr;  // into `forecasts`
    std::deque<forecast> forecasts;
  };

  known_times(asio::io_context& io, usual_asker ask) : ask_history{std::move(ask)}, pause{io} {}

  /// Null: nothing of it is known. Nearly always the last one.
  of_run* find(const correlator::run_state& run) {
    for (auto each = runs.rbegin(); each != runs.rend(); ++each) {
      if (each->run == &run) return &*each;
    }
    return nullptr;
  }
  of_run& runs_entry(const correlator::run_state& run) {
    of_run* known = find(run);
    return known != nullptr ? *known : runs.emplace_back(of_run{&run, {}, {}, {}});
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
      queries.push_back({each.run->identity().stack, std::string{row.addr}, std::string{row.type},
                         std::string{feed::name(each.action)}});
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
    const auto [at, added] =
        entry.by_addr.try_emplace(addr, static_cast<std::uint32_t>(entry.forecasts.size()));
    if (added) entry.forecasts.push_back({of.row, {}});
    entry.forecasts[at->second].usual_of.emplace_back(of.action, known);
    return at->second;
  }

  usual_asker ask_history;
  pipeline::run_topics* topics = nullptr;
  std::deque<of_run> runs;
  std::deque<asked_row> waiting;
  bool asking = false;
  asio::steady_timer pause;
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

void usual_times::settled() { known_->ask_more(); }

const feed::usual* usual_times::of(std::string_view addr, feed::step_action action) const {
  for (auto each = known_->runs.rbegin(); each != known_->runs.rend(); ++each) {
    const auto found = each->by_addr.find(addr);
    if (found == each->by_addr.end()) continue;
    for (const auto& [known, usual] : each->forecasts[found->second].usual_of) {
      if (known == action) return &usual;
    }
  }
  return nullptr;
}

std::size_t usual_times::memory() const {
  std::size_t bytes = known_->waiting.size() * sizeof(known_times::asked_row);
  for (const auto& run : known_->runs) {
    bytes += run.asked.capacity() / 8 + run.forecasts.size() * limits::forecast_bytes;
  }
  return bytes;
}

void usual_times::encode(std::string& out, const correlator::run_state& run,
                         feed::row_number forecast) const {
  const auto* entry = known_->find(run);
  const auto& known = entry->forecasts[forecast];
  feed::encode(out, {run.resource(known.row)->addr, run.id(), known.usual_of});
}

feed::row_facts usual_times::facts(const correlator::run_state& run,
                                   feed::row_number forecast) const {
  const auto* entry = known_->find(run);
  feed::row_facts facts = run.facts(entry->forecasts[forecast].row);
  facts.kind = feed::row_kind::forecast;
  return facts;
}

}  // namespace tofud::foresight
