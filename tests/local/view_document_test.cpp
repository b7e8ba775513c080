#include "daemon/local/view_document.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tofud {
namespace {

view_options with_everything() {
  view_options view;
  view.listen = {false, "127.0.0.1:0", 7};
  view.progress = terminal::progress_flag::gitlab;
  view.colour = terminal::colour_flag::never;
  view.heartbeat = 7;
  view.stack = "net/\"prod\"\n";
  view.labels = {{"pr", "12"}, {"é", ""}};
  view.commit = "abc";
  view.plan_out = "out";
  view.plan_argument = "argument";
  view.plan_hash = events::plan_file{events::plan_role::argument, std::string(64, 'a'), 1U << 31U};
  view.wrapped = wrapped_command{feed::run_command::destroy, true, true, true, true};
  view.mask_file = "mask";
  view.server = "https://x";
  view.no_server = true;
  view.token_file = "token";
  view.report = "report";
  view.junit = "junit";
  view.attach.plan = "p";
  view.attach.schemas = {"s1", "s2"};
  view.attach.found = {"saved", "tofu", "/d", "c", "/cache"};
  return view;
}

TEST(ViewDocument, HasAllOptionsOfTheCommand) {
  const view_options told = with_everything();
  const auto read = read_view_document(to_document(told));
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(to_document(*read), to_document(told));
  EXPECT_EQ(read->stack, told.stack);
  EXPECT_EQ(read->listen.tick, 7U);
  EXPECT_EQ(read->progress, told.progress);
  EXPECT_EQ(read->labels.at(1).key, "é");
  EXPECT_EQ(read->plan_hash, told.plan_hash);
  EXPECT_EQ(read->wrapped->command, feed::run_command::destroy);
  EXPECT_EQ(read->attach.schemas, told.attach.schemas);
  EXPECT_EQ(read->attach.found.cache, "/cache");
}

TEST(ViewDocument, AMissingOptionDiffersFromAnEmptyOne) {
  const auto read = read_view_document(to_document({}));
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_FALSE(read->wrapped);
  EXPECT_FALSE(read->plan_hash);
  EXPECT_TRUE(read->listen.wanted);
}

TEST(ViewDocument, MissingDocumentMeansDefaults) {
  const auto read = read_view_document("");
  ASSERT_TRUE(read);
  EXPECT_EQ(to_document(*read), to_document({}));
}

TEST(ViewDocument, InvalidDocumentIsRefused) {
  for (const std::string wrong : {"{", "[]", R"({"listen":7})"}) {
    const auto read = read_view_document(wrong);
    ASSERT_FALSE(read) << wrong;
    EXPECT_NE(read.error().text().find("can't be read"), std::string::npos);
  }
}

}  // namespace
}  // namespace tofud
