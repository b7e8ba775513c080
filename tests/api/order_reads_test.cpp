// What is asked about the order of a run's apply.
#include "daemon/api/order_reads.hpp"

#include "tests/api/attached_run.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tofud::test {
namespace {

class ordered : public attached_run {
 public:
  ordered() : attached_run{add_order_reads} {}

  boost::json::value steps() {
    const auto found = get("/v1/runs/R7/order");
    EXPECT_EQ(found.status, 200) << found.text();
    EXPECT_EQ(found.content_type, "application/json");
    return boost::json::parse(found.text()).at("steps");
  }
};

constexpr auto chain =
    R"({"format":"tofud.config.v2","blocks":[
{"address":"a_b.c","file":"main.tf","line":1,"column":1},
{"address":"a_b.d","file":"main.tf","line":2,"column":1,"references":[{"argument":"x","target":"a_b.c"}]}
],"providers":[]})";

TEST(OrderReads, ARunOfWhichNothingIsKnownSaysWhatToDo) {
  ordered run;
  const auto found = run.get("/v1/runs/R7/order");
  EXPECT_EQ(found.status, 404);
  EXPECT_NE(found.body.find("neither a plan nor a configuration is attached to R7"),
            std::string::npos)
      << found.body;
  EXPECT_NE(found.body.find("--config DIR"), std::string::npos) << found.body;
  EXPECT_EQ(run.get("/v1/runs/other/order").status, 404);
}

TEST(OrderReads, APlanTellsWhatItsConfigurationSaysOfTheOrder) {
  ordered run;
  run.attach("chain-50");
  const auto steps = run.steps();
  ASSERT_EQ(steps.as_array().size(), 50U);
  std::size_t first = 0;
  for (const auto& step : steps.as_array()) {
    EXPECT_EQ(step.at("does").as_string(), "make");
    const auto& before = step.at("before").as_array();
    EXPECT_LE(before.size(), 1U);
    first += before.empty() ? 1 : 0;
  }
  EXPECT_EQ(first, 1U);
}

TEST(OrderReads, WhatIsReplacedIsRemovedAndMade) {
  ordered run;
  run.attach("replace-create-before-destroy");
  std::set<std::string> does;
  const auto steps = run.steps();
  for (const auto& step : steps.as_array()) does.insert(std::string{step.at("does").as_string()});
  EXPECT_EQ(does, (std::set<std::string>{"make", "remove"}));
}

TEST(OrderReads, WithoutAPlanEachBlockOfTheConfigurationIsMade) {
  ordered run;
  run.attach_config(chain);
  const auto steps = run.steps();
  EXPECT_EQ(boost::json::serialize(steps),
            R"([{"block":"a_b.c","does":"make","operations":1,"before":[]},)"
            R"({"block":"a_b.d","does":"make","operations":1,"before":[0]}])");
}

}  // namespace
}  // namespace tofud::test
