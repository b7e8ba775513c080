#include "daemon/operations/audit_log.hpp"

#include "daemon/operations/limits.hpp"
#include "tests/scratch_directory.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace tofud::operations {
namespace {

using tests::scratch_directory;

ui::time_point at(int second) { return ui::time_point{std::chrono::seconds{second}}; }

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream file{path};
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::string as_it_is(std::string_view text) { return std::string{text}; }

audit_entry refusal(const std::string& who) {
  audit_entry entry;
  entry.action = "refuse";
  entry.who = who;
  entry.status = 401;
  return entry;
}

TEST(AuditLog, ALineSaysWhatIsKnownAndNothingElse) {
  audit_entry entry;
  entry.action = "export";
  entry.who = "ada \"the\" admin\n";
  entry.as = "login";
  entry.from = "10.0.0.5";
  entry.run = "20261121T0312-7f3a";
  entry.stack = "net/prod";
  entry.detail = "csv";
  entry.status = 200;
  EXPECT_EQ(to_line(entry, at(0)),
            R"({"at":"1970-01-01T00:00:00.000000Z","action":"export","who":"ada \"the\" admin\n",)"
            R"("as":"login","from":"10.0.0.5","run":"20261121T0312-7f3a","stack":"net/prod",)"
            R"("detail":"csv","status":200})");
  audit_entry bare;
  bare.action = "token_ends";
  EXPECT_EQ(to_line(bare, at(1)), R"({"at":"1970-01-01T00:00:01.000000Z","action":"token_ends"})");
}

TEST(AuditLog, AppendsARedactedLineAtOnce) {
  const scratch_directory directory;
  const std::string path = directory / "audit.jsonl";
  std::ofstream{path} << "before\n";
  auto log = audit_log::open(path, [](std::string_view line) {
    std::string text{line};
    const auto secret = text.find("hunter2");
    return secret == std::string::npos ? text : text.replace(secret, 7, "***");
  });
  ASSERT_TRUE(log);
  (*log)->add(refusal("hunter2"), at(1));
  log->reset();
  const auto lines = lines_of(path);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], "before");
  EXPECT_NE(lines[1].find("\"who\":\"***\""), std::string::npos);
  struct stat facts {};
  ASSERT_EQ(::stat(path.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0600U);
}

TEST(AuditLog, StrangersDoNotWriteTheRestAway) {
  const scratch_directory directory;
  const std::string path = directory / "audit.jsonl";
  auto log = audit_log::open(path, as_it_is);
  ASSERT_TRUE(log);
  for (std::uint64_t i = 0; i < limits::audit_refusals + 5; ++i) (*log)->add(refusal(""), at(1));
  (*log)->add(refusal("ci"), at(1));  // whoever is known is always told of
  (*log)->add(refusal(""), at(2));
  log->reset();
  const auto lines = lines_of(path);
  ASSERT_EQ(lines.size(), limits::audit_refusals + 3);
  EXPECT_NE(lines[limits::audit_refusals].find("5 more, of nobody who is known"),
            std::string::npos);
  EXPECT_NE(lines[limits::audit_refusals + 1].find("\"who\":\"ci\""), std::string::npos);
}

TEST(AuditLog, AFullFileIsPutAsideAndANewOneBegins) {
  const scratch_directory directory;
  const std::string path = directory / "audit.jsonl";
  std::ofstream{path} << "old\n";
  std::filesystem::resize_file(path, limits::audit_bytes - 10);
  auto log = audit_log::open(path, as_it_is);
  ASSERT_TRUE(log);
  (*log)->add(refusal("ci"), at(1));
  log->reset();
  EXPECT_EQ(lines_of(path).size(), 1U);
  EXPECT_EQ(std::filesystem::file_size(directory / "audit.1.jsonl"), limits::audit_bytes - 10);
}

TEST(AuditLog, WhatCanNotBeOpenedIsNamed) {
  const scratch_directory directory;
  std::ofstream{directory / "file"} << "no folder";
  const auto log = audit_log::open(directory / "file/audit.jsonl", as_it_is);
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().text().substr(0, 12), "audit.file: ");
}

}  // namespace
}  // namespace tofud::operations
