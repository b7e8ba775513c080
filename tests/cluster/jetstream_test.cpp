#include "daemon/cluster/jetstream.hpp"

#include "daemon/cluster/bucket.hpp"
#include "daemon/cluster/errors.hpp"
#include "daemon/cluster/reader.hpp"
#include "tests/cluster/nats_server.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace tofud::cluster {
namespace {

class Streams : public Linked {
 protected:
  void SetUp() override {
    link_ = connect(server_.address());
    ASSERT_TRUE(link_->is_up()) << said_.front();
    js_ = std::make_unique<jetstream>(*link_);
    ASSERT_EQ(result_of(js_->ensure(runs_)).text(), "");
  }
  text::result<std::uint64_t> append(const std::string& text, std::uint64_t expected) {
    return result_of(js_->append({"t.run.a", "", {{"Kind", "bytes"}}, text}, expected));
  }

  nats_server server_;
  std::unique_ptr<link> link_;
  std::unique_ptr<jetstream> js_;
  stream_wish runs_{"t_runs", "t.run.*"};
};

TEST_F(Streams, AreMadeOnceAndKnownAgain) {
  EXPECT_EQ(result_of(js_->ensure(runs_)).text(), "");
  stream_wish larger = runs_;
  larger.max_bytes = 1 << 20;
  EXPECT_EQ(result_of(js_->ensure(larger)).text(), "");
  const auto refused = append(std::string(2 << 20, 'x').substr(0, 900'000), 0);
  ASSERT_TRUE(refused) << refused.error().text();
  EXPECT_TRUE(append(std::string(900'000, 'x'), *refused).error().is(error::full));
}

TEST_F(Streams, OfSomebodyElseAreNotTouched) {
  stream_wish other = runs_;
  other.subjects = "other.*";
  const auto wrong = result_of(js_->ensure(other));
  EXPECT_TRUE(wrong.is(error::foreign_stream)) << wrong.text();
  other = runs_;
  other.name = "u_runs";
  const auto overlap = result_of(js_->ensure(other));
  EXPECT_TRUE(overlap.is(error::foreign_subjects)) << overlap.text();
}

TEST_F(Streams, TakeAMessageOnlyBehindTheOneThatIsExpected) {
  const auto first = append("one", 0);
  ASSERT_TRUE(first) << first.error().text();
  EXPECT_TRUE(append("again", 0).error().is(error::other_writer));
  const auto second = append("two", *first);
  ASSERT_TRUE(second);
  EXPECT_TRUE(append("late", *first).error().is(error::other_writer));
  const auto last = result_of(js_->last("t_runs", "t.run.a"));
  ASSERT_TRUE(last && *last);
  EXPECT_EQ((*last)->seq, *second);
  EXPECT_EQ((*last)->data, "two");
  EXPECT_EQ((*last)->header_of("Kind"), "bytes");
  EXPECT_GT((*last)->at, ui::time_point{});
  EXPECT_FALSE(*result_of(js_->last("t_runs", "t.run.b")));
}

TEST_F(Streams, ThatAreFullRefuseWhatIsNewAndKeepWhatIsOld) {
  stream_wish small = runs_;
  small.max_bytes = 4096;
  ASSERT_EQ(result_of(js_->ensure(small)).text(), "");
  const auto first = append(std::string(3000, 'x'), 0);
  ASSERT_TRUE(first);
  const auto full = append(std::string(3000, 'y'), *first);
  ASSERT_FALSE(full);
  EXPECT_TRUE(full.error().is(error::full)) << full.error().text();
  EXPECT_EQ((*result_of(js_->last("t_runs", "t.run.a")))->data[0], 'x');
}

TEST_F(Streams, AreReadInOrderAlsoWhenTheServerDiesMeanwhile) {
  std::uint64_t seq = 0;
  for (int i = 0; i < 500; ++i) seq = *append(std::to_string(i), seq);
  const auto reads = std::make_shared<reader>(loop_, *js_, reader::place{"t_runs", "t.run.a"});
  std::vector<std::string> got;
  const auto read_up_to = [&](std::size_t wanted) {
    while (got.size() < wanted) {
      const auto next = result_of(reads->next());
      if (!next) continue;
      for (const stored_message& each : *next) got.push_back(each.data);
    }
  };
  read_up_to(200);
  server_.kill();
  until([&] { return !link_->is_up(); });
  server_.start();
  ASSERT_TRUE(until([&] { return link_->is_up(); }));
  read_up_to(500);
  for (int i = 500; i < 510; ++i) seq = *append(std::to_string(i), seq);
  read_up_to(510);
  ASSERT_EQ(got.size(), 510U);
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], std::to_string(i));
  EXPECT_EQ(link_->reconnects(), 1U);
}

TEST_F(Streams, AreReadByWhoWaitsForWhatComes) {
  const auto reads = std::make_shared<reader>(loop_, *js_, reader::place{"t_runs", "t.run.a"});
  std::string got;
  boost::asio::co_spawn(loop_, reads->next(),
                        [&](const std::exception_ptr&, reader::messages came) {
                          if (came) got = came->front().data;
                        });
  until([] { return false; }, std::chrono::milliseconds{100});
  EXPECT_EQ(got, "");
  append("now", 0);
  EXPECT_TRUE(until([&] { return got == "now"; }));
}

TEST_F(Streams, BucketsKeepTheNewestOfEachKey) {
  bucket cards{*js_, "t_cards"};
  ASSERT_EQ(result_of(cards.ensure(1)).text(), "");
  const auto first = result_of(cards.create("a", "1"));
  ASSERT_TRUE(first) << first.error().text();
  EXPECT_TRUE(result_of(cards.create("a", "2")).error().is(error::other_writer));
  const auto second = result_of(cards.update("a", "3", *first));
  ASSERT_TRUE(second);
  EXPECT_TRUE(result_of(cards.update("a", "4", *first)).error().is(error::other_writer));
  EXPECT_EQ((*result_of(cards.get("a")))->value, "3");
  EXPECT_FALSE(*result_of(cards.get("b")));
  ASSERT_TRUE(result_of(cards.remove("a")));
  EXPECT_FALSE(*result_of(cards.get("a")));
  EXPECT_TRUE(result_of(cards.create("a", "5")));
  EXPECT_TRUE(result_of(cards.put("b.c", "6")));
  const auto all = std::make_shared<reader>(loop_, *js_, cards.all());
  std::vector<std::string> got;
  while (got.size() < 2) {
    const auto next = result_of(all->next());
    ASSERT_TRUE(next);
    for (stored_message each : *next) {
      const auto entry = cards.entry_of(std::move(each));
      got.push_back(entry.key + "=" + entry.value);
    }
  }
  EXPECT_EQ(got, (std::vector<std::string>{"a=5", "b.c=6"}));
}

TEST(Delivery, IsReadFromWhereItWouldBeAcknowledged) {
  const auto plain = parse_delivery("$JS.ACK.t_runs.Xk2.1.17.4.1732687926410000000.3");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->stream_seq, 17U);
  EXPECT_EQ(plain->consumer_seq, 4U);
  EXPECT_EQ(plain->pending, 3U);
  const auto of_domain = parse_delivery("$JS.ACK._.hash.t_runs.Xk2.1.17.4.1732687926410000000.3.r");
  ASSERT_TRUE(of_domain);
  EXPECT_EQ(of_domain->stream_seq, 17U);
  for (const char* wrong : {"", "$JS.ACK", "$JS.ACK.a.b.c", "$JS.ACK.t.x.1.a.4.1.3", "_INBOX.1"})
    EXPECT_FALSE(parse_delivery(wrong)) << wrong;
}

TEST(Servers, AreNamedWithoutPasswords) {
  for (const char* good : {"nats://127.0.0.1:4222", "tls://nats.example.com", "nats://[::1]:4222"})
    EXPECT_TRUE(check_server(good).empty()) << good;
  for (const char* bad : {"", "nats", "nats://", "http://a", "nats://a/b", "nats://a b",
                          "nats://me:hunter2@a", "nats://a,nats://b"}) {
    const std::string said = check_server(bad).text();
    EXPECT_NE(said, "") << bad;
    EXPECT_EQ(said.find("hunter2"), std::string::npos);
  }
}

TEST_F(Linked, SaysOnceWhyThereIsNoConnection) {
  nats_server server{"authorization { user: a, password: b }\n"};
  const auto made = connect(server.address());
  EXPECT_FALSE(made->is_up());
  EXPECT_NE(said_.front().find("uthoriz"), std::string::npos) << said_.front();
  until([] { return false; }, std::chrono::seconds{2});
  EXPECT_EQ(said_.size(), 1U);
  const auto wrong = result_of(made->ask({"a", "", {}, ""}));
  ASSERT_FALSE(wrong);
  EXPECT_TRUE(wrong.error().is(error::not_connected));
}

}  // namespace
}  // namespace tofud::cluster
