// What kept_streams asks the journal about how long things take, and what it adds to that.
#include "daemon/history/operations_of_run.hpp"
#include "daemon/operations/doing.hpp"
#include "daemon/serve/kept_streams.hpp"
#include "daemon/serve/limits.hpp"
#include "protocol/feed/labels_text.hpp"

#include <boost/asio/post.hpp>

#include <utility>

namespace tofud::serve {

namespace asio = boost::asio;

foresight::usual_asker kept_streams::usual() {
  return [this](std::vector<history::usual_query> queries, auto found) {
    for (history::usual_query& each : queries) each.everywhere = !foretold_.is_limited;
    store_.find_usual(std::move(queries), [this, found](const journal::store::usual_answer& got) {
      auto answers = got ? *got : std::vector<std::optional<feed::usual>>{};
      // Somebody may have been limited since they were asked for.
      for (auto& each : answers) {
        if (foretold_.is_limited && each && each->at == feed::rung::anywhere) each.reset();
      }
      found(std::move(answers));
    });
  };
}

void kept_streams::limit_views(bool limited) {
  const bool was_limited = std::exchange(foretold_.is_limited, limited);
  if (was_limited || !limited) return;
  foretold_.past.forget();
  for (auto& [id, of] : streams_) {
    if (of.run->folded() != nullptr && of.run->folded()->usual)
      of.run->folded()->usual->forget_others();
  }
}

/// A turn of the loop for some thousand resources.
void kept_streams::add_history(const std::shared_ptr<done_by_run>& did) {
  const operations::doing gathering{"counting the operations of", did->run};
  if (!did->states.empty()) {
    const correlator::run_state& state = *did->states.front();
    if (!did->of) {
      did->of.emplace(state);
      did->did.push_back({history::run_to_remember(state), {}});
      if (const auto known = streams_.find(did->run); known != streams_.end()) {
        history::remembered_run& remembered = did->did.back().run;
        remembered.said = judge(*known->second.run, state);
        remembered.granted = feed::labels_text(known->second.run->header().granted);
      }
    }
    if (!did->of->add(did->did.back().operations, limits::history_rows)) {
      did->of.reset();
      did->states.pop_front();
    }
    asio::post(io_, [this, did] { add_history(did); });
    return;
  }
  if (!streams_.contains(did->run)) return;  // removed meanwhile
  if (is_shared()) shared_->remember(did->run, did->did);
  store_.add_history(did->run, std::move(did->did), said("the history of durations"));
}

std::vector<history::said_estimate> kept_streams::judge(const ingested_run& of,
                                                        const correlator::run_state& run) {
  const auto* folded = of.folded();
  if (folded == nullptr || !folded->usual) return {};
  auto said = folded->usual->judged(run);
  for (const history::said_estimate& each : said) {
    judged_estimates& sum = counts_.estimates[each.at];
    sum.error += history::error_of(each);
    if (each.left <= each.p50)
      ++sum.by_first;
    else if (each.left <= each.p80)
      ++sum.by_second;
    else
      ++sum.later;
  }
  return said;
}

}  // namespace tofud::serve
