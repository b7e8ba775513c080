#include "daemon/history/limits.hpp"
#include "daemon/history/names.hpp"
#include "daemon/history/table.hpp"
#include "protocol/history/limits.hpp"

#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace tofud::history {
namespace {

/// One rung after the other, for one query.
class ladder {
 public:
  ladder(sqlite::database& in, names& texts)
      : in_{in}, texts_{texts}, done_{texts.find("done").value_or(0)} {
    // Where nothing was ever granted, which is nearly everywhere, nothing is compared.
    if (in_.number("SELECT EXISTS(SELECT 1 FROM history_runs WHERE granted<>'')") != 0)
      of_the_granted_ = " AND (SELECT granted FROM history_runs r WHERE r.id=operations.run)=?";
  }

  std::optional<usual> climb(const usual_query& query) {
    const auto action = texts_.find(query.action), stack = texts_.find(query.stack),
               addr = texts_.find(query.addr), type = texts_.find(query.type);
    if (!action) return std::nullopt;
    std::vector<rung_values> rungs;
    if (stack && addr) {
      auto found = in_.prepare(
          "SELECT status,seconds,stack FROM operations WHERE addr=? AND stack=? AND action=?" +
          of_the_granted_ + " ORDER BY started_at DESC LIMIT ?");
      found.bind(*addr).bind(*stack).bind(*action);
      if (!of_the_granted_.empty()) found.bind(query.granted);
      rungs.push_back(read(found, rung::address));
    }
    const bool flaky = flaky_;
    if (!enough(rungs) && type) add_types(rungs, query, *type, *action, stack);
    auto made = choose(rungs);
    if (made) made->flaky = flaky;
    return made;
  }

 private:
  static bool enough(const std::vector<rung_values>& rungs) {
    return !rungs.empty() && rungs.back().seconds.size() >= limits::usual_enough;
  }

  /// The same for all addresses of a type: found once.
  void add_types(std::vector<rung_values>& rungs, const usual_query& query, std::int64_t type,
                 std::int64_t action, std::optional<std::int64_t> stack) {
    const auto key = std::make_tuple(query.stack, query.type, query.action);
    auto [at, added] = of_types_.try_emplace(key);
    if (added) {
      if (stack) {
        auto found = in_.prepare(
            "SELECT status,seconds,stack FROM operations WHERE stack=? AND type=? AND action=?" +
            of_the_granted_ + " ORDER BY started_at DESC LIMIT ?");
        found.bind(*stack).bind(type).bind(action);
        if (!of_the_granted_.empty()) found.bind(query.granted);
        at->second.push_back(read(found, rung::stack));
      }
      if (query.everywhere) {
        auto found = in_.prepare(
            "SELECT status,seconds,stack FROM operations WHERE type=? AND action=?"
            " ORDER BY started_at DESC LIMIT ?");
        found.bind(type).bind(action);
        at->second.push_back(read(found, rung::anywhere));
      }
    }
    rungs.insert(rungs.end(), at->second.begin(), at->second.end());
  }

  rung_values read(sqlite::statement& found, rung at) {
    found.bind(static_cast<std::int64_t>(limits::usual_looked_at));
    rung_values made;
    made.at = at;
    std::set<std::int64_t> stacks;
    std::size_t seen = 0, failed = 0;
    while (made.seconds.size() < limits::usual_of && found.step()) {
      const bool is_done = found.number(0) == done_;
      if (seen < limits::flaky_of) {
        ++seen;
        if (!is_done) ++failed;
      }
      if (!is_done) continue;
      made.seconds.push_back(found.real(1));
      stacks.insert(found.number(2));
    }
    made.stacks = stacks.size();
    flaky_ = failed > 0 && failed < seen;
    return made;
  }

  sqlite::database& in_;
  names& texts_;
  std::int64_t done_;
  std::string of_the_granted_;  // a condition; empty: there is none
  bool flaky_ = false;          // of what was read last
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<rung_values>> of_types_;
};

}  // namespace

std::vector<std::optional<usual>> find_usual(sqlite::database& in,
                                             std::span<const usual_query> queries) {
  const sqlite::read_transaction all{in};
  names texts{in};
  ladder rungs{in, texts};
  std::vector<std::optional<usual>> found;
  found.reserve(queries.size());
  for (const usual_query& each : queries) found.push_back(rungs.climb(each));
  return found;
}

}  // namespace tofud::history
