#include "daemon/journal/index.hpp"

#include "daemon/history/table.hpp"
#include "daemon/journal/errors.hpp"
#include "protocol/feed/limits.hpp"
#include "protocol/text/ascii.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <utility>
#include <variant>

namespace tofud::journal {
namespace {

namespace json = boost::json;
using sqlite::database;
using sqlite::transaction;

/// user_version of the file. A step from n to n+1 is what migrate() does at n.
constexpr int schema_version = 3;

constexpr const char* schema = R"(
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE runs(id TEXT PRIMARY KEY, stack TEXT NOT NULL, command TEXT NOT NULL,
  status TEXT NOT NULL, created_at INTEGER NOT NULL, started_at INTEGER, ended_at INTEGER,
  bytes INTEGER NOT NULL, events INTEGER NOT NULL, labels TEXT NOT NULL, view TEXT NOT NULL,
  search TEXT NOT NULL, granted TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE INDEX runs_by_time ON runs(created_at, id);
CREATE INDEX runs_by_stack ON runs(stack, created_at);
CREATE TABLE labels(run TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY(run, key)) WITHOUT ROWID;
CREATE INDEX labels_by_value ON labels(key, value, run);
)";

std::int64_t number_of(ui::time_point at) { return at.time_since_epoch().count(); }
ui::time_point time_of(std::int64_t number) {
  return ui::time_point{std::chrono::microseconds{number}};
}
std::optional<std::int64_t> number_of(std::optional<ui::time_point> at) {
  if (!at) return std::nullopt;
  return number_of(*at);
}

/// Parts are kept apart by what nobody types.
std::string search_text(const indexed_run& run) {
  std::string text = run.id + "\n" + run.stack + "\n" + run.command;
  for (const auto& label : run.labels) text += "\n" + label.key + "=" + label.value;
  return text::lower(std::move(text));
}

std::string labels_text(const std::vector<feed::label>& labels) {
  json::object object;
  for (const auto& label : labels) object[label.key] = label.value;
  return json::serialize(object);
}

std::vector<feed::label> parse_labels(const std::string& text) {
  std::vector<feed::label> labels;
  json::error_code failed;
  const auto value = json::parse(text, failed);
  if (failed || !value.is_object()) return labels;
  for (const auto& [key, each] : value.get_object())
    if (each.is_string()) labels.push_back({std::string{key}, std::string{each.get_string()}});
  return labels;
}

/// A place in the list of all runs: before or behind a run that may be gone.
struct place {
  std::int64_t created_at = 0;
  std::string id;
};

std::string to_text(const place& at) { return std::to_string(at.created_at) + ":" + at.id; }

std::optional<place> parse_place(std::string_view text) {
  place at;
  const auto* end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, at.created_at);
  if (failed != std::errc{} || stop == end || *stop != ':') return std::nullopt;
  at.id.assign(stop + 1, end);
  return at;
}

run_list bad_query(text::failure what) {
  run_list list;
  list.trouble = query_trouble::bad_query;
  list.failure = std::move(what);
  return list;
}

struct conditions {
  std::string sql = "1";
  /// For each ?, in order: a number written into the text would make a statement of its own.
  std::vector<std::variant<std::string, std::int64_t>> values;
  void add(const std::string& condition) { sql += " AND " + condition; }
  void add(const std::string& condition, std::string value) {
    add(condition);
    values.emplace_back(std::move(value));
  }
  void add(const conditions& more) {
    add(more.sql);
    values.insert(values.end(), more.values.begin(), more.values.end());
  }
};

/// One end of the runs that are asked for: a time, or the id of a run.
struct bound {
  const char* name;
  const std::string& at;
  const char *of_time, *of_run;  // how what is listed compares to it
};

/// False: it is neither.
bool add_bound(database& in, const bound& each, conditions& where) {
  if (each.at.empty()) return true;
  if (const auto time = ui::parse_timestamp(each.at)) {
    where.add(std::string{"created_at"} + each.of_time + "?");
    where.values.emplace_back(number_of(*time));
    return true;
  }
  auto run = in.prepare("SELECT created_at FROM runs WHERE id=? AND passes(stack,granted)");
  if (!run.bind(each.at).step()) return false;
  where.add(std::string{"(created_at,id)"} + each.of_run + "(?,?)");
  where.values.emplace_back(run.number(0));
  where.values.emplace_back(each.at);
  return true;
}

}  // namespace

index::index(std::string path, std::string made_by)
    : path_{std::move(path)}, made_by_{std::move(made_by)} {
  if (const auto failure = attempt([](database&) {}); !failure.empty())
    remarks_.push_back(failure.text());
}
index::~index() = default;

std::vector<std::string> index::remarks() { return std::exchange(remarks_, {}); }

