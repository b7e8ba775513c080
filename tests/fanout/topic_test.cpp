#include "daemon/fanout/topic.hpp"

#include "tests/fanout/fake_run.hpp"

#include <gtest/gtest.h>

namespace tofud::fanout {
namespace {

using feed::row_kind;

feed::filter only(std::initializer_list<row_kind> kinds) {
  feed::filter wanted;
  for (const row_kind kind : kinds) wanted.kinds.set(static_cast<std::size_t>(kind));
  return wanted;
}

const feed::filter rows = only({row_kind::resource, row_kind::output});
const feed::filter everything = [] {
  feed::filter wanted;
  wanted.kinds.set();
  return wanted;
}();

/// A subscriber that was sent all there was.
struct subscriber {
  fake_run& run;
  feed::filter wanted;
  cursor where;
  filled did = filled::nothing;

  std::string next() {
    std::string out;
    did = run.log.fill(where, wanted, out);
    return brief(out);
  }
  /// The flushes until there is nothing more, each in brackets.
  std::string all() {
    std::string flushes;
    do {
      flushes += "[" + next() + "]";
    } while (did == filled::more);
    return flushes;
  }
};

subscriber at_head(fake_run& run, feed::filter wanted = rows) {
  return {run, std::move(wanted), {run.log.head(), true, true, run.log.view_version(), 0, {}, {}}};
}

/// A frame for `lines` rows or lines of the test and an `at`.
topic_limits small_frames(std::size_t lines) {
  topic_limits limits;
  limits.frame_bytes = lines * 60 + 40;
  return limits;
}

TEST(Topic, EmptyOneIsLiveAtOnceAtZero) {
  fake_run run;
  subscriber one{run, rows, {}};
  EXPECT_EQ(one.next(), "at 0 live");
  EXPECT_EQ(one.did, filled::caught_up);
  EXPECT_EQ(one.next(), "");
  EXPECT_EQ(one.did, filled::nothing);
}

TEST(Topic, BacklogThatFitsOneFlushGoesInSequenceOrderRowsAndLinesMerged) {
  fake_run run;
  const auto a = run.add("a");
  run.line();
  run.add("b");
  run.line();
  run.change(a, "changed");
  subscriber one{run, everything, {}};
  EXPECT_EQ(one.next(), "run=first, text 2, b=new, text 4, a=changed, at 5 live");
  EXPECT_EQ(one.did, filled::caught_up);
}

TEST(Topic, OnlyWhatChangedAfterTheCursorGoes) {
  fake_run run;
  const auto a = run.add("a");
  run.add("b");
  subscriber one = at_head(run);
  run.change(a, "1");
  run.change(a, "2");
  EXPECT_EQ(one.next(), "a=2, at 4");
  EXPECT_EQ(one.next(), "");
}

TEST(Topic, OnlyTheFirstAtOfAConnectionIsLive) {
  fake_run run;
  run.add("a");
  subscriber one{run, rows, {}};
  EXPECT_EQ(one.next(), "a=new, at 1 live");
  run.add("b");
  EXPECT_EQ(one.next(), "b=new, at 2");
}

TEST(Topic, ResumedConnectionThatMissedNothingIsLiveAtOnce) {
  fake_run run;
  run.add("a");
  cursor resumed;
  resumed.at = 1;
  subscriber one{run, rows, resumed};
  EXPECT_EQ(one.next(), "at 1 live");
}

TEST(Topic, LargerBacklogGoesInOrderOfFirstAppearanceThenLinesThenAt) {
  fake_run run{small_frames(2)};
  const auto a = run.add("a");
  run.line();
  run.add("b");
  run.add("c");
  run.line();
  run.change(a, "2");
  subscriber one{run, everything, {0, false, true, 0, 0, {}, {}}};
  EXPECT_EQ(one.all(), "[a=2, b=new][c=new, text 2][text 5, at 6 live]");
}

TEST(Topic, PassSendsOnlyWhatChangedSinceTheCursor) {
  fake_run run{small_frames(2)};
  for (const char* const key : {"a", "b", "c", "d", "e", "f"}) run.add(key);
  subscriber one = at_head(run);
  for (const feed::row_number row : {5U, 1U, 3U}) run.change(row, "2");
  EXPECT_EQ(one.all(), "[b=2, d=2][f=2, at 9]");
}

TEST(Topic, PassEndsAtTheHeadItBeganWithAndIsRightAboutRowsThatChangeMeanwhile) {
  fake_run run{small_frames(2)};
  for (const char* const key : {"a", "b", "c", "d"}) run.add(key);
  subscriber one{run, rows, {}};
  EXPECT_EQ(one.next(), "a=new, b=new");
  EXPECT_EQ(one.did, filled::more);
  run.change(0, "2");  // already sent: again after this pass
  run.change(3, "2");  // not yet: newest version now, and again after this pass
  run.add("e");        // appeared after the pass began
  EXPECT_EQ(one.all(), "[c=new, d=2, at 4 live][a=2, d=2][e=new, at 7]");
}

TEST(Topic, AFastChangingRowIsSentOnceAPassAndDelaysNoOther) {
  fake_run run{small_frames(2)};
  for (int i = 0; i < 50; ++i) run.add("r" + std::to_string(i));
  subscriber one{run, rows, {}};
  std::map<std::string, int> sent;
  for (int flushes = 0; !one.where.live; ++flushes) {
    ASSERT_LT(flushes, 26);
    std::string out;
    one.did = run.log.fill(one.where, one.wanted, out);
    for (const seen_line& line : read(out)) ++sent[line.key];
    run.change(0, std::to_string(flushes));
    run.change(49, std::to_string(flushes));
  }
  for (int i = 0; i < 50; ++i) EXPECT_EQ(sent["r" + std::to_string(i)], 1) << i;
}

TEST(Topic, MovedHeadWithNothingThatPassesMovesTheCursor) {
  fake_run run;
  subscriber one = at_head(run, only({row_kind::output}));
  run.add("a");
  run.line();
  EXPECT_EQ(one.next(), "at 2");
  EXPECT_EQ(one.next(), "");
}

TEST(Topic, RowLongerThanAFrameGoesAlone) {
  fake_run run{small_frames(2)};
  run.add("a");
  run.add("b", std::string(500, 'x'));
  run.add("c");
  subscriber one{run, rows, {}};
  EXPECT_EQ(one.all(), "[a=new][b=" + std::string(500, 'x') + "][c=new, at 3 live]");
}

TEST(Topic, LoneRowLongerThanAFrameIsFollowedByAnAtOfItsOwn) {
  fake_run run{small_frames(2)};
  subscriber one = at_head(run);
  run.add("b", std::string(500, 'x'));
  EXPECT_EQ(one.all(), "[b=" + std::string(500, 'x') + "][at 1]");
}

TEST(Topic, LineLongerThanAFrameGoesAlone) {
  fake_run run{small_frames(2)};
  subscriber one = at_head(run, only({row_kind::text}));
  run.line();
  run.line(row_kind::text, feed::no_row, std::string(500, 'x'));
  run.line();
  EXPECT_EQ(one.all(), "[text 1][text 2][text 3, at 3]");
}

TEST(Topic, FlushIsNeverLongerThanAFrame) {
  for (std::size_t bytes = 100; bytes < 400; bytes += 7) {
    topic_limits limits;
    limits.frame_bytes = bytes;
    fake_run run{limits};
    for (int i = 0; i < 9; ++i) {
      run.add("r" + std::to_string(i));
      run.line();
    }
    cursor where;
    for (filled did = filled::more; did == filled::more;) {
      std::string out = "before";
      did = run.log.fill(where, everything, out);
      EXPECT_LE(out.size() - 6, bytes);
    }
    EXPECT_EQ(where.at, 18U);
  }
}

TEST(Topic, ExaminesNoMoreRowsInOneTurnThanAllowedThoughNonePass) {
  topic_limits limits;
  limits.rows_per_turn = 10;
  fake_run run{limits};
  for (int i = 0; i < 35; ++i) run.add("r" + std::to_string(i));
  subscriber one{run, only({row_kind::output}), {}};
  for (int turn = 0; turn < 3; ++turn) {
    run.examined = 0;
    EXPECT_EQ(one.next(), "");
    EXPECT_EQ(one.did, filled::more);
    EXPECT_LE(run.examined, 10U);
  }
  EXPECT_EQ(one.next(), "at 35 live");
  EXPECT_EQ(one.did, filled::caught_up);
}

TEST(Topic, ExaminesNoMoreLinesInOneTurnThanAllowed) {
  topic_limits limits;
  limits.rows_per_turn = 10;
  fake_run run{limits};
  for (int i = 0; i < 25; ++i) run.line();
  subscriber one{run, only({row_kind::log}), {}};
  EXPECT_EQ(one.all(), "[][][][at 25 live]");
}

// ---- views ----------------------------------------------------------------------------------

TEST(Topic, ViewGoesFirstAndAgainAtTheHeadOfAFlushInWhichItChanged) {
  fake_run run;
  run.add("a");
  subscriber one{run, everything, {}};
  EXPECT_EQ(one.next(), "run=first, a=new, at 1 live");
  run.add("b");
  EXPECT_EQ(one.next(), "b=new, at 2");
  run.view("second");
  run.add("c");
  EXPECT_EQ(one.next(), "run=second, c=new, at 3");
}

TEST(Topic, FlushOfAViewAloneHasNoAt) {
  fake_run run;
  subscriber one = at_head(run, everything);
  run.view("second");
  EXPECT_EQ(one.next(), "run=second");
  EXPECT_EQ(one.did, filled::caught_up);
  EXPECT_EQ(one.next(), "");
}

TEST(Topic, AViewIsSentOnlyToSubscribersOfItsKind) {
  fake_run run;
  subscriber one{run, rows, {}};
  EXPECT_EQ(one.next(), "at 0 live");
  run.view("second");
  EXPECT_EQ(one.next(), "");
  EXPECT_EQ(run.views, 0U);
}

TEST(Topic, ViewThatChangesDuringAPassGoesAtTheHeadOfItsNextFlush) {
  fake_run run{small_frames(2)};
  for (const char* const key : {"a", "b", "c"}) run.add(key);
  subscriber one{run, everything, {}};
  EXPECT_EQ(one.next(), "run=first, a=new");
  run.view("second");
  EXPECT_EQ(one.next(), "run=second, b=new");
  EXPECT_EQ(one.next(), "c=new, at 3 live");
}

TEST(Topic, ViewMakesRoomForARowThatWouldNotGoOtherwise) {
  fake_run run{small_frames(2)};
  const std::string big(100, 'x');
  run.add("a", big);
  run.add("b", big);
  run.view("1");
  subscriber one{run, everything, {}};
  EXPECT_EQ(one.next(), "run=1");  // the first view is never put off
  run.view("2");
  EXPECT_EQ(one.next(), "a=" + big);
  run.view("3");
  EXPECT_EQ(one.next(), "b=" + big);
  EXPECT_EQ(one.next(), "run=3, at 2 live");
}

TEST(Topic, SourceWithoutAViewIsFine) {
  feed::row_source source;
  source.facts = [](feed::row_number) { return feed::row_facts{row_kind::run, {}, {}, {}}; };
  source.encode = [](std::string& out, feed::row_number, feed::sequence) {
    out += R"({"kind":"run","key":"x","value":"v"})";
  };
  for (const bool with_empty : {false, true}) {
    if (with_empty) source.view = [](std::string&) {};
    topic wall{"wall", "", "E", source};
    wall.change({0, 1});
    cursor where;
    std::string out;
    EXPECT_EQ(wall.fill(where, everything, out), filled::caught_up);
    EXPECT_EQ(brief(out), "x=v, at 1 live");
  }
}

// ---- filters --------------------------------------------------------------------------------

TEST(Topic, AddressChoosesResourcesAndTheirLogLinesOthersPass) {
  fake_run run;
  const auto a = run.add("a");
  const auto b = run.add("b");
  run.line(row_kind::log, a);
  run.line(row_kind::log, b);
  run.line(row_kind::text);
  run.add("out", "1", row_kind::output);
  feed::filter wanted = everything;
  wanted.kinds.reset(static_cast<std::size_t>(row_kind::run));
  wanted.addr = {"b*"};
  subscriber one{run, wanted, {}};
  EXPECT_EQ(one.next(), "b=new, log 4, text 5, out=1, at 6 live");
}

TEST(Topic, LogAndTextAreChosenApart) {
  fake_run run;
  const auto a = run.add("a");
  run.line(row_kind::log, a);
  run.line(row_kind::text);
  subscriber log{run, only({row_kind::log}), {}};
  EXPECT_EQ(log.next(), "log 2, at 3 live");
  subscriber text{run, only({row_kind::text}), {}};
  EXPECT_EQ(text.next(), "text 3, at 3 live");
}

// ---- lines that are gone --------------------------------------------------------------------

/// Keeps the newest two or three lines.
topic_limits few_lines() {
  topic_limits limits;
  limits.chunk_bytes = 60;
  limits.lines_bytes = 130;
  return limits;
}

TEST(Topic, CursorBeforeTheFirstKeptLineGetsOneGap) {
  fake_run run{few_lines()};
  for (int i = 0; i < 6; ++i) run.line();
  run.add("a");
  subscriber one{run, everything, {}};
  EXPECT_EQ(one.next(), "run=first, gap 1-4, text 5, text 6, a=new, at 7 live");
  for (int i = 0; i < 2; ++i) run.line();
  EXPECT_EQ(one.next(), "text 8, text 9, at 9");
}

TEST(Topic, AGapIsSentOnlyToSubscribersOfLines) {
  fake_run run{few_lines()};
  for (int i = 0; i < 6; ++i) run.line();
  subscriber one{run, rows, {}};
  EXPECT_EQ(one.next(), "at 6 live");
}

TEST(Topic, GapBeginsAfterTheCursor) {
  fake_run run{few_lines()};
  run.line();
  subscriber one = at_head(run, everything);
  for (int i = 0; i < 6; ++i) run.line();
  EXPECT_EQ(one.next(), "gap 2-5, text 6, text 7, at 7");
}

TEST(Topic, GapOfAPassStandsBeforeItsLines) {
  topic_limits limits = few_lines();
  limits.frame_bytes = small_frames(2).frame_bytes;
  fake_run run{limits};
  for (int i = 0; i < 6; ++i) run.line();
  for (const char* const key : {"a", "b"}) run.add(key);
  subscriber one{run, everything, {0, false, true, 0, 0, {}, {}}};
  EXPECT_EQ(one.all(), "[a=new, b=new][gap 1-4, text 5][text 6, at 8 live]");
}

TEST(Topic, LinesThatGoDuringAPassAreAGapUpToItsEndAndThenAnother) {
  topic_limits limits = few_lines();
  limits.frame_bytes = small_frames(2).frame_bytes;
  fake_run run{limits};
  for (const char* const key : {"a", "b", "c"}) run.add(key);
  run.line();
  subscriber one{run, everything, {0, false, true, 0, 0, {}, {}}};
  EXPECT_EQ(one.next(), "a=new, b=new");
  for (int i = 0; i < 6; ++i) run.line();
  EXPECT_EQ(one.all(), "[c=new, gap 1-4, at 4 live][gap 5-8, text 9][text 10, at 10]");
}

// ---- removals -------------------------------------------------------------------------------

TEST(Topic, RemovedRowIsTakenBackInSequenceOrder) {
  fake_run run;
  const auto a = run.add("a");
  run.add("b");
  subscriber one = at_head(run);
  run.change(a, "2");
  run.remove(a);
  run.add("c");
  EXPECT_EQ(one.next(), "-a, c=new, at 5");
}

TEST(Topic, PassTakesBackFirstSoThatARowThatCameBackStays) {
  fake_run run{small_frames(2)};
  const auto a = run.add("a");
  run.add("b");
  subscriber one = at_head(run);
  run.remove(a);
  run.add("c");
  run.add("a", "again");
  EXPECT_EQ(one.all(), "[-a, c=new][a=again, at 5]");
}

TEST(Topic, RemovedRowMayComeBackUnderItsNumber) {
  fake_run run;
  const auto a = run.add("a");
  run.add("b");
  subscriber one = at_head(run);
  run.remove(a);
  EXPECT_EQ(one.next(), "-a, at 3");
  run.change(a, "again");
  EXPECT_EQ(one.next(), "a=again, at 4");
}

TEST(Topic, ADroppedRemovalIsNotSentAndCursorsBeforeItAreReset) {
  fake_run run;
  const auto a = run.add("a");
  const auto b = run.add("b");
  run.remove(a);
  run.remove(b);
  run.log.forget_removed(3);
  subscriber one{run, rows, {}};
  EXPECT_EQ(one.next(), "-b, at 4 live");
  EXPECT_EQ(run.log.reset_reason({"E", 2}), "removed");
  EXPECT_EQ(run.log.reset_reason({"E", 3}), std::nullopt);
}

// ---- resuming -------------------------------------------------------------------------------

TEST(Topic, ResumesOnlyFromItsOwnEpochAndPast) {
  fake_run run;
  run.add("a");
  EXPECT_EQ(run.log.reset_reason({"E", 0}), std::nullopt);
  EXPECT_EQ(run.log.reset_reason({"E", 1}), std::nullopt);
  EXPECT_EQ(run.log.reset_reason({"E", 2}), "head");
  EXPECT_EQ(run.log.reset_reason({"F", 1}), "epoch");
}

TEST(Topic, RemembersItsNameAndThatItEnded) {
  fake_run run;
  EXPECT_EQ(run.log.name(), "run/R");
  EXPECT_EQ(run.log.epoch(), "E");
  EXPECT_FALSE(run.log.ended());
  run.log.end();
  EXPECT_TRUE(run.log.ended());
}

// ---- cost -----------------------------------------------------------------------------------

TEST(Topic, OnlyChangedRowsOfAMillionCostAReaderTime) {
  fake_run run;
  constexpr feed::row_number many = 1'000'000;
  run.rows.resize(many);
  for (feed::row_number row = 0; row < many; ++row) run.log.change({row, ++run.seq});
  EXPECT_EQ(run.examined + run.encoded, 0U);  // nothing is encoded before somebody needs it

  subscriber one = at_head(run);
  constexpr std::size_t flushes = 1000, changes = 1000;
  for (std::size_t flush = 0; flush < flushes; ++flush) {
    for (std::size_t i = 0; i < changes; ++i)
      run.log.change({static_cast<feed::row_number>((flush * 7919 + i % 50) % many), ++run.seq});
    std::string out;
    EXPECT_EQ(run.log.fill(one.where, one.wanted, out), filled::caught_up);
  }
  EXPECT_EQ(run.examined, flushes * 50);
  EXPECT_EQ(run.encoded, flushes * 50);
}

TEST(Topic, ForecastsComeAtTheHeadOfAFlushAndOnceEachTimeTheyChange) {
  fake_run run;
  const auto a = run.add("a");
  const auto b = run.add("b");
  run.forecast(a, "slow");
  subscriber one{run, everything, {}};
  EXPECT_EQ(one.next(), "run=first, ~a=slow, a=new, b=new, at 2 live");
  EXPECT_EQ(one.next(), "");
  run.forecast(b, "fast");
  run.forecast(a, "slower");
  EXPECT_EQ(one.next(), "~b=fast, ~a=slower");
  EXPECT_EQ(one.did, filled::caught_up);
  run.forecast(b, "faster");
  run.change(a, "changed");
  EXPECT_EQ(one.next(), "~b=faster, a=changed, at 3");
}

TEST(Topic, ForecastsAreChosenByKindAndAddress) {
  fake_run run;
  run.forecast(run.add("a"), "1");
  run.forecast(run.add("b"), "2");
  subscriber none{run, rows, {}};
  EXPECT_EQ(none.next(), "a=new, b=new, at 2 live");
  EXPECT_EQ(none.did, filled::caught_up);
  feed::filter wanted = only({row_kind::forecast});
  wanted.addr = {"b"};
  subscriber one{run, wanted, {}};
  EXPECT_EQ(one.next(), "~b=2, at 2 live");
}

TEST(Topic, ManyForecastsGoInFlushesOfALimitedSize) {
  fake_run run{small_frames(2)};
  for (const char* name : {"a", "b", "c", "d", "e"}) run.forecast(run.add(name), "1");
  subscriber one{run, only({row_kind::forecast}), {}};
  EXPECT_EQ(one.all(), "[~a=1, ~b=1, ~c=1][~d=1, ~e=1, at 5 live]");
}

TEST(Topic, MoreForecastsThanATurnExaminesAreWalkedAndNoneIsLost) {
  topic_limits limits;
  limits.rows_per_turn = 4;
  fake_run run{limits};
  for (const char* name : {"a", "b", "c", "d", "e"}) run.forecast(run.add(name), "1");
  subscriber one{run, only({row_kind::forecast}), {}};
  EXPECT_EQ(one.next(), "~a=1, ~b=1, ~c=1, ~d=1");
  EXPECT_EQ(one.did, filled::more);
  run.forecast(0, "2");  // behind the pass: it comes again
  std::string rest = one.all();
  EXPECT_NE(rest.find("~e=1"), std::string::npos) << rest;
  EXPECT_NE(rest.find("~a=2"), std::string::npos) << rest;
  EXPECT_EQ(rest.find("~b"), std::string::npos) << rest;
}

}  // namespace
}  // namespace tofud::fanout
