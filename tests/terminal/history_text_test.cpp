#include "daemon/terminal/history_text.hpp"

#include "daemon/terminal/cells.hpp"

#include <gtest/gtest.h>

namespace tofud::terminal {
namespace {

using history::entry;
using texts = std::vector<std::string>;

const ui::time_point now = ui::parse_timestamp("2026-11-21T12:00:00Z").value();

entry some(const std::string& addr, double p50, std::uint64_t count, std::size_t failed = 0) {
  entry made;
  made.stack = "net";
  made.addr = addr;
  made.type = "aws_db";
  made.action = "create";
  made.count = count;
  made.failed = failed;
  made.p50 = p50;
  made.p80 = 2 * p50;
  made.first_at = now - std::chrono::hours{72};
  for (std::size_t i = 0; i < count; ++i) {
    made.newest.push_back({"r" + std::to_string(i), i < failed ? "failed" : "done", p50,
                           now - std::chrono::hours{i + 1}});
  }
  return made;
}

TEST(AddressHistory, IsAParagraphForEachStack) {
  history::report found;
  found.entries = {some("aws_db.main", 362, 12, 3), some("aws_db.main", 31, 1)};
  found.entries[0].changed = history::changed_by{"r9", "create", "9f3c", "ada", now};
  found.entries[0].provider = "example.com/corp/aws";
  found.entries[0].provider_version = "5.1.0";
  found.entries[1].stack = "other";
  EXPECT_EQ(
      address_history(found, now, {}),
      (texts{"aws_db.main  net",
             "  create  12 times: usually 6m02s, 4 of 5 within 12m04s · last failed 1h ago · "
             "failed 3 of the last 5",
             "  first seen 3d ago",
             "  last changed just now (create) by run r9, which claimed commit 9f3c, actor ada",
             "  provider corp/aws 5.1.0", "", "aws_db.main  other",
             "  create  once: took 31s · last done 1h ago", "  first seen 3d ago"}));
}

TEST(AddressHistory, OfWhatWasNeverDoneHasNoTime) {
  history::report found;
  found.entries = {some("aws_db.main", 5, 2, 2)};
  const auto lines = address_history(found, now, {});
  EXPECT_EQ(lines[1],
            "  create  2 times: never done · last failed 1h ago · failed 2 of the last 2");
}

TEST(HistoryTable, FitsTheTerminal) {
  history::report found;
  found.entries = {some("module.database[\"primary\"].aws_db_instance.main", 362, 4),
                   some("module.network.aws_vpc.main", 3, 2)};
  found.types = {{"aws_db_instance", "create", 4, 362, 400, 1448}};
  found.refreshes = {{"module.network.aws_vpc.main", "refresh", 9, 1, 2, 9}};
  for (const std::size_t width : {60U, 80U, 120U}) {
    for (const std::string& line : history_table(found, now, 20, width, {}))
      EXPECT_LE(cells(line), width) << line;
  }
  const auto wide = history_table(found, now, 20, 0, {});
  EXPECT_NE(wide[1].find("module.database[\"primary\"].aws_db_instance.main  create"),
            std::string::npos)
      << wide[1];
  EXPECT_EQ(history_table(found, now, 1, 0, {}).size(), wide.size() - 1);
}

TEST(HistoryTable, CleansWhatComesFromOutside) {
  history::report found;
  found.entries = {some("a.b\x1b[31m\n", 1, 1)};
  for (const std::string& line : history_table(found, now, 20, 80, {}))
    EXPECT_EQ(line.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace tofud::terminal
