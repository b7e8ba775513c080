#include "daemon/history/table.hpp"

#include "daemon/history/limits.hpp"
#include "daemon/history/names.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

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

/// Of so many operations: SQLite opens the table and its indexes for each statement. One that may
/// have to be undone alone would have its pages written elsewhere first.
std::string insertion_of(std::size_t operations) {
  std::string sql =
      "INSERT OR ROLLBACK INTO "
      "operations(run,stack,addr,type,provider,provider_version,action,phase,"
      "status,seconds,started_at) VALUES";
  for (std::size_t i = 0; i < operations; ++i)
    sql += i == 0 ? "(?,?,?,?,?,?,?,?,?,?,?)" : ",(?,?,?,?,?,?,?,?,?,?,?)";
  return sql;
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
  while (!operations.empty()) {
    const auto some = operations.first(std::min(operations.size(), limits::inserted_at_once));
    // What they are called is stored before the statement is begun that stores them.
    std::vector<std::array<std::int64_t, 7>> numbers;
    for (const operation& each : some)
      numbers.push_back({texts.put(each.addr), texts.put(each.type), texts.put(each.provider),
                         texts.put(each.provider_version), texts.put(each.action),
                         texts.put(each.phase), texts.put(each.status)});
    auto inserting = in.prepare(insertion_of(some.size()));
    for (std::size_t i = 0; i < some.size(); ++i) {
      inserting.bind(of_run).bind(stack);
      for (const std::int64_t each : numbers[i]) inserting.bind(each);
      inserting.bind(some[i].seconds).bind(number_of(some[i].started_at));
    }
    inserting.run();
    operations = operations.subspan(some.size());
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

}  // namespace tofud::history
