#include "daemon/api/pages/search_words.hpp"

#include <gtest/gtest.h>

namespace tofud::pages {
namespace {

run_search of(std::string words) {
  run_search asked;
  asked.q = std::move(words);
  return with_words(asked);
}

TEST(SearchWords, NameTheFieldsAndTheRestIsText) {
  const run_search found =
      of("dns stack:net/a status:failed since:24h until:2026-11-21 actor:ada eu");
  EXPECT_EQ(found.stack, "net/a");
  EXPECT_EQ(found.status, "failed");
  EXPECT_EQ(found.since, "24h");
  EXPECT_EQ(found.until, "2026-11-21");
  EXPECT_EQ(found.label, "actor=ada");
  EXPECT_EQ(found.q, "dns eu");
}

TEST(SearchWords, AValueWithBlanksStandsInQuotes) {
  EXPECT_EQ(of("stack:\"a b@c\" x").stack, "a b@c");
  EXPECT_EQ(of("label:job=\"a b\"").label, "job=a b");
  EXPECT_EQ(of("stack:\"never ended").stack, "never ended");
}

TEST(SearchWords, WordsOfOtherNamesAndWithoutAValueAreText) {
  EXPECT_EQ(of("https://ci.example/1 a:b stack:").q, "https://ci.example/1 a:b stack:");
  EXPECT_EQ(of("say \"hello  world\"").q, "say \"hello  world\"");
  EXPECT_EQ(of("").q, "");
}

TEST(SearchWords, AFieldThatWasGivenStays) {
  run_search asked;
  asked.stack = "first";
  asked.q = "stack:second x";
  const run_search found = with_words(asked);
  EXPECT_EQ(found.stack, "first");
  EXPECT_EQ(found.q, "stack:second x");
  EXPECT_EQ(of("status:failed status:running").q, "status:running");
}

TEST(SearchWords, WhatIsAskedForIsWrittenAsWordsThatMeanTheSame) {
  run_search asked{"failed", "branch=main", "dns eu"};
  asked.stack = "a b";
  asked.since = "24h";
  EXPECT_EQ(words_of(asked), "stack:\"a b\" status:failed branch:main since:24h dns eu");
  EXPECT_EQ(of(words_of(asked)), asked);
  asked.stack = "a \\ \"b\" c";
  EXPECT_EQ(of(words_of(asked)), asked);
  asked.label = "job=https://ci.example/1";
  EXPECT_EQ(of(words_of(asked)), asked);
  EXPECT_EQ(words_of({}), "");
}

}  // namespace
}  // namespace tofud::pages
