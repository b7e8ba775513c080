#include "protocol/events/trace_parent.hpp"

#include "protocol/events/event.hpp"
#include "protocol/events/known_run.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tofud::events {
namespace {

const std::string good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

TEST(TraceParent, IsReadAsTheStandardSays) {
  const auto read = parse_trace_parent(good);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->trace, "4bf92f3577b34da6a3ce929d0e0e4736");
  EXPECT_EQ(read->span, "00f067aa0ba902b7");
  EXPECT_TRUE(read->sampled);
  EXPECT_EQ(to_string(*read), good);
  EXPECT_FALSE(parse_trace_parent(good.substr(0, 53) + "02")->sampled);
  // Of a later version what is known of it.
  EXPECT_EQ(parse_trace_parent("cc" + good.substr(2) + "-more"), read);
}

TEST(TraceParent, IsNoneIfAnythingIsWrong) {
  for (std::string text :
       {std::string{}, std::string{"x"}, good + "-more", "cc" + good.substr(2) + "more",
        "ff" + good.substr(2), "00-" + std::string(32, '0') + good.substr(35),
        good.substr(0, 36) + std::string(16, '0') + "-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736" + good.substr(35), good.substr(0, 54)})
    EXPECT_FALSE(parse_trace_parent(text)) << text;
  for (const std::size_t at : {2U, 35U, 52U}) {
    std::string text = good;
    text[at] = '_';
    EXPECT_FALSE(parse_trace_parent(text)) << text;
  }
}

TEST(TraceParent, IsAnEventOfItsRun) {
  const event said{0, *parse_trace_parent(good)};
  EXPECT_EQ(text_of(said), R"({"offset":0,"event":"trace_parent","value":")" + good + "\"}");
  EXPECT_EQ(std::get<trace_parent>(parse(text_of(said))->what), std::get<trace_parent>(said.what));
  EXPECT_EQ(parse_lines(text_of(said) + "\n").parent, parse_trace_parent(good));
  EXPECT_FALSE(parse(R"({"offset":0,"event":"trace_parent","value":"x"})"));
}

}  // namespace
}  // namespace tofud::events
