#include "daemon/notify/outbox.hpp"

#include "daemon/notify/errors.hpp"
#include "daemon/notify/limits.hpp"
#include "daemon/notify/outbox_change.hpp"

#include <algorithm>
#include <utility>

namespace tofud::notify {
namespace {

constexpr const char* schema = R"(
PRAGMA journal_mode=WAL;
PRAGMA synchronous=FULL;
CREATE TABLE IF NOT EXISTS messages(
  id TEXT PRIMARY KEY, rule TEXT NOT NULL, report TEXT NOT NULL, state TEXT NOT NULL,
  created_at INTEGER NOT NULL, due_at INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0,
  last TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS due_messages ON messages(rule, due_at) WHERE state='waiting';
CREATE INDEX IF NOT EXISTS messages_by_age ON messages(created_at);
CREATE TABLE IF NOT EXISTS happened(
  run TEXT NOT NULL, what TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY(run, what)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS failing(
  stack TEXT NOT NULL, command TEXT NOT NULL, run TEXT NOT NULL, PRIMARY KEY(stack, command)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS since(at INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS applied(number INTEGER NOT NULL);
)";

std::int64_t seconds(time at) { return at.time_since_epoch().count(); }

time as_time(std::int64_t at) { return time{std::chrono::seconds{at}}; }

}  // namespace

outbox::outbox(const std::string& path, time now) : database_{path} {
  database_.execute(schema);
  if (database_.number("SELECT count(*) FROM since") == 0)
    database_.prepare("INSERT INTO since VALUES(?)").bind(seconds(now)).run();
}

text::result<std::unique_ptr<outbox>> outbox::open(const std::string& path, time now) {
  try {
    return std::make_unique<outbox>(path, now);
  } catch (const sqlite::failure& failed) {
    return text::failure{error::not_opened, failed.what()};
  }
}

/// False: it was taken before, or is no news.
bool outbox::take_once(const happening& what, time now) {
  const auto happened = std::chrono::floor<std::chrono::seconds>(what.of.at);
  if (seconds(happened) < database_.number("SELECT at FROM since") ||
      now - happened > limits::told_news)
    return false;
  database_.prepare("INSERT OR IGNORE INTO happened VALUES(?,?,?)")
      .bind(what.of.run)
      .bind(what.is_end ? std::string_view{"end"} : name(what.of.what))
      .bind(seconds(now))
      .run();
  return database_.number("SELECT changes()") > 0;
}

void outbox::take(const happening& what, const std::vector<rule>& rules, time now) {
  sqlite::transaction all{database_};
  take_in(what, rules, now);
  all.commit();
}

void outbox::take_in(const happening& what, const std::vector<rule>& rules, time now) {
  if (!take_once(what, now)) return;
  std::string failed_run;
  if (what.is_end) {
    auto found = database_.prepare("SELECT run FROM failing WHERE stack=? AND command=?");
    found.bind(what.of.stack).bind(what.of.command);
    if (found.step()) failed_run = found.text(0);
  }
  if (what.is_end && what.of.what == occasion::failed) {
    database_.prepare("INSERT OR REPLACE INTO failing VALUES(?,?,?)")
        .bind(what.of.stack)
        .bind(what.of.command)
        .bind(what.of.run)
        .run();
  } else if (what.is_end) {
    database_.prepare("DELETE FROM failing WHERE stack=? AND command=?")
        .bind(what.of.stack)
        .bind(what.of.command)
        .run();
  }
  const bool is_no_news = what.is_end && what.of.what == occasion::recovered && failed_run.empty();
  for (const rule& each : rules) {
    if (is_no_news || !wants(each, what.of)) continue;
    report of = what.of;
    of.id = report_id(of.run, of.what, each.name);
    if (of.what == occasion::recovered)
      of.resolves = report_id(failed_run, occasion::failed, each.name);
    insert(each.name, of, now, due_of_next(each.name, now));
  }
}

std::uint64_t outbox::applied() {
  return static_cast<std::uint64_t>(
      database_.number("SELECT coalesce(max(number),0) FROM applied"));
}

void outbox::forget_applied() { database_.execute("DELETE FROM applied"); }

void outbox::apply(std::string_view change, const std::vector<rule>& rules, std::uint64_t number,
                   time at) {
  if (number <= applied()) return;
  sqlite::transaction all{database_};
  if (const auto read = parse_outbox_change(change)) {
    switch (read->how) {
      case outbox_change::kind::took:
        take_in(read->what, rules, at);
        break;
      case outbox_change::kind::merged:
        merge(read->rule, read->what.of, read->ids, at);
        break;
      case outbox_change::kind::delivered:
        for (const std::string& id : read->ids) delivered(id, at);
        break;
    }
  }
  database_.execute("DELETE FROM applied");
  database_.prepare("INSERT INTO applied VALUES(?)").bind(static_cast<std::int64_t>(number)).run();
  all.commit();
}

std::vector<std::string> outbox::without_end(const std::vector<std::string>& runs) {
  std::vector<std::string> all;
  for (const std::string& run : runs) {
    auto found = database_.prepare("SELECT 1 FROM happened WHERE run=? AND what='end'");
    found.bind(run);
    if (!found.step()) all.push_back(run);
  }
  return all;
}

/// Again, too: it is there once.
void outbox::merge(const std::string& rule, const report& into, const std::vector<std::string>& ids,
                   time now) {
  for (const std::string& id : ids) {
    database_.prepare("UPDATE messages SET state='merged', last=? WHERE id=? AND state='waiting'")
        .bind(into.id)
        .bind(id)
        .run();
  }
  insert(rule, into, now, now);
}

void outbox::insert(const std::string& rule, const report& of, time created, time due) {
  database_
      .prepare(
          "INSERT OR IGNORE INTO messages(id,rule,report,state,created_at,due_at) "
          "VALUES(?,?,?,'waiting',?,?)")
      .bind(of.id)
      .bind(rule)
      .bind(to_json(of))
      .bind(seconds(created))
      .bind(seconds(due))
      .run();
}

/// At once; or, from the fifth within two minutes on, when these are over, together with what comes
/// until then.
time outbox::due_of_next(const std::string& rule, time now) {
  auto found = database_.prepare(
      "SELECT count(*), min(created_at) FROM messages WHERE rule=? AND created_at>?");
  found.bind(rule).bind(seconds(now - limits::told_burst));
  if (!found.step()) return now;
  const bool is_burst = found.number(0) + 1 >= static_cast<std::int64_t>(limits::told_burst_from);
  return is_burst ? as_time(found.number(1)) + limits::told_burst : now;
}

std::vector<message> outbox::read(sqlite::statement& found) {
  std::vector<message> all;
  while (found.step()) {
    auto of = parse_report(found.text(1));
    if (of) {
      all.push_back({found.text(0), std::move(*of), static_cast<unsigned>(found.number(2)),
                     as_time(found.number(3))});
    }
  }
  return all;
}

std::vector<message> outbox::due(const std::vector<rule>& rules, const std::set<std::string>& busy,
                                 std::size_t most, time now) {
  std::vector<message> all;
  for (const rule& each : rules) {
    if (all.size() == most) break;
    if (busy.contains(each.name)) continue;
    std::vector<message> of_rule;
    {
      auto found = database_.prepare(
          "SELECT rule,report,tries,created_at FROM messages WHERE state='waiting' AND rule=? AND "
          "due_at<=? ORDER BY due_at, created_at, id LIMIT 1000");
      found.bind(each.name).bind(seconds(now));
      of_rule = read(found);
    }
    if (of_rule.empty()) continue;
    if (of_rule.size() < limits::told_burst_from || of_rule.front().tries > 0) {
      all.push_back(std::move(of_rule.front()));
      continue;
    }
    std::vector<report> told;
    told.reserve(of_rule.size());
    for (const message& one : of_rule) told.push_back(one.of);
    message burst{each.name, burst_of(told, each.name), 0, now};
    for (const report& one : told) burst.merged.push_back(one.id);
    sqlite::transaction merging{database_};
    merge(each.name, burst.of, burst.merged, now);
    merging.commit();
    all.push_back(std::move(burst));
  }
  return all;
}

void outbox::delivered(const std::string& id, time now) {
  database_.prepare("UPDATE messages SET state='delivered', due_at=? WHERE id=?")
      .bind(seconds(now))
      .bind(id)
      .run();
}

void outbox::failed(const std::string& id, std::string_view why, time again, time now) {
  sqlite::transaction all{database_};
  database_.prepare("UPDATE messages SET tries=tries+1, last=?, due_at=? WHERE id=?")
      .bind(why)
      .bind(seconds(again))
      .bind(id)
      .run();
  // Nobody is there for the others either.
  database_
      .prepare(
          "UPDATE messages SET due_at=? WHERE state='waiting' AND due_at<? AND rule=(SELECT "
          "rule FROM messages WHERE id=?)")
      .bind(seconds(again))
      .bind(seconds(again))
      .bind(id)
      .run();
  database_
      .prepare(
          "UPDATE messages SET state='given up' WHERE state='waiting' AND id=? AND created_at<=?")
      .bind(id)
      .bind(seconds(now - limits::told_given_up))
      .run();
  all.commit();
}

void outbox::give_up(const std::string& rule, std::string_view why, time now) {
  database_
      .prepare(
          "UPDATE messages SET state='given up', last=?, due_at=? WHERE state='waiting' AND rule=?")
      .bind(why)
      .bind(seconds(now))
      .bind(rule)
      .run();
}

std::vector<listed_message> outbox::list(std::size_t most) {
  auto found = database_.prepare(
      "SELECT id,rule,report,state,tries,created_at,due_at,last FROM messages WHERE state IN "
      "('waiting','given up') ORDER BY created_at, id LIMIT ?");
  found.bind(static_cast<std::int64_t>(most));
  std::vector<listed_message> all;
  while (found.step()) {
    const auto of = parse_report(found.text(2));
    all.push_back({found.text(0), found.text(1), of ? headline(*of) : "",
                   found.text(3) == "given up", static_cast<unsigned>(found.number(4)),
                   as_time(found.number(5)), as_time(found.number(6)), found.text(7)});
  }
  return all;
}

std::size_t outbox::retry(const std::string& id, time now) {
  database_
      .prepare(
          "UPDATE messages SET state='waiting', due_at=?, tries=0, created_at=? WHERE state IN "
          "('waiting','given up') AND (?='' OR id=?)")
      .bind(seconds(now))
      .bind(seconds(now))
      .bind(id)
      .bind(id)
      .run();
  return static_cast<std::size_t>(database_.number("SELECT changes()"));
}

outbox::counts outbox::count() {
  return {database_.number("SELECT count(*) FROM messages WHERE state='waiting'"),
          database_.number("SELECT count(*) FROM messages WHERE state='given up'")};
}

void outbox::tidy(time now) {
  database_.prepare("DELETE FROM messages WHERE state<>'waiting' AND created_at<?")
      .bind(seconds(now - limits::outbox_kept))
      .run();
  database_.prepare("DELETE FROM happened WHERE at<?")
      .bind(seconds(now - limits::outbox_kept))
      .run();
  database_
      .prepare(
          "UPDATE messages SET state='given up', last='there were too many' WHERE id IN (SELECT "
          "id FROM messages WHERE state='waiting' ORDER BY created_at DESC LIMIT -1 OFFSET ?)")
      .bind(static_cast<std::int64_t>(limits::outbox_messages))
      .run();
}

}  // namespace tofud::notify
