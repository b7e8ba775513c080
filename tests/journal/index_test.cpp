#include "daemon/journal/index.hpp"

#include "tests/journal/opened_store.hpp"

#include <gtest/gtest.h>

namespace tofud::journal {
namespace {

indexed_run listed(const std::string& id, int second, const std::string& status = "succeeded") {
  indexed_run run;
  run.id = id;
  run.stack = "github.com/acme/infra//net/Prod@default";
  run.command = "apply";
  run.status = status;
  run.created_at = at_second(second);
  run.bytes = 8;
  run.labels = {{"branch", "main"}, {"pr", id}};
  run.view = "{\"id\":\"" + id + "\"}";
  return run;
}

std::string ids(const run_list& list) {
  std::string all;
  for (const auto& run : list.runs) all += (all.empty() ? "" : " ") + run.id;
  return all;
}

history::remembered_run run_of(const std::string& id) {
  history::remembered_run made;
  made.id = id;
  made.stack = "net";
  return made;
}

class Index : public testing::Test {  // NOLINT(readability-identifier-naming): shown as printed
 protected:
  std::string asked(const std::function<void(run_query&)>& with) {
    run_query query;
    with(query);
    const auto list = index_.list(query);
    return list.failure.empty() ? ids(list) : list.failure.text();
  }

  std::string add(const std::string& run, const std::vector<history::operation>& operations) {
    return index_.add_history(run, run_of(run), operations).text();
  }

