#include "daemon/history/limits.hpp"
#include "daemon/history/names.hpp"
#include "daemon/history/table.hpp"
#include "protocol/history/limits.hpp"
#include "protocol/text/percentile.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace tofud::history {
namespace {

constexpr std::array<const char*, 8> actions{"create",  "update", "delete", "read",
                                             "refresh", "open",   "renew",  "close"};

constexpr const char* columns =
    "stack,addr,type,action,phase,status,seconds,started_at,run,provider,provider_version";

/// Gathers operations into entries.
class gathering {
 public:
  gathering(sqlite::database& in, names& texts)
      : in_{in}, texts_{texts}, done_{texts.find("done").value_or(0)} {}

  /// Of a statement that selects `columns`, newest first.
  void take(sqlite::statement& found) {
    while (read_ < limits::history_read && found.step()) {
      ++read_;
      const key of{found.number(0), found.number(1), found.number(3), found.number(4)};
      const auto [at, added] = places_.try_emplace(of, entries_.size());
      if (added) begin(found);
      add(entries_[at->second], found);
    }
  }

  std::uint64_t operations() const { return read_; }
  bool full() const { return read_ >= limits::history_read; }

  std::vector<entry> entries() {
    for (auto& each : entries_) settle(each.made, each.seconds);
    std::vector<entry> made;
    made.reserve(entries_.size());
    for (auto& each : entries_) made.push_back(std::move(each.made));
    return made;
  }

  std::vector<slow_entry> types() const {
    std::map<std::pair<std::string, std::string>, std::vector<double>> all;
    for (const auto& each : entries_) {
      if (each.made.action == "refresh") continue;
      auto& seconds = all[{each.made.type, each.made.action}];
      seconds.insert(seconds.end(), each.seconds.begin(), each.seconds.end());
    }
    std::vector<slow_entry> made;
    for (const auto& [of, seconds] : all) add_slow(made, of.first, of.second, seconds);
    return slowest(std::move(made));
  }

  std::vector<slow_entry> refreshes() const {
    std::vector<slow_entry> made;
    for (const auto& each : entries_) {
      if (each.made.action == "refresh")
        add_slow(made, each.made.addr, each.made.action, each.seconds);
    }
    return slowest(std::move(made));
  }

 private:
  using key = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
  struct gathered {
    entry made;
    std::vector<double> seconds;  // of those that are done, newest first
  };

  void begin(const sqlite::statement& found) {
    entry made;
    made.stack = texts_.text(found.number(0));
    made.addr = texts_.text(found.number(1));
    made.type = texts_.text(found.number(2));
    made.action = texts_.text(found.number(3));
    made.phase = texts_.text(found.number(4));
    made.provider = texts_.text(found.number(9));
    made.provider_version = texts_.text(found.number(10));
    entries_.push_back({std::move(made), {}});
  }

  void add(gathered& to, const sqlite::statement& found) {
    const bool is_done = found.number(5) == done_;
    ++to.made.count;
    if (!is_done) ++to.made.failed;
    if (is_done) to.seconds.push_back(found.real(6));
    to.made.first_at = time_of(found.number(7));
    if (to.made.newest.size() < limits::usual_of) {
      to.made.newest.push_back({run_of(found.number(8)), texts_.text(found.number(5)),
                                found.real(6), time_of(found.number(7))});
    }
  }

  static void settle(entry& made, std::vector<double> seconds) {
    if (seconds.size() > limits::usual_of) seconds.resize(limits::usual_of);
    made.p50 = text::percentile(seconds, 0.5);
    made.p80 = text::percentile(seconds, 0.8);
  }

  static void add_slow(std::vector<slow_entry>& to, const std::string& name,
                       const std::string& action, const std::vector<double>& seconds) {
    if (seconds.empty()) return;
    slow_entry made;
    made.name = name;
    made.action = action;
    made.count = seconds.size();
    made.p50 = text::percentile(seconds, 0.5);
    made.p80 = text::percentile(seconds, 0.8);
    for (const double each : seconds) made.total += each;
    to.push_back(std::move(made));
  }

  static std::vector<slow_entry> slowest(std::vector<slow_entry> all) {
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& one, const auto& other) { return one.p50 > other.p50; });
    if (all.size() > limits::history_slowest) all.resize(limits::history_slowest);
    return all;
  }

  const std::string& run_of(std::int64_t id) {
    auto [at, added] = runs_.try_emplace(id);
    if (added) {
      auto found = in_.prepare("SELECT run FROM history_runs WHERE id=?");
      if (found.bind(id).step()) at->second = found.text(0);
    }
    return at->second;
  }

  sqlite::database& in_;
  names& texts_;
  std::int64_t done_;
  std::vector<gathered> entries_;
  std::map<key, std::size_t> places_;
  std::unordered_map<std::int64_t, std::string> runs_;
  std::uint64_t read_ = 0;
};

