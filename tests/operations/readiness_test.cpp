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
}

}  // namespace
}  // namespace tofud::operations
