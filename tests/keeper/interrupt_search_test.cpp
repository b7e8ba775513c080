#include "daemon/keeper/interrupt_search.hpp"

#include "tests/paths.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace tofud::keeper {
namespace {

std::string recorded(const std::string& name) {
  std::ifstream file{std::string{TEST_RECORDINGS} + "/" + name, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

bool finds(const std::string& stream, std::size_t piece) {
  interrupt_search search;
  for (std::size_t at = 0; at < stream.size(); at += piece)
    search.feed(std::string_view{stream}.substr(at, piece));
  return search.found();
}

TEST(InterruptSearch, FindsTheNoticeHoweverItIsCut) {
  const std::string stream = recorded("interrupted-sigint-once/stream.jsonl");
  for (const std::size_t piece :
       {std::size_t{1}, std::size_t{7}, std::size_t{4096}, stream.size()}) {
    EXPECT_TRUE(finds(stream, piece)) << piece;
  }
}

TEST(InterruptSearch, FindsNothingInARunWithoutAnInterrupt) {
  EXPECT_FALSE(finds(recorded("apply-slow-progress/stream.jsonl"), 4096));
}

TEST(InterruptSearch, IgnoresTheSameTextOfAProvisioner) {
  EXPECT_FALSE(finds(
      R"({"@message":"x: \"type\":\"log\" Interrupt received","hook":{"output":"\"type\":\"log\" Interrupt received"},"type":"provision_progress"})"
      "\n",
      4096));
}

TEST(InterruptSearch, SkipsALineOfAnyLength) {
  const std::string stream = recorded("interrupted-sigint-once/stream.jsonl");
  EXPECT_TRUE(finds(std::string(1 << 20, 'x') + "\n" + stream, 4096));
}

}  // namespace
}  // namespace tofud::keeper
