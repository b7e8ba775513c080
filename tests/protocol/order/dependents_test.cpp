#include "protocol/order/dependents.hpp"

#include <gtest/gtest.h>

namespace tofud::order {
namespace {

planned_object planned(const std::string& address, bool makes, bool removes) {
  planned_object made;
  made.address = address;
  made.makes = makes;
  made.removes = removes;
  return made;
}

TEST(TakenAway, NamesWhatDependsOnItAndWhatThePlanLeaves) {
  known_objects state;
  state[{"t.db[0]", ""}] = {};
  state[{"t.web", ""}].dependencies = {"t.db"};
  state[{"t.dns", ""}].dependencies = {"t.db", "t.web"};
  state[{"t.dns", "old"}].dependencies = {"t.db"};  // left over: no resource of its own
  const auto all = taken_away_by(
      {planned("t.db[0]", true, true), planned("t.web", true, false), planned("t.x", false, true)},
      state);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].address, "t.db[0]");
  EXPECT_TRUE(all[0].replaced);
  EXPECT_EQ(all[0].dependents, 2U);
  EXPECT_EQ(all[0].not_planned, 1U);
}

}  // namespace
}  // namespace tofud::order
