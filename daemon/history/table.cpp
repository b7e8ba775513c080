#include "daemon/history/table.hpp"

#include "daemon/history/limits.hpp"
#include "protocol/history/limits.hpp"
#include "protocol/text/percentile.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace tofud::history {
namespace {

// Texts are stored once: an operation is a row of numbers, in five orders.
constexpr const char* tables = R"(
CREATE TABLE history_names(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE history_runs(id INTEGER PRIMARY KEY, under TEXT NOT NULL, run TEXT NOT NULL,
  stack TEXT NOT NULL, command TEXT NOT NULL, status TEXT NOT NULL, "commit" TEXT NOT NULL,
  actor TEXT NOT NULL, started_at INTEGER, granted TEXT NOT NULL DEFAULT '', UNIQUE(under, run));
CREATE TABLE operations(id INTEGER PRIMARY KEY, run INTEGER NOT NULL, stack INTEGER NOT NULL,
  addr INTEGER NOT NULL, type INTEGER NOT NULL, provider INTEGER NOT NULL,
  provider_version INTEGER NOT NULL, action INTEGER NOT NULL, phase INTEGER NOT NULL,
  status INTEGER NOT NULL, seconds REAL NOT NULL, started_at INTEGER NOT NULL);
CREATE INDEX operations_by_addr ON operations(addr, stack, action, started_at);
CREATE INDEX operations_by_stack ON operations(stack, started_at);
CREATE INDEX operations_by_stack_type ON operations(stack, type, action, started_at);
CREATE INDEX operations_by_type ON operations(type, action, started_at);
CREATE INDEX operations_by_run ON operations(run);
)";

// A number of the newest runs is judged: they are found by it.
constexpr const char* later_tables = R"(
CREATE INDEX IF NOT EXISTS granted_runs ON history_runs(id) WHERE granted<>'';
CREATE TABLE IF NOT EXISTS said_estimates(run INTEGER NOT NULL, at INTEGER NOT NULL,
  p50 REAL NOT NULL, p80 REAL NOT NULL, remained REAL NOT NULL, PRIMARY KEY(run, at)) WITHOUT ROWID;
)";

std::int64_t number_of(ui::time_point at) { return at.time_since_epoch().count(); }
ui::time_point time_of(std::int64_t number) {
  return ui::time_point{std::chrono::microseconds{number}};
}

/// Numbers of texts, remembered as long as this.
class names {
 public:
  explicit names(sqlite::database& in) : in_{in} {}

  /// Puts it, if it is not there.
  std::int64_t put(const std::string& name) {
    auto [at, added] = known_.try_emplace(name, 0);
    if (!added) return at->second;
    in_.prepare("INSERT OR IGNORE INTO history_names(name) VALUES(?)").bind(name).run();
    return at->second = find(name).value_or(0);
  }

  std::optional<std::int64_t> find(const std::string& name) {
    auto found = in_.prepare("SELECT id FROM history_names WHERE name=?");
    if (!found.bind(name).step()) return std::nullopt;
    return found.number(0);
  }

  /// Empty: there is none of that number.
  const std::string& text(std::int64_t id) {
    auto [at, added] = texts_.try_emplace(id);
    if (added) {
      auto found = in_.prepare("SELECT name FROM history_names WHERE id=?");
      if (found.bind(id).step()) at->second = found.text(0);
    }
    return at->second;
  }

 private:
  sqlite::database& in_;
  std::unordered_map<std::string, std::int64_t> known_;
  std::unordered_map<std::int64_t, std::string> texts_;
};

std::int64_t put_run(sqlite::database& in, const std::string& under, const remembered_run& run) {
  std::optional<std::int64_t> started;
  if (run.started_at) started = number_of(*run.started_at);
  in.prepare(R"(INSERT INTO history_runs(under,run,stack,command,status,"commit",actor,started_at,)"
             "granted) VALUES(?,?,?,?,?,?,?,?,?) ON CONFLICT(under,run) DO UPDATE SET "
             "stack=excluded.stack,command=excluded.command,status=excluded.status,"
             R"("commit"=excluded."commit",actor=excluded.actor,started_at=excluded.started_at,)"
             "granted=excluded.granted")
      .bind(under)
      .bind(run.id)
      .bind(run.stack)
      .bind(run.command)
      .bind(run.status)
      .bind(run.commit)
      .bind(run.actor)
      .bind(started)
      .bind(run.granted)
      .run();
  auto found = in.prepare("SELECT id FROM history_runs WHERE under=? AND run=?");
  return found.bind(under).bind(run.id).step() ? found.number(0) : 0;
}

}  // namespace

void make_tables(sqlite::database& in) {
  in.execute(tables);
  add_tables(in);
}

