#include "daemon/fanout/flush_cache.hpp"

#include "tests/fanout/fake_run.hpp"

#include <gtest/gtest.h>

namespace tofud::fanout {
namespace {

feed::filter defaults() { return {feed::default_kinds(), {}, {}, {}}; }

TEST(FlushCache, SubscribersAtTheSamePlaceGetTheSameBytes) {
  fake_run run;
  run.add("a");
  flush_cache cache;
  cursor one, two;
  const flush first = cache.next(run.log, one, defaults(), framing::lines);
  const flush second = cache.next(run.log, two, defaults(), framing::lines);
  EXPECT_EQ(brief(*first.bytes), "run=first, a=new, at 1 live");
  EXPECT_EQ(first.bytes, second.bytes);
  EXPECT_EQ(second.did, filled::caught_up);
  EXPECT_EQ(one, two);
  EXPECT_EQ(run.encoded, 1U);
}

TEST(FlushCache, NothingIsNull) {
  fake_run run;
  flush_cache cache;
  cursor where;
  cache.next(run.log, where, defaults(), framing::lines);
  const flush none = cache.next(run.log, where, defaults(), framing::lines);
  EXPECT_EQ(none.did, filled::nothing);
  EXPECT_EQ(none.bytes, nullptr);
}

TEST(FlushCache, OtherFiltersFramingsTopicsAndPlacesGetOtherBytes) {
  fake_run run, same;
  for (fake_run* const r : {&run, &same}) {
    r->add("a");
    r->add("b");
  }
  flush_cache cache;
  feed::filter other = defaults();
  other.addr = {"b"};
  cursor place;
  place.at = 1;
  std::vector<std::shared_ptr<const std::string>> all;
  const auto next = [&](const topic& from, cursor where, const feed::filter& wanted, framing how) {
    all.push_back(cache.next(from, where, wanted, how).bytes);
  };
  next(run.log, {}, defaults(), framing::lines);
  next(run.log, {}, other, framing::lines);
  next(run.log, {}, defaults(), framing::sse);
  next(run.log, place, defaults(), framing::lines);
  next(same.log, {}, defaults(), framing::lines);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(all[i], all[j]) << i << " " << j;
}

TEST(FlushCache, FlushIsMadeAnewWhenTheTopicOrItsViewMoved) {
  fake_run run;
  const auto a = run.add("a");
  flush_cache cache;
  cursor one, two, three;
  cache.next(run.log, one, defaults(), framing::lines);
  run.change(a, "2");
  EXPECT_EQ(brief(*cache.next(run.log, two, defaults(), framing::lines).bytes),
            "run=first, a=2, at 2 live");
  run.view("second");
  EXPECT_EQ(brief(*cache.next(run.log, three, defaults(), framing::lines).bytes),
            "run=second, a=2, at 2 live");
}

TEST(FlushCache, FullFlushIsSharedThoughTheTopicMovedOn) {
  topic_limits limits;
  limits.frame_bytes = 160;
  fake_run run{limits};
  for (const char* const key : {"a", "b", "c", "d"}) run.add(key);
  flush_cache cache;
  feed::filter wanted = defaults();
  wanted.kinds.reset(static_cast<std::size_t>(feed::row_kind::run));
  cursor early, late;
  const flush first = cache.next(run.log, early, wanted, framing::lines);
  EXPECT_EQ(first.did, filled::more);
  run.change(0, "2");
  const flush second = cache.next(run.log, late, wanted, framing::lines);
  EXPECT_EQ(first.bytes, second.bytes);
  std::string rest;
  for (flush next = second; next.did == filled::more;) {
    next = cache.next(run.log, late, wanted, framing::lines);
    rest += *next.bytes;
  }
  EXPECT_EQ(brief(rest), "c=new, d=new, at 4 live, a=2, at 5");
}

TEST(FlushCache, AFullFlushIsNotSharedAfterADroppedRemoval) {
  topic_limits limits;
  limits.frame_bytes = 160;
  fake_run run{limits};
  for (const char* const key : {"a", "b", "c", "d"}) run.add(key);
  flush_cache cache;
  cursor early, late;
  cache.next(run.log, early, defaults(), framing::lines);
  run.remove(0);
  run.log.forget_removed(run.seq);
  const flush second = cache.next(run.log, late, defaults(), framing::lines);
  EXPECT_EQ(brief(*second.bytes), "run=first, b=new");
}

TEST(FlushCache, HoldsTheNewestFlushesOnly) {
  fake_run run;
  for (int i = 0; i < 5; ++i) run.add("r" + std::to_string(i));
  flush_cache cache{2};
  const auto encoded_for = [&](feed::sequence at) {
    const std::size_t before = run.encoded;
    cursor where;
    where.at = at;
    cache.next(run.log, where, defaults(), framing::lines);
    return run.encoded - before;
  };
  EXPECT_EQ(encoded_for(1), 4U);
  EXPECT_EQ(encoded_for(2), 3U);
  EXPECT_EQ(encoded_for(1), 0U);
  EXPECT_EQ(encoded_for(3), 2U);  // takes the place of the first
  EXPECT_EQ(encoded_for(2), 0U);
  EXPECT_EQ(encoded_for(1), 4U);
}

TEST(FlushCache, ServerSentEventsAreOneALineAndTheAtHasAnId) {
  fake_run run;
  run.add("a");
  flush_cache cache;
  cursor where;
  EXPECT_EQ(*cache.next(run.log, where, defaults(), framing::sse).bytes,
            "data: {\"kind\":\"run\",\"key\":\"R\",\"value\":\"first\"}\n\n"
            "data: {\"kind\":\"resource\",\"key\":\"a\",\"seq\":1,\"value\":\"new\"}\n\n"
            "id: E:1\ndata: {\"kind\":\"at\",\"seq\":1,\"live\":true}\n\n");
  run.view("second");
  EXPECT_EQ(*cache.next(run.log, where, defaults(), framing::sse).bytes,
            "data: {\"kind\":\"run\",\"key\":\"R\",\"value\":\"second\"}\n\n");
}

TEST(FlushCache, ServerSentEventOfAnAtAloneHasAnId) {
  fake_run run;
  flush_cache cache;
  cursor where;
  feed::filter wanted;
  EXPECT_EQ(*cache.next(run.log, where, wanted, framing::sse).bytes,
            "id: E:0\ndata: {\"kind\":\"at\",\"seq\":0,\"live\":true}\n\n");
}

TEST(FlushCache, OutlivesItsTopics) {
  flush_cache cache;
  for (int i = 0; i < 3; ++i) {
    fake_run run;
    run.add("a", std::to_string(i));
    cursor where;
    EXPECT_EQ(brief(*cache.next(run.log, where, defaults(), framing::lines).bytes),
              "run=first, a=" + std::to_string(i) + ", at 1 live");
  }
}

}  // namespace
}  // namespace tofud::fanout