/// The runs whose operations may be read, as a condition on operations.
class visible_runs {
 public:
  visible_runs(sqlite::database& in, const sqlite::row_filter& seen) : filtered_{seen != nullptr} {
    if (!filtered_) return;
    in.filter_by(seen);
    in.execute(
        "CREATE TEMP TABLE IF NOT EXISTS visible_runs(id INTEGER PRIMARY KEY, stack TEXT);"
        "DELETE FROM visible_runs;"
        "INSERT INTO visible_runs SELECT id,stack FROM history_runs WHERE passes(stack,granted)");
    auto found = in.prepare("SELECT DISTINCT stack FROM visible_runs");
    while (found.step()) stacks_.insert(found.text(0));
  }

  /// What stands behind FROM for operations of which `condition` is true, those first that have
  /// most in `order`.
  std::string of(const std::string& condition, const std::string& order) const {
    std::string all = "operations " + condition + " ORDER BY " + order + " DESC";
    if (!filtered_) return all;
    return "(SELECT * FROM " + all + " LIMIT " + std::to_string(limits::history_filtered) +
           ") WHERE run IN (SELECT id FROM visible_runs) ORDER BY " + order + " DESC";
  }
  bool filtered() const { return filtered_; }
  /// Whether any of its runs may be seen.
  bool has(const std::string& stack) const { return !filtered_ || stacks_.contains(stack); }
  /// To add to a condition on a run `r`.
  const char* and_seen() const {
    return filtered_ ? " AND r.id IN (SELECT id FROM visible_runs)" : "";
  }

 private:
  bool filtered_;
  std::set<std::string> stacks_;
};

/// Stacks and actions that an address has, each found by a look into the index.
std::vector<std::pair<std::int64_t, std::int64_t>> groups_of(sqlite::database& in, names& texts,
                                                             const visible_runs& seen,
                                                             std::int64_t addr,
                                                             std::optional<std::int64_t> stack,
                                                             std::size_t most) {
  std::vector<std::pair<std::int64_t, std::int64_t>> groups;
  std::pair<std::int64_t, std::int64_t> last{stack.value_or(0), 0};
  while (groups.size() <= most) {
    auto next = in.prepare(
        "SELECT stack,action FROM operations WHERE addr=? AND (stack,action)>(?,?)"
        " ORDER BY stack,action LIMIT 1");
    if (!next.bind(addr).bind(last.first).bind(last.second).step()) break;
    last = {next.number(0), next.number(1)};
    if (stack && last.first != *stack) break;
    if (seen.has(texts.text(last.first))) groups.push_back(last);
  }
  return groups;
}

/// Of the newest runs that something was said of, of one stack or of all.
std::vector<estimate_score> score_in(sqlite::database& in, const visible_runs& seen,
                                     const std::string& stack) {
  auto found = in.prepare(std::string{"SELECT s.at,s.p50,s.p80,s.remained FROM said_estimates s"
                                      " JOIN history_runs r ON r.id=s.run WHERE (?1='' OR"
                                      " r.stack=?1)"} +
                          seen.and_seen() + " ORDER BY s.run DESC LIMIT ?2");
  found.bind(stack).bind(static_cast<std::int64_t>(limits::scored_runs * judged_at.size()));
  std::vector<said_estimate> all;
  while (found.step()) {
    all.push_back(
        {static_cast<std::uint8_t>(found.number(0)), found.real(1), found.real(2), found.real(3)});
  }
  return score_of(all);
}

std::optional<changed_by> last_change(sqlite::database& in, names& texts, const visible_runs& seen,
                                      std::int64_t stack, std::int64_t addr) {
  std::optional<changed_by> newest;
  const auto done = texts.find("done");
  for (const char* action : {"create", "update", "delete"}) {
    const auto of = texts.find(action);
    if (!of || !done) continue;
    auto found = in.prepare(
        std::string{
            R"(SELECT o.started_at,r.run,r."commit",r.actor FROM operations o JOIN history_runs r)"
            " ON r.id=o.run WHERE o.addr=? AND o.stack=? AND o.action=? AND o.status=?"} +
        seen.and_seen() + " ORDER BY o.started_at DESC LIMIT 1");
    found.bind(addr).bind(stack).bind(*of).bind(*done);
    if (!found.step()) continue;
    const ui::time_point at = time_of(found.number(0));
    if (newest && newest->at >= at) continue;
    newest = changed_by{found.text(1), action, found.text(2), found.text(3), at};
  }
  return newest;
}

