#include "protocol/redact/hidden_values.hpp"

#include "protocol/redact/limits.hpp"
#include "protocol/schema/provider_schemas.hpp"
#include "tests/protocol/schema/read_golden.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tofud::attachments {
namespace {

using texts = std::vector<std::string>;

std::string resource(const std::string& change, const std::string& address = "acme_db.main") {
  return R"({"address":")" + address +
         R"(","mode":"managed","type":"acme_db","name":"main","provider_name":"acme","change":)" +
         change + "}";
}

std::string plan(const std::string& members) {
  return R"({"format_version":"1.2",)" + members + "}";
}

redact::hidden_values found(const std::string& text, const schema::schemas* known = nullptr) {
  const auto document = plan::read(text);
  EXPECT_TRUE(document) << document.error().text();
  auto made = redact::hidden_values_of(*document, known);
  EXPECT_TRUE(made) << made.error().text();
  return made ? *made : redact::hidden_values{};
}

schema::schemas secret_token() {
  const schema::parsed document{
      R"({"format_version":"1.0","provider_schemas":{"acme":{"resource_schemas":{"acme_db":{"version":0,)"
      R"("block":{"attributes":{"token":{"type":"string","sensitive":true}}}}}}}})"};
  return *schema::read_provider_schemas(document.root());
}

TEST(HiddenValues, AreThoseMarkedByThePlanOrASchema) {
  const std::string text =
      plan(R"("resource_changes":[)" +
           resource(R"({"actions":["update"],"before":{"token":"old-one","open":"visible"},)"
                    R"("after":{"token":"new-one","open":"visible","marked":{"deep":["inside"]}},)"
                    R"("before_sensitive":{},"after_sensitive":{"marked":true}})") +
           R"(],"output_changes":{"o":{"actions":["create"],"before":null,"after":"of-output",)"
           R"("before_sensitive":true,"after_sensitive":true}})");
  EXPECT_EQ(found(text).texts, (texts{"inside", "of-output"}));
  const auto known = secret_token();
  EXPECT_EQ(found(text, &known).texts, (texts{"inside", "new-one", "old-one", "of-output"}));
}

TEST(HiddenValues, AreInTheVariablesAndThePriorStateAsWell) {
  const auto known = secret_token();
  EXPECT_EQ(
      found(
          plan(
              R"("variables":{"pw":{"value":"of-variable"},"open":{"value":"visible"}},)"
              R"("configuration":{"root_module":{"variables":{"pw":{"sensitive":true},"open":{}}}},)"
              R"("prior_state":{"format_version":"1.0","values":{"root_module":{"child_modules":[)"
              R"({"resources":[{"address":"module.m.acme_db.d","mode":"managed","type":"acme_db",)"
              R"("name":"d","provider_name":"acme","values":{"token":"of-state","x":"marked"},)"
              R"("sensitive_values":{"x":true}}]}]}}})"),
          &known)
          .texts,
      (texts{"marked", "of-state", "of-variable"}));
}

TEST(HiddenValues, AreLongEnoughToStandForThemselves) {
  EXPECT_EQ(found(plan(R"("resource_changes":[)" +
                       resource(R"({"actions":["create"],"before":null,"after":{"a":"short",)"
                                R"("b":"longer","c":12345,"d":123456,"e":true},"after_sensitive":)"
                                R"({"a":true,"b":true,"c":true,"d":true,"e":true}})") +
                       "]"))
                .texts,
            (texts{"123456", "longer"}));
}

TEST(HiddenValues, ANameAloneHidesNothing) {
  EXPECT_EQ(found(plan(R"("resource_changes":[)" +
                       resource(R"({"actions":["create"],"before":null,"after":)"
                                R"(["production","roduct","secret-one"],"after_sensitive":true})",
                                "module.production.acme_db.main") +
                       "]"))
                .texts,
            (texts{"secret-one"}));
}

TEST(HiddenValues, RedactedPlanHasNone) {
  EXPECT_TRUE(
      found(plan(R"("masked":true,"resource_changes":[)" +
                 resource(R"({"actions":["create"],"before":null,"after":)"
                          R"j({"a":"(sensitive value 1)"},"after_sensitive":{"a":true}})j") +
                 "]"))
          .texts.empty());
}

TEST(HiddenValues, ValuesBeyondTheLimitAreCounted) {
  std::string all;
  for (std::size_t i = 0; i < limits::hidden_values + 5; ++i)
    all += (all.empty() ? "\"" : ",\"") + std::to_string(1'000'000 + i) + "\"";
  const auto made = found(plan(R"("resource_changes":[)" +
                               resource(R"({"actions":["create"],"before":null,"after":[)" + all +
                                        R"(],"after_sensitive":true})") +
                               "]"));
  EXPECT_EQ(made.texts.size(), limits::hidden_values);
  EXPECT_EQ(made.left_out, 5U);
}

}  // namespace
}  // namespace tofud::attachments