void add_tables(sqlite::database& in) {
  constexpr const char* columns =
      "SELECT count(*) FROM pragma_table_info('history_runs') WHERE name='granted'";
  if (in.number(columns) == 0)
    in.execute("ALTER TABLE history_runs ADD COLUMN granted TEXT NOT NULL DEFAULT ''");
  in.execute(later_tables);
}

void take_over_history(sqlite::database& in) {
  make_tables(in);
  in.execute(R"(
INSERT OR IGNORE INTO history_names(name)
  SELECT stack FROM history UNION SELECT addr FROM history UNION SELECT type FROM history UNION
  SELECT action FROM history UNION SELECT phase FROM history UNION SELECT status FROM history UNION
  SELECT '';
INSERT INTO history_runs(under,run,stack,command,status,"commit",actor)
  SELECT run,run,min(stack),'','','','' FROM history GROUP BY run;
INSERT INTO operations(run,stack,addr,type,provider,provider_version,action,phase,status,seconds,
    started_at)
  SELECT r.id,s.id,a.id,t.id,e.id,e.id,c.id,p.id,u.id,h.seconds,h.started_at FROM history h
    JOIN history_runs r ON r.under=h.run JOIN history_names s ON s.name=h.stack
    JOIN history_names a ON a.name=h.addr JOIN history_names t ON t.name=h.type
    JOIN history_names e ON e.name='' JOIN history_names c ON c.name=h.action
    JOIN history_names p ON p.name=h.phase JOIN history_names u ON u.name=h.status
    ORDER BY h.rowid;
DROP TABLE history;
)");
}

void put(sqlite::database& in, const std::string& under, const remembered_run& run,
         std::span<const operation> operations) {
  const std::int64_t of_run = put_run(in, under, run);
  for (const said_estimate& each : run.said) {
    in.prepare("INSERT OR REPLACE INTO said_estimates VALUES(?,?,?,?,?)")
        .bind(of_run)
        .bind(std::int64_t{each.at})
        .bind(each.p50)
        .bind(each.p80)
        .bind(each.left)
        .run();
  }
  names texts{in};
  const std::int64_t stack = texts.put(run.stack);
  for (const operation& each : operations) {
    in.prepare(
          "INSERT INTO operations(run,stack,addr,type,provider,provider_version,action,phase,"
          "status,seconds,started_at) VALUES(?,?,?,?,?,?,?,?,?,?,?)")
        .bind(of_run)
        .bind(stack)
        .bind(texts.put(each.addr))
        .bind(texts.put(each.type))
        .bind(texts.put(each.provider))
        .bind(texts.put(each.provider_version))
        .bind(texts.put(each.action))
        .bind(texts.put(each.phase))
        .bind(texts.put(each.status))
        .bind(each.seconds)
        .bind(number_of(each.started_at))
        .run();
  }
}

void forget(sqlite::database& in, const std::string& under) {
  in.prepare("DELETE FROM operations WHERE run IN (SELECT id FROM history_runs WHERE under=?)")
      .bind(under)
      .run();
  in.prepare("DELETE FROM said_estimates WHERE run IN (SELECT id FROM history_runs WHERE under=?)")
      .bind(under)
      .run();
  in.prepare("DELETE FROM history_runs WHERE under=?").bind(under).run();
}

bool knows(sqlite::database& in, const std::string& under) {
  return in.prepare("SELECT 1 FROM history_runs WHERE under=? LIMIT 1").bind(under).step();
}

void trim(sqlite::database& in, std::uint64_t most) {
  in.prepare("DELETE FROM operations WHERE id <= (SELECT max(id) FROM operations) - ?")
      .bind(static_cast<std::int64_t>(most))
      .run();
  // Looking for what nobody names reads all of it: only when there may be as much again.
  const std::int64_t kept = in.number("SELECT count(*) FROM operations");
  if (in.number("SELECT count(*) FROM history_names") > 2 * kept + 1000) {
    in.execute(
        "DELETE FROM history_names WHERE id NOT IN (SELECT stack FROM operations UNION"
        " SELECT addr FROM operations UNION SELECT type FROM operations UNION"
        " SELECT provider FROM operations UNION SELECT provider_version FROM operations UNION"
        " SELECT action FROM operations UNION SELECT phase FROM operations UNION"
        " SELECT status FROM operations)");
  }
  if (in.number("SELECT count(*) FROM history_runs") > kept + 1000) {
    in.execute(
        "DELETE FROM history_runs WHERE id NOT IN (SELECT run FROM operations);"
        "DELETE FROM said_estimates WHERE run NOT IN (SELECT id FROM history_runs)");
  }
}

// ---- what is usual ----------------------------------------------------------------------------

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
  names texts{in};
  ladder rungs{in, texts};
  std::vector<std::optional<usual>> found;
  found.reserve(queries.size());
  for (const usual_query& each : queries) found.push_back(rungs.climb(each));
  return found;
}

// ---- questions --------------------------------------------------------------------------------

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
    const std::string all = "operations " + condition + " ORDER BY " + order + " DESC";
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