  scratch_root root_;
  index index_{root_ / "index.sqlite", "1"};
};

TEST_F(Index, ListsTheNewestFirstAndTheirViewsAsTheyWerePut) {
  EXPECT_EQ(index_.put(listed("b", 2)).text(), "");
  EXPECT_EQ(index_.put(listed("a", 1)).text(), "");
  EXPECT_EQ(index_.put(listed("c", 2)).text(), "");
  const auto list = index_.list({});
  EXPECT_EQ(ids(list), "c b a");
  EXPECT_EQ(list.runs[0].view, "{\"id\":\"c\"}");
  EXPECT_EQ(list.next, "");
}

TEST_F(Index, FiltersByStatusLabelsStackAndText) {
  index_.put(listed("a", 1));
  index_.put(listed("b", 2, "failed"));
  index_.put(listed("c", 3, "lost"));
  EXPECT_EQ(asked([](run_query& q) { q.statuses = {"failed", "lost"}; }), "c b");
  EXPECT_EQ(asked([](run_query& q) { q.labels = {{"branch", "main"}, {"pr", "b"}}; }), "b");
  EXPECT_EQ(asked([](run_query& q) { q.labels = {{"branch", "mai"}}; }), "");
  EXPECT_EQ(asked([](run_query& q) { q.stack = "github.com/acme/infra//net/Prod@default"; }),
            "c b a");
  EXPECT_EQ(asked([](run_query& q) { q.text = "net/PROD"; }), "c b a");
  EXPECT_EQ(asked([](run_query& q) { q.text = "PR=b"; }), "b");
  EXPECT_EQ(asked([](run_query& q) { q.text = "100%"; }), "");
}

TEST_F(Index, CountsByStatusWhatIsAskedForOnAnyPageAndInAnyStatus) {
  index_.put(listed("a", 1));
  index_.put(listed("b", 2, "failed"));
  index_.put(listed("c", 3, "failed"));
  index_.put(listed("d", 4, "lost"));
  run_query query;
  EXPECT_TRUE(index_.list(query).counts.empty());
  query.counted = true;
  query.statuses = {"failed"};
  query.limit = 1;
  const auto first = index_.list(query);
  const feed::status_counts all{{"failed", 2}, {"lost", 1}, {"succeeded", 1}};
  EXPECT_EQ(first.counts, all);
  query.cursor = first.next;
  EXPECT_EQ(index_.list(query).counts, all);
  query.labels = {{"pr", "b"}};
  EXPECT_EQ(index_.list(query).counts, (feed::status_counts{{"failed", 1}}));
  query.labels.clear();
  query.since = "b";
  EXPECT_EQ(index_.list(query).counts, (feed::status_counts{{"failed", 1}, {"lost", 1}}));
}

TEST_F(Index, PagesMissNothingWhenRunsComeAndGoMeanwhile) {
  for (const auto* id : {"a", "b", "c", "d"}) index_.put(listed(id, 1));
  run_query query;
  query.limit = 2;
  const auto first = index_.list(query);
  EXPECT_EQ(ids(first), "d c");
  index_.put(listed("e", 2));
  index_.forget("c", history_of_run::stays);
  query.cursor = first.next;
  const auto second = index_.list(query);
  EXPECT_EQ(ids(second), "b a");
  EXPECT_EQ(second.next, "");
}

TEST_F(Index, SinceIsATimeOrARun) {
  for (const auto* id : {"a", "b", "c"}) index_.put(listed(id, 1));
  index_.put(listed("d", 2));
  EXPECT_EQ(asked([](run_query& q) { q.since = "2026-11-21T03:12:02Z"; }), "d");
  EXPECT_EQ(asked([](run_query& q) { q.since = "b"; }), "d c");
  EXPECT_EQ(asked([](run_query& q) {
              q.since = "b";
              q.statuses = {"succeeded"};
              q.text = "acme";
            }),
            "d c");
  EXPECT_EQ(asked([](run_query& q) { q.since = "yesterday"; }),
            "since is neither a time such as 2026-11-21T03:12:00Z nor a run");
  EXPECT_EQ(asked([](run_query& q) { q.cursor = "x"; }), "cursor does not belong to this list");
}

TEST_F(Index, UntilIsATimeOrARunAndGoesWithSince) {
  for (const auto* id : {"a", "b", "c"}) index_.put(listed(id, 1));
  index_.put(listed("d", 2));
  EXPECT_EQ(asked([](run_query& q) { q.until = "2026-11-21T03:12:02Z"; }), "c b a");
  EXPECT_EQ(asked([](run_query& q) { q.until = "c"; }), "b a");
  EXPECT_EQ(asked([](run_query& q) {
              q.since = "a";
              q.until = "d";
              q.stack = "github.com/acme/infra//net/Prod@default";
            }),
            "c b");
  EXPECT_EQ(asked([](run_query& q) {
              q.until = "d";
              q.stack = "github.com/acme/infra//net/Prod";
            }),
            "");
  EXPECT_EQ(asked([](run_query& q) { q.until = "2026-11-21"; }),
            "until is neither a time such as 2026-11-21T03:12:00Z nor a run");
}

TEST_F(Index, ARunThatIsPutAgainTakesItsOwnPlace) {
  index_.put(listed("a", 1, "running"));
  auto again = listed("a", 1);
  again.labels = {{"branch", "fix"}};
  index_.put(again);
  EXPECT_EQ(asked([](run_query& q) { q.statuses = {"running"}; }), "");
  EXPECT_EQ(asked([](run_query& q) { q.labels = {{"branch", "main"}}; }), "");
  EXPECT_EQ(asked([](run_query& q) { q.labels = {{"branch", "fix"}}; }), "a");
}

history::operation created(const std::string& addr, double seconds, int second) {
  return {addr, "aws_vpc", "", "", "create", "apply", "done", seconds, at_second(second)};
}

std::uint64_t remembered(index& in, const std::string& addr) {
  history::report_query query;
  query.addr = addr;
  return in.find_history(query)->read;
}

TEST_F(Index, WhatIsUsualOfAnAddressComesFromItsOperations) {
  EXPECT_EQ(add("r1", {created("aws_vpc.a", 3, 1), created("aws_vpc.b", 5, 2)}), "");
  EXPECT_EQ(add("r2", {created("aws_vpc.a", 4, 3)}), "");
  const std::vector<history::usual_query> queries{{"net", "aws_vpc.a", "aws_vpc", "create"},
                                                  {"net", "aws_vpc.a", "aws_vpc", "delete"}};
  const auto found = index_.find_usual(queries);
  ASSERT_TRUE(found);
  ASSERT_TRUE(found->at(0));
  EXPECT_EQ(found->at(0)->count, 3U);
  EXPECT_FALSE(found->at(1));
}

TEST_F(Index, OldHistoryGoesWhenThereIsTooMuch) {
  add("r1", {created("aws_vpc.a", 1, 1)});
  add("r2", {created("aws_vpc.a", 2, 2), created("aws_vpc.a", 3, 3)});
  EXPECT_EQ(index_.trim_history(2).text(), "");
  EXPECT_EQ(remembered(index_, "aws_vpc.a"), 2U);
}

TEST(IndexFile, IsThereAfterARestartUnlessOtherCodeMadeTheViews) {
  const scratch_root root;
  const std::string path = root / "index.sqlite";
  {
    index first{path, "1"};
    first.put(listed("a", 1));
    const std::vector<history::operation> operations{created("aws_vpc.a", 3, 1)};
    first.add_history("a", run_of("a"), operations);
  }
  {
    index same{path, "1"};
    const auto all = same.all();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].view, listed("a", 1).view);
    EXPECT_EQ(all[0].created_at, at_second(1));
    EXPECT_FALSE(all[0].ended_at);
    EXPECT_EQ(all[0].labels.size(), 2U);
  }
  index other{path, "2"};
  EXPECT_TRUE(other.all().empty());
  EXPECT_EQ(remembered(other, "aws_vpc.a"), 1U);
}

