#include "daemon/history/told_operations.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tofud::history {
namespace {

run_operations some_run(std::size_t operations) {
  run_operations made;
  made.run = {"r1",
              "net/prod",
              "apply",
              "succeeded",
              "c0ffee",
              "jane",
              "team=net",
              ui::time_point{std::chrono::seconds{1'795'230'720}},
              {{25, 1.5, 2.5, 2.0}}};
  for (std::size_t i = 0; i < operations; ++i) {
    made.operations.push_back({"a.b[\"" + std::to_string(i) + "\"]", "a", "hashicorp/a", "1.2",
                               "create", "apply", "done", 0.1 * static_cast<double>(i),
                               ui::time_point{std::chrono::microseconds{1'795'230'720'000'001}}});
  }
  return made;
}

TEST(ToldOperations, AreTheSameAfterTheyWereToldInPieces) {
  const std::vector<run_operations> all{some_run(100), [] {
                                          auto second = some_run(1);
                                          second.run.id = "r1.2";
                                          second.run.started_at.reset();
                                          return second;
                                        }()};
  const auto texts = to_texts(all, 1000);
  EXPECT_GT(texts.size(), 5U);
  std::vector<run_operations> read;
  for (const std::string& each : texts) {
    EXPECT_LT(each.size(), 1500U);
    ASSERT_EQ(add_text(read, each).text(), "");
  }
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(to_texts(read, 1000), texts);
  EXPECT_EQ(read[0].operations.size(), 100U);
  EXPECT_EQ(read[0].operations[7].addr, "a.b[\"7\"]");
  EXPECT_EQ(read[0].run.said.size(), 1U);
  EXPECT_FALSE(read[1].run.started_at);
}

TEST(ToldOperations, OfARunWithoutAnyAreToldAsWell) {
  std::vector<run_operations> read;
  for (const std::string& each : to_texts({some_run(0)}, 1000)) add_text(read, each);
  ASSERT_EQ(read.size(), 1U);
  EXPECT_TRUE(read[0].operations.empty());
}

TEST(ToldOperations, OfSomebodyElseAreRefused) {
  std::vector<run_operations> read;
  for (const char* wrong : {"", "{", "[]", "{\"v\":1}", R"({"v":2,"run":{},"did":[]})",
                            R"({"v":1,"run":{},"did":[[]]})", R"({"v":1,"run":[],"did":[]})",
                            R"({"v":1,"run":{},"did":[["a","b","c","d","e","f","g","h","i"]]})"})
    EXPECT_FALSE(add_text(read, wrong).empty()) << wrong;
}

}  // namespace
}  // namespace tofud::history
