#include "daemon/settings/merge.hpp"

#include <gtest/gtest.h>

#include <map>

namespace tofud::settings {
namespace {

environment variables(std::map<std::string, std::string> all) {
  return [all = std::move(all)](const char* name) -> std::optional<std::string> {
    const auto found = all.find(name);
    if (found == all.end()) return std::nullopt;
    return found->second;
  };
}

given_flag flag(const char* key, std::vector<std::string> texts) {
  const option* of = find_option(key);
  return {of, std::move(texts), std::string{of->flag}};
}

const origin& origin_of(const merged& from, const char* key) {
  return from.now.origin_of(*find_option(key));
}

TEST(Merge, NoSourceGivesTheDefaults) {
  const auto made = merge({});
  EXPECT_TRUE(made.failures.empty());
  EXPECT_EQ(made.now.values, settings{});
  for (const option& each : options()) EXPECT_EQ(made.now.origin_of(each).text, "default");
}

TEST(Merge, FlagsWinOverVariablesOverFilesOverDefaults) {
  struct layer {
    bool file, second_file, variable, flag;
    std::uint64_t days;
    const char* from;
  };
  const std::vector<layer> layers{
      {false, false, false, false, 90, "default"},
      {true, false, false, false, 1, "a:1:8"},
      {true, true, false, false, 2, "b:2:1"},
      {true, true, true, false, 3, "TOFUD_RETAIN_DAYS"},
      {true, true, true, true, 4, "--retain-days"},
      {true, false, false, true, 4, "--retain-days"},
      {false, true, true, false, 3, "TOFUD_RETAIN_DAYS"},
  };
  for (const layer& each : layers) {
    sources from;
    if (each.file) from.files.push_back({"a", "retain.days = 1\n"});
    if (each.second_file) from.files.push_back({"b", "[retain]\ndays = 2\n"});
    if (each.variable) from.variables = variables({{"TOFUD_RETAIN_DAYS", "3"}});
    if (each.flag) from.flags.push_back(flag("retain.days", {"4"}));
    const auto made = merge(from);
    EXPECT_TRUE(made.failures.empty());
    EXPECT_EQ(made.now.values.retain.days, each.days);
    EXPECT_EQ(origin_of(made, "retain.days").text, each.from);
  }
}

TEST(Merge, AFileWithoutAnOptionLeavesIt) {
  sources from;
  from.files = {{"a", "retain.days = 1\n"}, {"b", "retain.runs = 2\n"}};
  const auto made = merge(from);
  EXPECT_EQ(made.now.values.retain.days, 1U);
  EXPECT_EQ(made.now.values.retain.runs, 2U);
}

TEST(Merge, AnEmptyVariableIsNotSet) {
  sources from;
  from.variables = variables({{"TOFUD_LISTEN", ""}, {"TOFUD_RETAIN_DAYS", ""}});
  const auto made = merge(from);
  EXPECT_TRUE(made.failures.empty());
  EXPECT_EQ(made.now.values, settings{});
}

TEST(Merge, AnEmptyFlagEmptiesAList) {
  sources from;
  from.files = {{"a", "listen = [\"127.0.0.1:1\"]\n"}};
  from.flags = {flag("listen", {"127.0.0.1:2"}), {find_option("listen"), {}, "--no-listen"}};
  const auto made = merge(from);
  EXPECT_TRUE(made.now.values.listen.empty());
  EXPECT_EQ(origin_of(made, "listen").text, "--no-listen");
}

TEST(Merge, AllErrorsAreReportedEvenOfOverriddenValues) {
  sources from;
  from.files = {{"a", "retain.days = \"x\"\n"}, {"b", "lisen = 1\n"}};
  from.variables = variables({{"TOFUD_RETAIN_DAYS", "y"}});
  from.flags = {flag("retain.days", {"5"}), flag("retain.bytes", {"z"})};
  const auto made = merge(from);
  std::vector<std::string> where;
  for (const failure& each : made.failures) where.push_back(each.where);
  EXPECT_EQ(where,
            (std::vector<std::string>{"a:1:15", "b:1:1", "TOFUD_RETAIN_DAYS", "--retain-bytes"}));
  EXPECT_EQ(to_string(made.failures[2]),
            "TOFUD_RETAIN_DAYS: retain.days is \"y\", which is not a whole number");
}

TEST(Merge, ConflictingOptionsAreReportedWithTheirPlaces) {
  struct half {
    const char* text;
    const char* told;
  };
  const std::vector<half> halves{
      {"\n[tls]\ncert = \"/c\"\n",
       "a:3:1: tls.cert and tls.key must both be set; both may name the same file"},
      {"[tls]\nkey = \"/k\"\n",
       "a:2:1: tls.cert and tls.key must both be set; both may name the same file"},
      {"proxy.allow_groups = [\"ops\"]\n",
       "a:1:7: proxy.allow_groups needs proxy.groups_header; without it no user has groups"},
      {"proxy.group_stacks = [\"ops=*\"]\n",
       "a:1:7: proxy.group_stacks needs proxy.groups_header; without it no user has groups"},
  };
  for (const half& each : halves) {
    sources from;
    from.files = {{"a", each.text}};
    const auto made = merge(from);
    ASSERT_EQ(made.failures.size(), 1U) << each.text;
    EXPECT_EQ(to_string(made.failures[0]), each.told);
  }
}

TEST(Merge, CertificateAndKeyMayHaveDifferentSources) {
  sources from;
  from.files = {{"a", "tls.cert = \"/c\"\n"}};
  from.variables = variables({{"TOFUD_TLS_KEY", "/k"}});
  EXPECT_TRUE(merge(from).failures.empty());
}

TEST(SplitList, PartsAtCommas) {
  using texts = std::vector<std::string>;
  EXPECT_EQ(split_list(""), texts{});
  EXPECT_EQ(split_list("a"), texts{"a"});
  EXPECT_EQ(split_list("a,b"), (texts{"a", "b"}));
  EXPECT_EQ(split_list(" a , ,b c,"), (texts{"a", "b c"}));
}

}  // namespace
}  // namespace tofud::settings
