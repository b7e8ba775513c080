#include "daemon/forge/comment.hpp"

#include "daemon/forge/limits.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tofud::forge {
namespace {

constexpr std::size_t room = limits::forge_comment_bytes;

part said(std::string run, std::string began, risk of = risk::changes, std::string rest = "") {
  return {std::move(run), std::move(began), of, "**plan**", std::move(rest)};
}

constexpr auto* monday = "2026-11-23T10:00:00.000000Z";
constexpr auto* tuesday = "2026-11-24T10:00:00.000000Z";

TEST(StacksComment, IsReadAsItWasWritten) {
  stacks_comment written;
  written.put("net/prod", of_run::plan,
              said("run 1 -->", monday, risk::destroys, "a\n\n```\nb\n```"));
  written.put("net/prod", of_run::apply, said("2", tuesday, risk::failed));
  written.put("", of_run::plan, said("3", monday, risk::none));
  written.put("git::https://x/y#z `w` -->", of_run::plan, said("4", monday));
  const std::string text = written.text(room);
  EXPECT_TRUE(stacks_comment::is_in(text));
  EXPECT_EQ(stacks_comment::parse(text), written);
  // As a browser gives it back.
  std::string browsers;
  for (const char c : text) browsers += c == '\n' ? std::string{"\r\n"} : std::string{c};
  EXPECT_EQ(stacks_comment::parse(browsers), written);
}

TEST(StacksComment, ReadsWhatItCanOfAnything) {
  EXPECT_TRUE(stacks_comment::parse("").sections().empty());
  EXPECT_TRUE(stacks_comment::parse("<!-- tofud:stack a -->").sections().empty());
  stacks_comment one;
  one.put("a", of_run::plan, said("1", monday));
  const std::string text = one.text(room);
  for (std::size_t length = 0; length < text.size(); ++length)
    EXPECT_LE(stacks_comment::parse(text.substr(0, length)).sections().size(), 1U);
  for (const char* mark :
       {"<!-- tofud:plan 1 2 -->", "<!-- tofud:plan 1 2 worse -->", "<!-- tofud:more -->",
        "<!-- tofud: -->", "<!-- tofud:stack %zz -->", "<!-- tofud:stack a b -->"})
    EXPECT_TRUE(stacks_comment::parse("<!-- tofud:comment -->\n" + std::string{mark} + "\nx")
                    .sections()
                    .empty())
        << mark;
}

TEST(StacksComment, KeepsTheLaterRunOfAStack) {
  stacks_comment of;
  of.put("a", of_run::plan, said("late", tuesday));
  of.put("a", of_run::plan, said("early", monday));
  EXPECT_EQ(of.sections().at("a").plan->run, "late");
  EXPECT_TRUE(of.has("a", of_run::plan, said("early", monday)));
  EXPECT_FALSE(of.has("a", of_run::apply, said("x", tuesday)));
  // What was applied before is of another plan.
  of.put("a", of_run::apply, said("before", monday));
  EXPECT_FALSE(of.sections().at("a").apply);
  EXPECT_TRUE(of.has("a", of_run::apply, said("before", monday)));
}

TEST(StacksComment, MergesWhatTwoJobsWrote) {
  stacks_comment one, other;
  one.put("a", of_run::plan, said("1", monday));
  other.put("a", of_run::apply, said("2", tuesday));
  other.put("b", of_run::plan, said("3", monday));
  one.merge(other);
  EXPECT_EQ(one.sections().size(), 2U);
  EXPECT_TRUE(one.sections().at("a").plan && one.sections().at("a").apply);
}

TEST(StacksComment, SaysWhatIsARiskFirst) {
  stacks_comment of;
  of.put("a", of_run::plan, said("1", monday, risk::none));
  of.put("b", of_run::plan, said("2", monday, risk::changes));
  of.put("c", of_run::plan, said("3", monday, risk::destroys));
  of.put("d", of_run::plan, said("4", monday, risk::destroys));
  of.put("d", of_run::apply, said("5", tuesday, risk::applied));
  of.put("e", of_run::apply, said("6", monday, risk::failed));
  const std::string text = of.text(room);
  std::size_t last = 0;
  for (const char* stack : {"`e`", "`c`", "`b`", "`a`", "`d`"}) {
    EXPECT_GT(text.find(stack), last);
    last = text.find(stack);
  }
  EXPECT_NE(
      text.find(
          "5 stacks, 1 failed, 1 would destroy, 1 would change, 1 without changes, 1 applied"),
      std::string::npos);
}

TEST(StacksComment, FitsWhateverIsInIt) {
  std::string block =
      "<details><summary>x</summary>\n\n```\n" + std::string(700, 'y') + "\n```\n\n</details>\n\n";
  std::string rest;
  for (int i = 0; i < 80; ++i) rest += block;
  for (const std::size_t stacks : {1U, 2U, 12U, 100U, 900U}) {
    stacks_comment of;
    for (std::size_t i = 0; i < stacks; ++i)
      of.put("net/" + std::to_string(i), of_run::plan,
             said("1", monday, risk::changes, i % 3 == 0 ? "short" : rest));
    const std::string text = of.text(room);
    EXPECT_LE(text.size(), room) << stacks;
    // Of more there is not even room for all headlines.
    if (stacks <= 100) {
      EXPECT_EQ(stacks_comment::parse(text).text(room), text) << stacks;
    }
  }
}

TEST(WholeBlocks, EndOutsideOfFencesAndDetails) {
  const std::string_view text = "one\n\n```\na\n\nb\n```\n\n<details>\n\nc\n\n</details>\n\nend";
  EXPECT_EQ(whole_blocks(text, text.size()), text);
  EXPECT_EQ(whole_blocks(text, 3), "");
  EXPECT_EQ(whole_blocks(text, 4), "one\n");
  EXPECT_EQ(whole_blocks(text, 12), "one\n");
  EXPECT_EQ(whole_blocks(text, 30), "one\n\n```\na\n\nb\n```\n");
  EXPECT_EQ(whole_blocks(text, text.size() - 1), text.substr(0, text.size() - 4));
  EXPECT_EQ(whole_blocks("````\n```\n\nx\n````\n\ny", 17), "````\n```\n\nx\n````\n");
}

}  // namespace
}  // namespace tofud::forge
