#include "daemon/history/machine_history.hpp"

#include "protocol/history/answer.hpp"
#include "tests/scratch_directory.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <vector>

namespace tofud::history {
namespace {

using tests::scratch_directory;

std::vector<run_operations> run_of(const std::string& id, int operations) {
  run_operations did;
  did.run.id = id;
  did.run.stack = "net";
  for (int i = 0; i < operations; ++i) {
    operation each;
    each.addr = "a.x" + std::to_string(i);
    each.type = "a";
    each.action = "create";
    each.phase = "apply";
    each.status = i % 7 == 6 ? "failed" : "done";
    each.seconds = i;
    each.started_at = ui::time_point{std::chrono::seconds{i}};
    did.operations.push_back(std::move(each));
  }
  return {did};
}

TEST(MachineHistory, IsNotMadeByWhoOnlyAsks) {
  const scratch_directory directory;
  const auto there = machine_history::open_existing(directory.path());
  ASSERT_TRUE(there);
  EXPECT_FALSE(*there);
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(MachineHistory, TakesTheSameStreamOnce) {
  const scratch_directory directory;
  auto opened = machine_history::open(directory.path());
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->put("r1", run_of("r1", 3)).text(), "");
  EXPECT_EQ(opened->put("r1", run_of("r1", 3)).text(), "");
  EXPECT_EQ(opened->find({})->read, 3U);
  EXPECT_TRUE(*opened->knows("r1"));
  EXPECT_EQ(opened->forget("r1").text(), "");
  EXPECT_EQ(opened->find({})->read, 0U);
}

TEST(MachineHistory, IsReadableByItsOwnerOnly) {
  const scratch_directory directory;
  ASSERT_TRUE(machine_history::open(directory.path()));
  struct stat found {};
  ASSERT_EQ(::stat((directory / std::string{machine_file}).c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0600U);
}

TEST(MachineHistory, TwentyRunsThatEndAtOnceAreAllRemembered) {
  const scratch_directory directory;
  std::vector<std::thread> runs;
  std::vector<std::string> failures(20);
  for (int i = 0; i < 20; ++i) {
    runs.emplace_back([&, i] {
      auto opened = machine_history::open(directory.path());
      failures[static_cast<std::size_t>(i)] =
          opened ? opened->put("r" + std::to_string(i), run_of("r" + std::to_string(i), 100)).text()
                 : opened.error().text();
    });
  }
  for (auto& each : runs) each.join();
  for (const std::string& each : failures) EXPECT_EQ(each, "");
  EXPECT_EQ(machine_history::open(directory.path())->find({})->read, 2000U);
}

TEST(MachineHistory, ADamagedFileIsPutAside) {
  const scratch_directory directory;
  const std::string path = directory / std::string{machine_file};
  std::ofstream{path} << std::string(8192, 'x');
  auto opened = machine_history::open(directory.path());
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->put("r1", run_of("r1", 1)).text(), "");
  EXPECT_TRUE(std::filesystem::exists(path + ".damaged"));
}

TEST(MachineHistory, OfANewerTofudIsLeftAlone) {
  const scratch_directory directory;
  {
    sqlite::database newer{directory / std::string{machine_file}};
    newer.execute("PRAGMA user_version=99");
  }
  const auto opened = machine_history::open(directory.path());
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().text().find("newer tofud"), std::string::npos);
}

TEST(HistoryAnswer, IsReadAsItWasWritten) {
  const scratch_directory directory;
  auto opened = machine_history::open(directory.path());
  auto did = run_of("r1", 8);
  did[0].run.commit = "9f3c";
  did[0].operations[0].provider = "host/hashicorp/a";
  did[0].operations[0].provider_version = "5.1.0";
  ASSERT_EQ(opened->put("r1", did).text(), "");
  report_query query;
  query.addr = "a.x0";
  for (const report_query& each : {query, report_query{}}) {
    const std::string json = to_json(*opened->find(each));
    const auto read = read_report(json);
    ASSERT_TRUE(read);
    EXPECT_EQ(to_json(*read), json);
  }
  EXPECT_NE(to_json(*opened->find(query)).find(R"("commit":"9f3c")"), std::string::npos);
  EXPECT_FALSE(read_report("{}"));
  EXPECT_FALSE(read_report("no"));
}

}  // namespace
}  // namespace tofud::history