/// Opens what is not open; what is damaged is put aside, and tried once more.
template <class Work>
text::failure index::attempt(Work work) {
  for (int tries = 0;; ++tries) {
    try {
      if (!open_) open();
      work(*open_);
      return {};
    } catch (const sqlite::failure& failure) {
      if (!failure.damaged() || tries > 0) return {error::index_failure, path_, failure.what()};
      put_aside(failure.what());
    }
  }
}

void index::open() {
  open_ = std::make_unique<database>(path_);
  try {
    open_->execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL");
    if (const auto found = open_->number("PRAGMA user_version"); found > schema_version)
      throw sqlite::failure{"is of version " + std::to_string(found) + ", newer than this tofud",
                            true};
    migrate();
  } catch (const sqlite::failure&) {
    open_.reset();
    throw;
  }
}

void index::migrate() {
  transaction all{*open_};
  const auto found = open_->number("PRAGMA user_version");
  if (found == 0) {
    open_->execute(schema);
    history::make_tables(*open_);
  }
  if (found == 1) history::take_over_history(*open_);
  if (found == 1 || found == 2)
    open_->execute("ALTER TABLE runs ADD COLUMN granted TEXT NOT NULL DEFAULT ''");
  history::add_tables(*open_);
  open_->execute("PRAGMA user_version=" + std::to_string(schema_version));
  auto before = open_->prepare("SELECT value FROM meta WHERE key='made_by'");
  if (!before.step() || before.text(0) != made_by_) {
    open_->execute("DELETE FROM runs; DELETE FROM labels");
    open_->prepare("INSERT OR REPLACE INTO meta VALUES('made_by', ?)").bind(made_by_).run();
  }
  all.commit();
}

void index::put_aside(const std::string& why) {
  open_.reset();
  std::rename(path_.c_str(), (path_ + ".damaged").c_str());
  for (const auto* beside : {"-wal", "-shm"}) std::remove((path_ + beside).c_str());
  remarks_.push_back(path_ + ": " + why + "; it was renamed to " + path_ +
                     ".damaged, and the index is being rebuilt");
}

text::failure index::put(const indexed_run& run) {
  return attempt([&](database& in) {
    transaction all{in};
    in.prepare("INSERT OR REPLACE INTO runs VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)")
        .bind(run.id)
        .bind(run.stack)
        .bind(run.command)
        .bind(run.status)
        .bind(number_of(run.created_at))
        .bind(number_of(run.started_at))
        .bind(number_of(run.ended_at))
        .bind(static_cast<std::int64_t>(run.bytes))
        .bind(static_cast<std::int64_t>(run.events))
        .bind(labels_text(run.labels))
        .bind(run.view)
        .bind(search_text(run))
        .bind(run.granted)
        .run();
    in.prepare("DELETE FROM labels WHERE run=?").bind(run.id).run();
    for (const auto& label : run.labels) {
      in.prepare("INSERT OR REPLACE INTO labels VALUES(?,?,?)")
          .bind(run.id)
          .bind(label.key)
          .bind(label.value)
          .run();
    }
    all.commit();
  });
}

text::failure index::forget(const std::string& run, history_of_run durations) {
  return attempt([&](database& in) {
    transaction all{in};
    in.prepare("DELETE FROM runs WHERE id=?").bind(run).run();
    in.prepare("DELETE FROM labels WHERE run=?").bind(run).run();
    if (durations == history_of_run::goes) history::forget(in, run);
    all.commit();
  });
}

std::vector<indexed_run> index::all() {
  std::vector<indexed_run> runs;
  attempt([&](database& in) {
    runs.clear();
    auto each = in.prepare(
        "SELECT id,stack,command,status,created_at,started_at,ended_at,bytes,events,labels,view"
        " FROM runs");
    while (each.step()) {
      indexed_run run;
      run.id = each.text(0);
      run.stack = each.text(1);
      run.command = each.text(2);
      run.status = each.text(3);
      run.created_at = time_of(each.number(4));
      if (!each.is_null(5)) run.started_at = time_of(each.number(5));
      if (!each.is_null(6)) run.ended_at = time_of(each.number(6));
      run.bytes = static_cast<std::uint64_t>(each.number(7));
      run.events = static_cast<std::uint64_t>(each.number(8));
      run.labels = parse_labels(each.text(9));
      run.view = each.text(10);
      runs.push_back(std::move(run));
    }
  });
  return runs;
}