void find_address(sqlite::database& in, names& texts, const visible_runs& seen,
                  const report_query& query, gathering& gathered, std::size_t most) {
  const auto addr = texts.find(query.addr);
  const auto stack = query.stack.empty() ? std::nullopt : texts.find(query.stack);
  if (!addr || (!query.stack.empty() && !stack)) return;
  for (const auto& [of_stack, action] : groups_of(in, texts, seen, *addr, stack, most)) {
    auto found =
        in.prepare(std::string{"SELECT "} + columns + " FROM " +
                   seen.of("WHERE addr=? AND stack=? AND action=?", "started_at") + " LIMIT ?");
    found.bind(*addr).bind(of_stack).bind(action).bind(
        static_cast<std::int64_t>(limits::history_of_action));
    gathered.take(found);
    if (gathered.full()) return;
  }
}

}  // namespace

report find(sqlite::database& in, const report_query& query, const sqlite::row_filter& filter) {
  names texts{in};
  const visible_runs seen{in, filter};
  gathering gathered{in, texts};
  const std::size_t most = std::min(query.limit == 0 ? limits::history_entries : query.limit,
                                    limits::history_entries_most);
  const auto read = static_cast<std::int64_t>(limits::history_read);
  const auto newest = [&](const std::string& condition, const char* order = "started_at") {
    return in.prepare(std::string{"SELECT "} + columns + " FROM " + seen.of(condition, order) +
                      " LIMIT ?");
  };
  const auto asked = [&](const std::string& name) {
    return name.empty() ? std::nullopt : texts.find(name);
  };
  const auto stack = asked(query.stack), type = asked(query.type);
  report made;
  if (!query.addr.empty()) {
    find_address(in, texts, seen, query, gathered, most);
  } else if ((!query.stack.empty() && !stack) || (!query.type.empty() && !type)) {
    return made;
  } else if (!query.type.empty()) {
    // Of each action by itself, since the indexes have them in that order.
    for (const char* action : actions) {
      const auto of = texts.find(action);
      if (!of) continue;
      auto found =
          newest(stack ? "WHERE stack=? AND type=? AND action=?" : "WHERE type=? AND action=?");
      if (stack) found.bind(*stack);
      found.bind(*type).bind(*of).bind(read / static_cast<std::int64_t>(actions.size()));
      gathered.take(found);
    }
  } else if (!query.stack.empty()) {
    auto found = newest("WHERE stack=?");
    found.bind(*stack).bind(read);
    gathered.take(found);
  } else {
    auto found = newest("", "id");
    found.bind(read);
    gathered.take(found);
  }
  made.read = gathered.operations();
  if (query.addr.empty()) {
    if (query.type.empty()) made.score = score_in(in, seen, query.stack);
    made.types = gathered.types();
    made.refreshes = gathered.refreshes();
  }
  made.entries = gathered.entries();
  if (query.addr.empty()) {
    const auto rank = [](const entry& of) {
      return std::make_tuple(of.failed_of_newest() > 0, of.p50, of.newest.front().started_at);
    };
    std::stable_sort(made.entries.begin(), made.entries.end(),
                     [&](const entry& one, const entry& other) { return rank(one) > rank(other); });
  }
  if (made.entries.size() > most) {
    made.entries.resize(most);
    made.more = true;
  }
  if (query.addr.empty()) return made;
  const auto addr = texts.find(query.addr);
  for (entry& each : made.entries) {
    if (const auto of = texts.find(each.stack); of && addr)
      each.changed = last_change(in, texts, seen, *of, *addr);
  }
  return made;
}

std::vector<feed::address_usual> usual_of_stack(sqlite::database& in, const std::string& stack,
                                                std::size_t most,
                                                const sqlite::row_filter& filter) {
  names texts{in};
  const visible_runs seen{in, filter};
  gathering gathered{in, texts};
  const auto of = texts.find(stack);
  if (!of || stack.empty()) return {};
  auto found = in.prepare(std::string{"SELECT "} + columns + " FROM " +
                          seen.of("WHERE stack=?", "started_at") + " LIMIT ?");
  found.bind(*of).bind(static_cast<std::int64_t>(limits::history_of_stack));
  gathered.take(found);
  std::vector<entry> entries = gathered.entries();
  std::erase_if(entries, [](const entry& each) { return each.count == each.failed; });
  std::stable_sort(entries.begin(), entries.end(),
                   [](const entry& one, const entry& other) { return one.p50 > other.p50; });
  if (entries.size() > most) entries.resize(most);
  std::vector<feed::address_usual> told;
  for (entry& each : entries) {
    const std::size_t done = std::min<std::size_t>(each.count - each.failed, limits::usual_of);
    told.push_back({std::move(each.addr),
                    std::move(each.type),
                    std::move(each.action),
                    {each.p50, each.p80, done, rung::address, each.is_flaky()}});
  }
  return told;
}

}  // namespace tofud::history
