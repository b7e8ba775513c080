#include "protocol/config/annotation.hpp"

#include "protocol/config/json_file.hpp"
#include "protocol/config/limits.hpp"
#include "protocol/config/module_source.hpp"
#include "protocol/config/native_file.hpp"
#include "tests/protocol/config/described.hpp"

#include <gtest/gtest.h>

namespace tofud::config {
namespace {

using std::chrono::seconds;

// What is said of the last block of a file, and what is wrong.
struct said {
  std::string words;
  lines problems;
};

said of(const file_blocks& found) {
  return {found.blocks.empty() ? "no block" : to_string(found.blocks.back().said),
          described(found.problems)};
}

said native(std::string_view text) { return of(read_native_file("main.tf", text)); }

said json(std::string_view body) {
  return of(
      read_json_file("main.tf.json", R"({"resource":{"a":{"b":)" + std::string{body} + "}}}"));
}

TEST(Annotation, StandsInCommentsDirectlyAboveANativeBlock) {
  const auto found = native(R"(
# tofud: owner=@db runbook="https://wiki/db"
# The main one.
//tofud: expect=1h30m
resource "a" "b" {}
)");
  EXPECT_EQ(found.words, "owner=@db runbook=https://wiki/db expect=1h30m");
  EXPECT_EQ(found.problems, lines{});
  EXPECT_EQ(native("# tofud: owner=@a\ndata \"a\" \"b\" {}").words, "owner=@a");
  EXPECT_EQ(native("\xef\xbb\xbf# tofud: owner=@a\r\nmodule \"m\" {}").words, "owner=@a");
  EXPECT_EQ(native("check \"c\" {\n  # tofud: owner=@a\n  data \"a\" \"b\" {}\n}").words,
            "owner=@a");
}

TEST(Annotation, LaterOfTwoKeysWins) {
  EXPECT_EQ(native("# tofud: owner=@a owner=@b\n# tofud: owner=@c\nmodule \"m\" {}").words,
            "owner=@c");
}

TEST(Annotation, MayHaveBlanksInQuotes) {
  EXPECT_EQ(native("# tofud:\towner=\"the  db team\"  expect=90s \nmodule \"m\" {}").words,
            "owner=\"the  db team\" expect=1m30s");
}

TEST(Annotation, OnlyCommentsHaveOne) {
  const auto found = native(R"(
resource "a" "other" {
  x = <<EOT
# tofud: owner=@text
EOT
}
/*
# tofud: owner=@inside
*/
# about tofud: owner=@prose
resource "a" "b" {}
)");
  EXPECT_EQ(found.words, "");
  EXPECT_EQ(found.problems, lines{});
}

TEST(Annotation, AnnotationWithoutBlockIsAProblem) {
  const auto stray = [](std::string_view text) { return native(text).problems; };
  const auto at = [](const std::string& place) {
    return lines{"main.tf:" + place +
                 ": this annotation belongs to no block; put it directly above a resource, data or "
                 "module block"};
  };
  EXPECT_EQ(stray("# tofud: owner=@a\n\nmodule \"m\" {}"), at("1:9"));
  EXPECT_EQ(stray("module \"m\" {} # tofud: owner=@a\nmodule \"n\" {}"), at("1:23"));
  EXPECT_EQ(stray("module \"m\" {\n  # tofud: owner=@a\n  x = 1\n}"), at("2:11"));
  EXPECT_EQ(stray("module \"m\" {\n  x = [\n  # tofud: owner=@a\n  ]\n}"), at("3:11"));
  EXPECT_EQ(stray("module \"m\" {\n  x = 1\n  # tofud: owner=@a\n}"), at("3:11"));
  EXPECT_EQ(stray("resource \"a\" \"b\" {\n  # tofud: owner=@a\n  lifecycle {}\n}"), at("2:11"));
  EXPECT_EQ(stray("# tofud: owner=@a\nprovider \"p\" {}"), at("1:9"));
  EXPECT_EQ(stray("# tofud: owner=@a\nlocals {}"), at("1:9"));
  EXPECT_EQ(stray("# tofud: owner=@a"), at("1:9"));
}

TEST(Annotation, WrongKeyKeepsTheOthers) {
  const auto found =
      native("# tofud: colour=red owner=@db runbook=wiki expect=soon wrong\nmodule \"m\" {}\n");
  EXPECT_EQ(found.words, "owner=@db");
  EXPECT_EQ(
      found.problems,
      (lines{"main.tf:1:10: \"colour\" is unknown; use owner, runbook or expect",
             "main.tf:1:31: runbook is not a URL; it must begin with https:// or http:// and "
             "contain no blanks",
             "main.tf:1:44: expect is not a duration; write 90s, 25m or 1h30m",
             "main.tf:1:56: \"wrong\" has no value; write KEY=VALUE, with quotes around blanks"}));
  EXPECT_EQ(native("# tofud: owner=\"a\nmodule \"m\" {}").problems,
            lines{"main.tf:1:16: a quote is not closed"});
  EXPECT_EQ(native("# tofud:\nmodule \"m\" {}").problems,
            lines{"main.tf:1:9: the annotation is empty; write owner=, runbook= or expect="});
  EXPECT_EQ(native("# tofud: owner=\nmodule \"m\" {}").problems,
            lines{"main.tf:1:10: owner is empty; leave it out"});
}

TEST(Annotation, StandsInTheCommentOfAJsonBlock) {
  const auto found =
      json(R"({"//":{"tofud":{"owner":"@db","runbook":"http://wiki","expect":"25m"}},"x":1})");
  EXPECT_EQ(found.words, "owner=@db runbook=http://wiki expect=25m");
  EXPECT_EQ(found.problems, lines{});
  EXPECT_EQ(json(R"([[{"//":{"tofud":{"owner":"@db"}}},{"//":{"tofud":{"expect":"1s"}}}]])").words,
            "owner=@db expect=1s");
}

TEST(Annotation, CommentInAnExpressionIsNoAnnotation) {
  const auto found = json(R"({"tags":{"//":{"tofud":{"owner":"@db"}}}})");
  EXPECT_EQ(found.words, "");
  EXPECT_EQ(found.problems, lines{});
}

TEST(Annotation, MayStandBesideComments) {
  for (const std::string_view other : {R"("text")", "null", "[1]", R"({"metadata":{"path":"x"}})"})
    EXPECT_EQ(json("{\"//\":" + std::string{other} + "}").problems, lines{});
}

TEST(Annotation, WrongJsonAnnotationNamesItsPlace) {
  const auto found = json(
      R"({"//":{"tofud":{"owner":"@db","expect":25,"runbook":"https://x/\n","on_call":"me"}}})");
  EXPECT_EQ(found.words, "owner=@db");
  EXPECT_EQ(found.problems,
            (lines{"main.tf.json:1:53: expect is not a string; put quotes around it",
                   "main.tf.json:1:65: runbook has control characters; leave them out",
                   "main.tf.json:1:90: \"on_call\" is unknown; use owner, runbook or expect"}));
  EXPECT_EQ(json(R"({"//":{"tofud":"@db"}})").problems,
            lines{"main.tf.json:1:38: an object with owner, runbook or expect is expected here"});
}

TEST(Annotation, IsOverriddenKeyByKey) {
  const auto module = read_module(
      ".", {{{"main.tf", "# tofud: owner=@a expect=1m runbook=https://a\nmodule \"m\" {}\n"},
             {"override.tf", "# tofud: owner=@b\nmodule \"m\" {}\n"},
             {"x_override.tf.json", R"({"module":{"m":{"//":{"tofud":{"expect":"2m"}}}}})"}},
            {}});
  EXPECT_EQ(to_string(module.blocks.at("module.m").said), "owner=@b runbook=https://a expect=2m");
}

TEST(Annotation, HasLimits) {
  const std::string most(limits::annotation_value_bytes, 'x');
  annotation into;
  EXPECT_EQ(annotate(into, "owner", most), "");
  EXPECT_EQ(annotate(into, "owner", most + "x"), "owner has more than 1024 bytes; shorten it");
  EXPECT_EQ(annotate(into, "expect", "744h"), "");
  EXPECT_EQ(annotate(into, "expect", "744h1s"),
            "expect is more than 744h; write the time of one step");
}

TEST(Annotation, ARunbookIsALinkToTheWeb) {
  const auto wrong = [](std::string_view text) {
    annotation into;
    return !annotate(into, "runbook", text).empty();
  };
  for (const std::string_view good : {"https://w/x?a=b&c=%20#d", "http://[::1]:80/"})
    EXPECT_FALSE(wrong(good)) << good;
  for (const std::string_view bad :
       {"javascript:alert(1)", "data:text/html,x", "//x", "https://", "https:///x", "HTTPS://x",
        "https://x y", "https://x\"onclick=", "https://x<", "ftp://x"})
    EXPECT_TRUE(wrong(bad)) << bad;
}

TEST(Annotation, ExpectsWholeHoursMinutesAndSeconds) {
  EXPECT_EQ(read_expectation("90s"), seconds{90});
  EXPECT_EQ(read_expectation("25m"), seconds{1500});
  EXPECT_EQ(read_expectation("1h30m"), seconds{5400});
  EXPECT_EQ(read_expectation("1h0m1s"), seconds{3601});
  for (const std::string_view bad : {"", "25", "m", "1m1h", "1m1m", "-1m", "1.5h", "1d", "0s",
                                     "1 m", "99999999999s", "1h30", "1ms"})
    EXPECT_EQ(read_expectation(bad), std::nullopt) << bad;
  EXPECT_EQ(expectation_text(seconds{5400}), "1h30m");
  EXPECT_EQ(expectation_text(seconds{3601}), "1h1s");
}

}  // namespace
}  // namespace tofud::config