namespace {

/// What all pages of a list have in common, and its counts.
conditions conditions_of(const run_query& query, bool is_filtered) {
  conditions where;
  for (const auto& label : query.labels) {
    where.add("id IN (SELECT run FROM labels WHERE key=? AND value=?)");
    where.values.emplace_back(label.key);
    where.values.emplace_back(label.value);
  }
  if (!query.stack.empty()) where.add("stack=?", query.stack);
  if (!query.text.empty()) where.add("instr(search,?)>0", text::lower(query.text));
  if (is_filtered) where.add("passes(stack,granted)");
  return where;
}

void add_statuses(conditions& where, const std::vector<std::string>& statuses) {
  if (statuses.empty()) return;
  std::string marks;
  for (const auto& status : statuses) {
    marks += marks.empty() ? "?" : ",?";
    where.values.emplace_back(status);
  }
  where.add("status IN (" + marks + ")");
}

void bind(sqlite::statement& to, const conditions& where) {
  for (const auto& value : where.values) {
    std::visit([&to](const auto& each) { to.bind(each); }, value);
  }
}

feed::status_counts count(database& in, const conditions& where) {
  feed::status_counts counts;
  auto found =
      in.prepare("SELECT status,COUNT(*) FROM runs WHERE " + where.sql + " GROUP BY status");
  bind(found, where);
  while (found.step()) counts[found.text(0)] = static_cast<std::uint64_t>(found.number(1));
  return counts;
}

}  // namespace

run_list index::list(const run_query& query, const sqlite::row_filter& seen) {
  const conditions of_all = conditions_of(query, seen != nullptr);
  conditions of_page;
  add_statuses(of_page, query.statuses);
  if (!query.cursor.empty()) {
    const auto at = parse_place(query.cursor);
    if (!at) return bad_query(error::bad_cursor);
    of_page.values.emplace_back(at->created_at);
    of_page.add("(created_at,id)<(?,?)", at->id);
  }
  run_list list;
  const auto failure = attempt([&](database& in) {
    list = {};
    in.filter_by(seen);
    auto where = of_all;  // it may be tried again
    for (const bound& each :
         {bound{"since", query.since, ">=", ">"}, bound{"until", query.until, "<", "<"}}) {
      if (add_bound(in, each, where)) continue;
      list = bad_query({error::bad_bound, each.name});
      return;
    }
    if (query.counted) list.counts = count(in, where);
    where.add(of_page);
    const auto most =
        query.limit == 0 ? limits::listed_views : std::min(query.limit, limits::listed_views);
    auto found = in.prepare("SELECT id,view,created_at FROM runs WHERE " + where.sql +
                            " ORDER BY created_at DESC,id DESC LIMIT ?");
    bind(found, where);
    found.bind(static_cast<std::int64_t>(most + 1));
    place last;
    while (found.step()) {
      if (list.runs.size() == most) {
        list.next = to_text(last);
        break;
      }
      last = {found.number(2), found.text(0)};
      list.runs.push_back({found.text(0), found.text(1)});
    }
  });
  if (failure.empty()) return list;
  list = {};
  list.trouble = query_trouble::disk;
  list.failure = failure;
  return list;
}

text::failure index::forget_history(const std::string& stream) {
  return attempt([&](database& in) {
    transaction all{in};
    history::forget(in, stream);
    all.commit();
  });
}

text::failure index::add_history(const std::string& stream, const history::remembered_run& run,
                                 std::span<const history::operation> operations) {
  return attempt([&](database& in) {
    transaction all{in};
    history::put(in, stream, run, operations);
    all.commit();
  });
}

text::result<history::report> index::find_history(const history::report_query& query,
                                                  const sqlite::row_filter& seen) {
  history::report found;
  if (auto failure = attempt([&](database& in) { found = history::find(in, query, seen); });
      !failure.empty())
    return failure;
  return found;
}

text::result<std::vector<feed::address_usual>> index::usual_of_stack(
    const std::string& stack, std::size_t most, const sqlite::row_filter& seen) {
  std::vector<feed::address_usual> found;
  if (auto failure =
          attempt([&](database& in) { found = history::usual_of_stack(in, stack, most, seen); });
      !failure.empty())
    return failure;
  return found;
}

text::result<std::vector<std::optional<history::usual>>> index::find_usual(
    std::span<const history::usual_query> queries) {
  std::vector<std::optional<history::usual>> found;
  if (auto failure = attempt([&](database& in) { found = history::find_usual(in, queries); });
      !failure.empty())
    return failure;
  return found;
}

text::failure index::begin_again(const std::set<std::string, std::less<>>& again) {
  return attempt([&](database& in) {
    transaction all{in};
    in.execute("DELETE FROM runs; DELETE FROM labels");
    for (const auto& run : again) history::forget(in, run);
    all.commit();
  });
}

text::failure index::trim_history(std::uint64_t most) {
  return attempt([&](database& in) {
    transaction all{in};
    history::trim(in, most);
    all.commit();
  });
}

}  // namespace tofud::journal
