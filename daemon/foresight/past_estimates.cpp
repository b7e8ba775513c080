#include "daemon/foresight/past_estimates.hpp"

#include "daemon/foresight/known_times.hpp"
#include "daemon/foresight/limits.hpp"
#include "daemon/foresight/run_estimator.hpp"
#include "daemon/operations/held_memory.hpp"
#include "protocol/feed/labels_text.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::foresight {
namespace {

using feed::step_action;
using named_operation = std::pair<std::string_view, step_action>;

/// What is usual of what one run owed. Shared with questions under way, which may come back when
/// nobody waits for them any more.
class asked_about : public std::enable_shared_from_this<asked_about> {
 public:
  using clock = std::chrono::steady_clock;

  explicit asked_about(usual_asker ask) : ask_{std::move(ask)} {}

  bool is_old() const { return clock::now() - since_ > limits::past_usual_kept; }

  std::optional<std::optional<feed::run_estimate>> answer(const correlator::run_state& run,
                                                          ui::time_point at) {
    const order::order* of = run.causes().order();
    if (of == nullptr || run.over()) return std::optional<feed::run_estimate>{};
    if (waits_ || ask_more(run, *of)) return std::nullopt;
    run_estimator estimator{run};
    return estimator.make(
        [this](std::string_view addr, step_action action) -> const feed::usual* {
          const auto found = usual_.find({addr, action});
          return found == usual_.end() || !found->second ? nullptr : &*found->second;
        },
        at);
  }

 private:
  /// False: all is known that is.
  bool ask_more(const correlator::run_state& run, const order::order& of) {
    std::vector<history::usual_query> queries;
    std::vector<named_operation> about;
    for (const order::vertex each : of.operations()) {
      const order::operation& what = *of.at(each);
      const step_action action = action_of(what);
      if (usual_.contains({what.address, action})) continue;
      if (queries.size() == limits::usual_asked) break;
      const feed::resource_row& row = run.resources()[run.causes().place_of(each)].row;
      queries.push_back({run.identity().stack, what.address, std::string{row.type()},
                         std::string{feed::name(action)},
                         feed::labels_text(run.identity().granted)});
      about.emplace_back(names_.emplace_back(what.address), action);
      usual_.emplace(about.back(), std::nullopt);
    }
    if (queries.empty()) return false;
    held_.hold(usual_.size() * limits::past_usual_bytes);
    waits_ = true;
    ask_(std::move(queries), [self = shared_from_this(), about = std::move(about)](
                                 const std::vector<std::optional<feed::usual>>& found) {
      for (std::size_t i = 0; i < std::min(found.size(), about.size()); ++i)
        self->usual_.at(about[i]) = found[i];
      self->waits_ = false;
    });
    return true;
  }

  usual_asker ask_;
  clock::time_point since_ = clock::now();
  bool waits_ = false;
  std::deque<std::string> names_;
  /// Of all that was asked about; nothing: nobody knows, or not yet.
  boost::unordered_flat_map<named_operation, std::optional<feed::usual>> usual_;
  operations::held_memory held_{operations::memory_for::answers};
};

}  // namespace

struct past_estimates::remembered {
  usual_asker ask;
  std::deque<std::pair<std::string, std::shared_ptr<asked_about>>> runs;  // newest first
};

past_estimates::past_estimates(usual_asker ask)
    : known_{std::make_shared<remembered>(remembered{std::move(ask), {}})} {}
past_estimates::~past_estimates() = default;

void past_estimates::forget() { known_->runs.clear(); }

pipeline::past_estimate past_estimates::of(const std::string& run) const {
  auto& runs = known_->runs;
  std::erase_if(runs, [](const auto& each) { return each.second->is_old(); });
  auto found =
      std::find_if(runs.begin(), runs.end(), [&](const auto& each) { return each.first == run; });
  std::shared_ptr<asked_about> about;
  if (found == runs.end()) {
    about = std::make_shared<asked_about>(known_->ask);
    runs.emplace_front(run, about);
    if (runs.size() > limits::past_usual_runs) runs.pop_back();
  } else {
    about = found->second;
  }
  return
      [about](const correlator::run_state& of, ui::time_point at) { return about->answer(of, at); };
}

}  // namespace tofud::foresight
