#include "daemon/history/operations_of_run.hpp"

#include "daemon/correlator/stream_fold.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace tofud::history {
namespace {

struct nobody : correlator::row_sink {};

std::string hook(const char* type, const std::string& addr, const char* at) {
  const std::string of = addr.substr(0, addr.find('.'));
  return R"({"@level":"info","@message":"m","@module":"tofu.ui","@timestamp":"2026-11-21T10:00:0)" +
         std::string{at} + R"(.000000Z","hook":{"action":"create","resource":{"addr":")" + addr +
         R"(","implied_provider":"p","module":"","resource":")" + addr +
         R"(","resource_key":null,)" + R"("resource_name":"x","resource_type":")" + of +
         R"("}},"type":")" + type + "\"}\n";
}

class OperationsOfRun : public testing::Test {
 protected:
  void create(const std::string& type, int count) {
    for (int i = 0; i < count; ++i) {
      const std::string addr = type + ".x[" + std::to_string(i) + "]";
      fold_.feed(hook("apply_start", addr, "1") + hook("apply_complete", addr, "3"));
    }
  }

  const correlator::run_state& run() {
    fold_.end();
    return fold_.runs().front();
  }

  std::vector<operation> gathered(std::size_t most, std::size_t piece) {
    std::vector<operation> done;
    for (operations_of_run all{run(), most}; all.add(done, piece);) {
    }
    return done;
  }

  static std::map<std::string, std::size_t> of_types(const std::vector<operation>& all) {
    std::map<std::string, std::size_t> counts;
    for (const operation& each : all) ++counts[each.type];
    return counts;
  }

  static std::set<std::string> addresses(const std::vector<operation>& all) {
    std::set<std::string> found;
    for (const operation& each : all) found.insert(each.addr);
    return found;
  }

 private:
  nobody watcher_;
  correlator::stream_fold fold_{correlator::run_identity{}, watcher_};
};

TEST_F(OperationsOfRun, AreAllThatEnded) {
  create("db", 3);
  const auto all = all_operations_of(run());
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[1].addr, "db.x[1]");
  EXPECT_EQ(all[1].action, "create");
  EXPECT_EQ(all[1].status, "done");
  EXPECT_EQ(all[1].seconds, 2);
}

TEST_F(OperationsOfRun, AreThinnedWhereATypeHasMany) {
  create("db", 5);
  create("file", 2000);
  create("rule", 300);
  auto counts = of_types(gathered(505, 100));
  EXPECT_EQ(counts["db"], 5U);
  EXPECT_NEAR(static_cast<double>(counts["file"]), 250, 60);
  EXPECT_NEAR(static_cast<double>(counts["rule"]), 250, 60);
}

TEST_F(OperationsOfRun, OfMoreAreOfTheSameAddresses) {
  create("file", 1000);
  const auto few = addresses(gathered(100, 64)), more = addresses(gathered(300, 4096));
  EXPECT_LT(few.size(), more.size());
  EXPECT_TRUE(std::includes(more.begin(), more.end(), few.begin(), few.end()));
}

}  // namespace
}  // namespace tofud::history
