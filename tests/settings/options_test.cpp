#include "daemon/settings/options.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tofud::settings {
namespace {

const option& option_named(std::string_view key) {
  const option* found = find_option(key);
  if (found == nullptr) throw std::runtime_error{"no option " + std::string{key}};
  return *found;
}

std::string refusal(std::string_view key, std::vector<std::string> texts,
                    relative_paths paths = relative_paths::allowed) {
  const auto parsed = parse_value(option_named(key), texts, paths);
  return parsed ? "" : parsed.error().why;
}

TEST(Options, EachHasOneNameAndADescription) {
  std::set<std::string> names;
  for (const option& each : options()) {
    EXPECT_TRUE(names.insert(std::string{each.key}).second) << each.key;
    EXPECT_TRUE(names.insert(std::string{each.flag}).second) << each.flag;
    EXPECT_TRUE(names.insert(variable_of(each)).second) << each.key;
    EXPECT_TRUE(each.flag.starts_with("--")) << each.key;
    EXPECT_TRUE(each.help.ends_with(".")) << each.key;
    EXPECT_EQ(each.shape.empty(), each.type == option_type::boolean) << each.key;
  }
}

TEST(Options, OptionsOfASectionStandTogether) {
  std::set<std::string_view> seen;
  std::string_view last;
  for (const option& each : options()) {
    if (section_of(each) == last) continue;
    last = section_of(each);
    EXPECT_TRUE(seen.insert(last).second) << each.key;
  }
}

TEST(Options, EachHasAMemberOfItsOwn) {
  for (const option& each : options()) {
    settings changed;
    const value standard = default_of(each);
    value other = standard;
    if (auto* flag = std::get_if<bool>(&other)) *flag = !*flag;
    if (auto* number = std::get_if<std::uint64_t>(&other)) ++*number;
    if (auto* time = std::get_if<std::chrono::milliseconds>(&other)) ++*time;
    if (auto* text = std::get_if<std::string>(&other)) *text += "x";
    if (auto* list = std::get_if<std::vector<std::string>>(&other)) list->push_back("x");
    set_value(changed, each, other);
    for (const option& any : options()) {
      EXPECT_EQ(value_in(changed, any) == default_of(any), &any != &each) << each.key << any.key;
    }
  }
}

TEST(Options, DefaultsAreValidValues) {
  for (const option& each : options())
    EXPECT_EQ(refusal_of(each, default_of(each), relative_paths::refused), "") << each.key;
}

TEST(Options, HaveTheVariablesOfOtherCommands) {
  EXPECT_EQ(variable_of(option_named("listen")), "TOFUD_LISTEN");
  EXPECT_EQ(variable_of(option_named("state_dir")), "TOFUD_STATE_DIR");
  EXPECT_EQ(variable_of(option_named("mask_file")), "TOFUD_MASK_FILE");
  EXPECT_EQ(variable_of(option_named("retain.days")), "TOFUD_RETAIN_DAYS");
}

TEST(Options, TakeTheirValuesAsText) {
  EXPECT_EQ(parse_value(option_named("retain.days"), {"7"}, relative_paths::allowed).value(),
            value{std::uint64_t{7}});
  EXPECT_EQ(parse_value(option_named("retain.bytes"), {"5GB"}, relative_paths::allowed).value(),
            value{std::uint64_t{5368709120}});
  EXPECT_EQ(
      parse_value(option_named("limits.header_time"), {"2s"}, relative_paths::allowed).value(),
      value{std::chrono::milliseconds{2000}});
  EXPECT_EQ(parse_value(option_named("insecure"), {"false"}, relative_paths::allowed).value(),
            value{false});
}

TEST(Options, RefuseInvalidValues) {
  struct refused {
    std::string key;
    std::vector<std::string> texts;
    std::string why;
  };
  const std::vector<refused> all{
      {"retain.days", {"x"}, "is \"x\", which is not a whole number"},
      {"retain.days", {"-1"}, "is \"-1\", which is not a whole number"},
      {"retain.days", {"36501"}, "is 36501; it is at most 36500"},
      {"retain.days", {"1", "2"}, "is given more than once"},
      {"limits.connections", {"0"}, "is 0; it is at least 1"},
      {"limits.header_time", {"1ms"}, "is 1ms; it is at least 1s"},
      {"limits.header_bytes", {"1KiB"}, "is 1KiB; it is at least 8KiB"},
      {"limits.live_runs", {"10001"}, "is 10001; it is at most 10000"},
      {"limits.body_stalled_after", {"3m"}, "is 3m; it is at most 2m"},
      {"proxy.user_scopes",
       {"write"},
       "has \"write\", which is not a list of scopes; write read, ingest and raw, separated by "
       "commas"},
      {"limits.header_time", {"8d"}, "is 8d; it is at most 7d"},
      {"limits.header_time",
       {"5"},
       "is \"5\", which is not a duration; write one with its unit, such as 500ms, 5s, 2m or 1h"},
      {"listen",
       {"here"},
       "has \"here\", which is not ADDR:PORT, such as 127.0.0.1:8638 or [::1]:8638"},
      {"state_dir", {""}, "is empty; write a path, or auto"},
      {"mask_file", {"a\nb"}, "contains a control character"},
      {"mask_file", {"a\xff"}, "is not UTF-8"},
      {"insecure", {"maybe"}, "is \"maybe\"; it may be true or false"},
  };
  for (const refused& each : all) EXPECT_EQ(refusal(each.key, each.texts), each.why) << each.key;
}

TEST(Options, ARelativePathIsRefusedInAFile) {
  EXPECT_EQ(refusal("mask_file", {"masked"}), "");
  const std::string why = refusal("mask_file", {"hunter22"}, relative_paths::refused);
  EXPECT_EQ(why, "is not an absolute path; in a file it must begin with /");
}

TEST(Options, LimitsHaveARange) {
  std::size_t seen = 0;
  for (const option& each : options()) {
    if (section_of(each) != "limits") continue;
    ++seen;
    const auto refused = [&each](std::uint64_t number) {
      const bool is_time = each.type == option_type::duration;
      const auto time = std::chrono::milliseconds{static_cast<std::int64_t>(number)};
      return !refusal_of(each, is_time ? value{time} : value{number}, relative_paths::allowed)
                  .empty();
    };
    ASSERT_GT(each.least, 0U) << each.key;
    EXPECT_TRUE(refused(each.least - 1)) << each.key;
    EXPECT_FALSE(refused(each.least)) << each.key;
    EXPECT_FALSE(refused(each.most)) << each.key;
    EXPECT_TRUE(refused(each.most + 1)) << each.key;
  }
  EXPECT_GT(seen, 5U);
}

}  // namespace
}  // namespace tofud::settings
