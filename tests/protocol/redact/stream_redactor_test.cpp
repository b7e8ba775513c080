#include "protocol/redact/stream_redactor.hpp"

#include "protocol/redact/limits.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace tofud::redact {
namespace {

rules with(std::vector<std::string> values) {
  rules what;
  what.salt = "sixteen bytes...";
  for (std::string& value : values) what.secrets.push_back({"NAME", std::move(value)});
  return what;
}

std::string redacted(const rules& what, std::string_view stream,
                     std::size_t max_line = limits::line_bytes) {
  stream_redactor redactor{what, max_line};
  std::string out;
  redactor.feed(stream, out);
  redactor.finish(out);
  return out;
}

std::string mask(const rules& what, std::string_view text) { return mask_of(what.salt, text); }

std::string message(std::string_view members) {
  return R"({"@level":"info","@message":"m","@module":"tofu.ui",)" + std::string{members} + "}\n";
}

TEST(StreamRedactor, AStreamWithoutSecretsStaysAsItIs) {
  const std::string stream =
      "text \xFF\n\n" + message(R"( "type" :"log", "n":1e400 , "\u0061":"\u00fc\/" )") + "torn {";
  EXPECT_EQ(redacted(with({"hunter2"}), stream), stream);
}

TEST(StreamRedactor, AValueIsRedactedInEveryStringAndTheTextAroundItStays) {
  const rules what = with({"hunter2"});
  const std::string hidden = mask(what, "hunter2");
  EXPECT_EQ(redacted(what, message(R"("hook":{"id_value":"a hunter2,hunter2"},"type":"x")")),
            message(R"("hook":{"id_value":"a )" + hidden + "," + hidden + R"("},"type":"x")"));
}

TEST(StreamRedactor, ValuesThatOverlapAreMaskedAsOne) {
  const rules what = with({"abcdefgh", "efghijkl"});
  EXPECT_EQ(redacted(what, "x abcdefghijkl y\n"), "x " + mask(what, "abcdefghijkl") + " y\n");
}

TEST(StreamRedactor, EqualValuesStayEqualAndDifferentOnesDifferent) {
  const rules what = with({"first secret", "second secret"});
  EXPECT_NE(mask(what, "first secret"), mask(what, "second secret"));
  EXPECT_EQ(redacted(what, "first secret first secret\n"),
            mask(what, "first secret") + " " + mask(what, "first secret") + "\n");
}

TEST(StreamRedactor, ALineLongerThanTheLimitBecomesAsManySpaces) {
  const rules what = with({"hunter2"});
  EXPECT_EQ(redacted(what, "hunter2 hunter2 hunter2\nshort\n", 10),
            std::string(23, ' ') + "\nshort\n");
}

TEST(StreamRedactor, TheOutputDoesNotDependOnHowTheInputIsCut) {
  const rules what = with({"hunter2"});
  const std::string stream = "hunter2\n" + message(R"("a":"hunter2")") + "long long line\nhunter2";
  const std::string whole = redacted(what, stream, 100);
  for (std::size_t piece = 1; piece < stream.size(); ++piece) {
    stream_redactor redactor{what, 100};
    std::string out;
    for (std::size_t at = 0; at < stream.size(); at += piece) {
      redactor.feed(std::string_view{stream}.substr(at, piece), out);
    }
    redactor.finish(out);
    EXPECT_EQ(out, whole) << piece;
    EXPECT_EQ(redactor.offset(), out.size());
  }
}

TEST(StreamRedactor, NewRulesHoldFromTheUnfinishedLineOn) {
  const auto ready = [](std::vector<secret> secrets) {
    rules all;
    all.salt = "salt";
    all.secrets = std::move(secrets);
    return std::make_shared<const ready_rules>(all);
  };
  stream_redactor redactor{ready({})};
  std::string out;
  redactor.feed("hunter22\na hunt", out);
  redactor.redact_by(ready({{"plan", "hunter22"}}));
  redactor.feed("er22\nhunter22", out);
  redactor.finish(out);
  const std::string mask = mask_of("salt", "hunter22");
  EXPECT_EQ(out, "hunter22\na " + mask + "\n" + mask);
}

}  // namespace
}  // namespace tofud::redact
