#include "daemon/operations/readiness.hpp"

#include <gtest/gtest.h>

namespace tofud::operations {
namespace {

TEST(Readiness, ListsEveryReason) {
  EXPECT_EQ(as_json({}), "{\"ready\":true,\"reasons\":[]}\n");
  EXPECT_EQ(as_text({}), "ready\n");
  EXPECT_EQ(as_json({3, true}),
            "{\"ready\":false,\"reasons\":[{\"reason\":\"recovering\",\"runs\":3},"
            "{\"reason\":\"draining\"}]}\n");
  EXPECT_EQ(as_text({3, true}), "recovering: 3 runs\ndraining\n");
  EXPECT_EQ(as_json({0, false, true}),
            "{\"ready\":false,\"reasons\":[{\"reason\":\"joining\"}]}\n");
}

TEST(Readiness, OfADaemonThatIsBehindSaysSoAndIsReady) {
  const readiness behind{0, false, false, "NATS can't be reached: \"no\""};
  EXPECT_TRUE(behind.is_ready());
  EXPECT_EQ(as_text(behind), "ready\nbehind: NATS can't be reached: \"no\"\n");
  EXPECT_EQ(as_json(behind),
            "{\"ready\":true,\"reasons\":[],\"behind\":\"NATS can't be reached: \\\"no\\\"\"}\n");
}

}  // namespace
}  // namespace tofud::operations