TEST(IndexFile, OfTheVersionBeforeKeepsItsHistory) {
  const scratch_root root;
  const std::string path = root / "index.sqlite";
  {
    sqlite::database before{path};
    before.execute(R"(
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE runs(id TEXT PRIMARY KEY, stack TEXT NOT NULL, command TEXT NOT NULL,
  status TEXT NOT NULL, created_at INTEGER NOT NULL, started_at INTEGER, ended_at INTEGER,
  bytes INTEGER NOT NULL, events INTEGER NOT NULL, labels TEXT NOT NULL, view TEXT NOT NULL,
  search TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE labels(run TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY(run, key)) WITHOUT ROWID;
CREATE TABLE history(run TEXT NOT NULL, stack TEXT NOT NULL, addr TEXT NOT NULL,
  type TEXT NOT NULL, action TEXT NOT NULL, phase TEXT NOT NULL, status TEXT NOT NULL,
  seconds REAL NOT NULL, started_at INTEGER NOT NULL);
INSERT INTO history VALUES('old', 'net', 'a.b', 'a', 'create', 'apply', 'done', 2.5, 7000000);
INSERT INTO history VALUES('old', 'net', 'a.b', 'a', 'create', 'apply', 'failed', 9, 8000000);
PRAGMA user_version=1;
)");
  }
  index now{path, "1"};
  EXPECT_TRUE(now.remarks().empty());
  history::report_query query;
  query.addr = "a.b";
  const auto found = now.find_history(query);
  ASSERT_EQ(found->entries.size(), 1U);
  EXPECT_EQ(found->entries[0].stack, "net");
  EXPECT_EQ(found->entries[0].failed, 1U);
  EXPECT_EQ(found->entries[0].p50, 2.5);
  EXPECT_EQ(found->entries[0].newest.at(0).run, "old");
  EXPECT_EQ(now.forget_history("old").text(), "");
  EXPECT_EQ(remembered(now, "a.b"), 0U);
}

TEST(IndexFile, OneThatIsNoDatabaseIsPutAsideAndLogged) {
  const scratch_root root;
  const std::string path = root / "index.sqlite";
  put_text(path, std::string(8192, 'x'));
  index made{path, "1"};
  const auto remarks = made.remarks();
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks[0], path + ": file is not a database; it was renamed to " + path +
                            ".damaged, and the index is being rebuilt");
  EXPECT_EQ(made.put(listed("a", 1)).text(), "");
  EXPECT_EQ(ids(made.list({})), "a");
  EXPECT_EQ(text_of(path + ".damaged"), std::string(8192, 'x'));
}

TEST(IndexFile, OneOfANewerTofudIsPutAside) {
  const scratch_root root;
  const std::string path = root / "index.sqlite";
  sqlite::database{path}.execute("PRAGMA user_version=99");
  index made{path, "1"};
  ASSERT_EQ(made.remarks().size(), 1U);
  EXPECT_EQ(made.put(listed("a", 1)).text(), "");
}

TEST(IndexFile, OneThatBreaksWhileItIsUsedIsPutAside) {
  const scratch_root root;
  const std::string path = root / "index.sqlite";
  {
    index before{path, "1"};
    for (int i = 0; i < 100; ++i) before.put(listed("run-" + std::to_string(i), i));
  }
  auto bytes = text_of(path);
  std::fill(bytes.begin() + 4096, bytes.end(), '\x7f');
  put_text(path, bytes);
  index made{path, "1"};
  made.list({});
  EXPECT_EQ(made.remarks().size(), 1U);
  EXPECT_EQ(made.put(listed("a", 1)).text(), "");
  EXPECT_EQ(ids(made.list({})), "a");
}

TEST_F(Index, ListsCountsAndEdgesAreOfRunsThatMayBeSeen) {
  for (const auto* id : {"a", "b", "c", "d", "e"}) {
    auto run = listed(id, id[0] - 'a' + 1, id[0] == 'b' ? "failed" : "succeeded");
    run.stack = id[0] % 2 == 0 ? "pay" : "net";  // b and d are pay
    run.granted = id[0] == 'e' ? "team=x\n" : "";
    index_.put(run);
  }
  const sqlite::row_filter seen = [](std::string_view stack, std::string_view granted) {
    return stack == "net" && granted.empty();
  };
  run_query query;
  query.counted = true;
  query.limit = 1;
  const auto first = index_.list(query, seen);
  EXPECT_EQ(ids(first), "c");
  EXPECT_EQ(first.counts, (feed::status_counts{{"succeeded", 2}}));
  query.cursor = first.next;
  const auto second = index_.list(query, seen);
  EXPECT_EQ(ids(second), "a");
  EXPECT_EQ(second.next, "");
  run_query edges;
  edges.since = "a";
  EXPECT_EQ(ids(index_.list(edges, seen)), "c");
  edges.since = "b";
  const auto hidden = index_.list(edges, seen);
  edges.since = "nosuch";
  EXPECT_EQ(hidden.failure.text(), index_.list(edges, seen).failure.text());
  EXPECT_FALSE(hidden.failure.text().empty());
  edges.since = "b";
  EXPECT_EQ(ids(index_.list(edges)), "e d c");
}

}  // namespace
}  // namespace tofud::journal
