// Who begins in the middle: an engine that goes on from a snapshot, and its subscribers.
#include "daemon/correlator/errors.hpp"
#include "daemon/pipeline/engine.hpp"
#include "daemon/pipeline/errors.hpp"
#include "daemon/pipeline/run_topics.hpp"
#include "tests/correlator/by_hand.hpp"
#include "tests/correlator/recorded.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace tofud::pipeline {
namespace {

using test::stream;

correlator::run_identity identity() {
  correlator::run_identity made;
  made.id = "r";
  return made;
}

/// What a subscriber of rows gets who was at `since`.
std::string subscribed(const fanout::topic& topic, feed::sequence since) {
  feed::filter wanted;
  wanted.kinds.set();
  wanted.kinds.reset(static_cast<std::size_t>(feed::row_kind::log));
  wanted.kinds.reset(static_cast<std::size_t>(feed::row_kind::text));
  EXPECT_FALSE(topic.reset_reason({topic.epoch(), since}));
  fanout::cursor where;
  where.at = since;
  std::string all;
  while (topic.fill(where, wanted, all) != fanout::filled::nothing) {
  }
  return all;
}

TEST(EngineSnapshot, SubscribersGetTheSameFromEitherEngine) {
  for (const test::recorded& each : test::all_recordings()) {
    SCOPED_TRACE(each.path.string());
    const std::string bytes = test::read_file(each.path).value();
    const auto cut = bytes.size() / 2;
    engine one{identity()};
    run_topics of_one{one, {}};
    one.add({bytes.size() / 3, events::label{"k", "v"}});
    one.feed(std::string_view{bytes}.substr(0, cut));
    const auto snapshot = one.snapshot();
    ASSERT_TRUE(snapshot);

    engine other{identity()};
    const auto wrong = other.restore(*snapshot);
    ASSERT_TRUE(wrong.empty()) << wrong.text();
    EXPECT_EQ(other.offset(), cut);
    run_topics of_other{other, {}};
    const auto compare = [&](feed::sequence since) {
      ASSERT_EQ(of_other.runs().size(), of_one.runs().size());
      for (std::size_t i = 0; i < of_one.runs().size(); ++i) {
        const fanout::topic &a = of_one.runs()[i].topic, &b = of_other.runs()[i].topic;
        EXPECT_EQ(a.ended(), b.ended());
        ASSERT_EQ(a.head(), b.head());
        EXPECT_EQ(subscribed(a, std::min(since, a.head())),
                  subscribed(b, std::min(since, b.head())));
      }
    };
    const feed::sequence at = of_one.runs().back().topic.head();
    compare(0);
    compare(at / 2);
    for (engine* rows : {&one, &other}) {
      rows->add({cut, events::exit_status{0}});
      rows->feed(std::string_view{bytes}.substr(cut));
      rows->end();
    }
    compare(0);
    compare(at);  // who was there when it was made goes on with the other one
  }
}

TEST(EngineSnapshot, ReadsAgainWhatWasAttached) {
  std::vector<std::string> read;
  const auto reader = [&](const events::attachment& part, attachments::documents&) {
    read.push_back(std::string{feed::name(part.part)} + " " + part.sha256);
    return part.sha256 != "gone";
  };
  engine one{identity(), reader};
  one.add({0, events::attachment{feed::attachment::config, "gone", 0, 0}});
  one.add({0, events::attachment{feed::attachment::plan, "12", 5, 1}});
  one.feed(stream{}.version().text());
  const auto snapshot = one.snapshot();
  ASSERT_TRUE(snapshot);
  read.clear();
  engine other{identity(), reader};
  EXPECT_TRUE(other.restore(*snapshot).empty());
  EXPECT_EQ(read, std::vector<std::string>{"plan 12"});
  EXPECT_EQ(other.fold().attached().size(), 1U);

  engine without{identity(), [](const auto&, auto&) { return false; }};
  EXPECT_TRUE(without.restore(*snapshot).is(error::part_of_snapshot_gone));
}

TEST(EngineSnapshot, OtherBytesAreRefused) {
  for (const std::string wrong : {"", "x", "\xff\xff\xff\xff"}) {
    engine rows{identity()};
    EXPECT_TRUE(rows.restore(wrong).is(correlator::error::torn_snapshot)) << wrong;
  }
}

TEST(EngineSnapshot, AnEngineWithRedactionOrAttachmentsHasNone) {
  engine redacting{identity()};
  redacting.redact_by({});
  EXPECT_FALSE(redacting.snapshot());
  engine given{identity()};
  given.attach_at({0, {}});
  EXPECT_FALSE(given.snapshot());
}

TEST(EngineSnapshot, LinesFromBeforeItAreReportedAsMissing) {
  engine one{identity()};
  one.feed("a line of text\n");
  engine other{identity()};
  ASSERT_TRUE(other.restore(*one.snapshot()).empty());
  run_topics topics{other, {}};
  feed::filter wanted;
  wanted.kinds.set();
  fanout::cursor where;
  std::string all;
  while (topics.runs().front().topic.fill(where, wanted, all) != fanout::filled::nothing) {
  }
  EXPECT_NE(all.find(R"({"kind":"gap")"), std::string::npos) << all;
}

}  // namespace
}  // namespace tofud::pipeline
