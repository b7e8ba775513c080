// Random changes, random subscribers: whoever reads, however slowly, from wherever, with whatever
// filter and however often cut off, ends with what a map of the newest rows holds.
#include "daemon/fanout/flush_cache.hpp"
#include "tests/fanout/fake_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <sstream>

namespace tofud::fanout {
namespace {

using feed::row_kind;
using state = std::map<std::pair<std::string, std::string>, std::string>;

std::string kind_name(row_kind kind) { return std::string{feed::name(kind)}; }

/// A client that believes only what it was sent, and says what it was not promised.
class client {
 public:
  client(fake_run& run, topic_limits limits, feed::filter wanted, bool sharing)
      : run_{run}, limits_{limits}, wanted_{std::move(wanted)}, sharing_{sharing} {}

  filled read_once(flush_cache& shared) {
    const cursor before = where_;
    flush got;
    if (sharing_) {
      got = shared.next(run_.log, where_, wanted_, framing::lines);
    } else {
      std::string out;
      got.did = run_.log.fill(where_, wanted_, out);
      if (!out.empty()) got.bytes = std::make_shared<const std::string>(std::move(out));
    }
    take(got.bytes ? *got.bytes : std::string{}, before, got.did);
    return got.did;
  }

  /// Cut off at any moment; comes back with its last `at`, or with nothing if it had none.
  void reconnect() {
    where_ = {};
    where_.at = at_.value_or(0);
    in_pass_.clear();
    resumed_ = true;
    if (run_.log.reset_reason({"E", where_.at})) {
      where_ = {};
      at_.reset();
      rows_.clear();
    }
  }

  /// What only a connection that is gone missed must not be forgotten by the topic yet.
  feed::sequence needs_removals_after() const { return where_.at; }

  void check_the_end() const {
    EXPECT_TRUE(where_.live);
    EXPECT_EQ(at_, run_.seq);
    EXPECT_EQ(rows_, expected());
    for (const fake_line& line : run_.lines) {
      const std::size_t times = lines_.count(line.seq) != 0 ? lines_.at(line.seq) : 0;
      if (!passes(line)) {
        EXPECT_EQ(times, 0U);
      } else if (!in_a_gap(line.seq)) {
        EXPECT_GE(times, 1U) << line.seq;
      }
      if (!resumed_) {
        EXPECT_LE(times, 1U) << line.seq;
      }
    }
    if (!resumed_ && wants_lines()) expect_gaps_are_apart();
  }

  std::string story;  // for failures

 private:
  bool wants_lines() const { return wanted_.wants(row_kind::log) || wanted_.wants(row_kind::text); }

  bool passes(const fake_line& line) const {
    feed::row_facts facts;
    if (line.subject != feed::no_row) facts = run_.rows[line.subject].facts();
    facts.kind = line.kind;
    return wanted_.passes(facts);
  }

  bool in_a_gap(feed::sequence seq) const {
    return std::any_of(gaps_.begin(), gaps_.end(),
                       [=](const seen_line& gap) { return gap.seq <= seq && seq <= gap.to; });
  }

  void expect_gaps_are_apart() const {
    for (std::size_t i = 1; i < gaps_.size(); ++i) EXPECT_GT(gaps_[i].seq, gaps_[i - 1].to);
    for (const seen_line& gap : gaps_)
      for (const auto& [seq, times] : lines_) EXPECT_FALSE(gap.seq <= seq && seq <= gap.to);
  }

  state expected() const {
    state rows;
    for (const fake_row& row : run_.rows)
      if (!row.removed && wanted_.passes(row.facts()))
        rows[{kind_name(row.kind), row.key}] = row.value;
    if (wanted_.wants(row_kind::run)) rows[{"run", "R"}] = run_.view_value;
    return rows;
  }

  void take(const std::string& bytes, const cursor& before, filled did) {
    story += "[" + brief(bytes) + "]\n";
    const std::vector<seen_line> lines = read(bytes);
    const bool moved = before.at != where_.at || before.live != where_.live;
    EXPECT_EQ(did == filled::nothing, lines.empty() && did != filled::more);
    EXPECT_TRUE(did != filled::nothing || before == where_);
    EXPECT_TRUE(did != filled::more || !(before == where_)) << "it would be asked for ever";
    EXPECT_TRUE(did == filled::more || where_.at == run_.seq);
    EXPECT_TRUE(bytes.size() <= limits_.frame_bytes || lines.size() == 1) << bytes;
    EXPECT_EQ(moved, !lines.empty() && lines.back().kind == "at") << bytes;
    EXPECT_GE(where_.at, before.at);

    // Not so when a view took the room, was put off for that, and the pass came to an end at once.
    const bool in_order = moved && !before.walking && did != filled::more;
    feed::sequence last = before.at;
    if (!before.walking) in_pass_.clear();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const seen_line& line = lines[i];
      if (line.kind == "at") {
        EXPECT_EQ(i, lines.size() - 1);
        EXPECT_EQ(line.seq, where_.at);
        EXPECT_GE(line.seq, at_.value_or(0));
        EXPECT_EQ(line.live, !before.live);
        at_ = line.seq;
        in_pass_.clear();
      } else if (line.kind == "gap") {
        gaps_.push_back(line);
      } else if (line.kind == "run") {
        EXPECT_EQ(i, 0U);
        EXPECT_FALSE(before.greeted && before.view == where_.view) << "the same view again";
        rows_[{"run", "R"}] = line.value;
      } else {
        EXPECT_GT(line.seq, before.at) << "not changed since the cursor";
        if (in_order) {
          EXPECT_GT(line.seq, last) << bytes;
          last = line.seq;
        }
        keep(line);
      }
    }
    EXPECT_TRUE(before.greeted || !wanted_.wants(row_kind::run) || lines.front().kind == "run");
  }

  void keep(const seen_line& line) {
    if (line.kind == "removed") {
      EXPECT_TRUE(in_pass_.insert("-" + line.key + std::to_string(line.seq)).second);
      rows_.erase({line.of, line.key});
    } else if (line.kind == "log" || line.kind == "text") {
      ++lines_[line.seq];
    } else {
      EXPECT_TRUE(in_pass_.insert(line.kind + line.key).second) << "twice in a pass: " << line.key;
      rows_[{line.kind, line.key}] = line.value;
    }
  }

  fake_run& run_;
  topic_limits limits_;
  feed::filter wanted_;
  bool sharing_, resumed_ = false;
  cursor where_;
  std::optional<feed::sequence> at_;
  state rows_;
  std::map<feed::sequence, std::size_t> lines_;
  std::vector<seen_line> gaps_;
  std::set<std::string> in_pass_;
};

/// One story from one seed.
class story {
 public:
  explicit story(unsigned seed)
      : random_{seed}, limits_{any_limits()}, run_{limits_}, shared_{below(3) * 16} {}

  void tell() {
    join();
    const std::size_t steps = 50 + below(400);
    for (std::size_t i = 0; i < steps; ++i) step();
    for (client& one : clients_) {
      std::size_t flushes = 0;
      while (one.read_once(shared_) != filled::nothing) {
        ASSERT_LT(++flushes, 100'000U);
        if (below(4) == 0 && flushes < 200) change();  // it must end without waiting for silence
      }
    }
    for (client& one : clients_) {
      while (one.read_once(shared_) != filled::nothing) {
      }
      one.check_the_end();
      if (testing::Test::HasFailure()) {
        ADD_FAILURE() << one.story;
        return;
      }
    }
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  std::string text(std::size_t most) { return std::string(below(most), 'x'); }

  topic_limits any_limits() {
    topic_limits limits;
    limits.frame_bytes = 100 + below(3000);
    limits.rows_per_turn = 1 + below(below(2) == 0 ? 8 : 300);
    limits.lines_bytes = 200 + below(8000);
    limits.chunk_bytes = 50 + below(500);
    return limits;
  }

  feed::filter any_filter() {
    feed::filter wanted{feed::default_kinds(), {}, {}, {}};
    if (below(2) == 0) wanted.kinds.set();
    if (below(3) == 0) wanted.kinds = std::bitset<feed::row_kinds>{random_()};
    if (below(4) == 0) wanted.addr = {"r*" + std::to_string(below(10))};
    if (below(4) == 0) wanted.module = {"", "m" + std::to_string(below(3))};
    if (below(8) == 0) wanted.type = {"t" + std::to_string(below(2)), "t2"};
    return wanted;
  }

  void join() {
    clients_.emplace_back(run_, limits_, any_filter(), below(2) == 0);
    // Many with the filter of a page, so that bytes are shared.
    if (below(2) == 0)
      for (int i = 0; i < 3; ++i)
        clients_.emplace_back(run_, limits_, feed::filter{feed::default_kinds(), {}, {}, {}}, true);
  }

  std::string any_value() {
    return std::to_string(run_.seq) + text(below(40) == 0 ? limits_.frame_bytes + 200 : 60);
  }

  void add() {
    constexpr row_kind kinds[] = {row_kind::resource, row_kind::resource, row_kind::resource,
                                  row_kind::diagnostic, row_kind::output};
    const row_kind kind = kinds[below(5)];
    std::string key = "r" + std::to_string(run_.rows.size());
    // A key that was removed may come back under a new number.
    for (const fake_row& row : run_.rows)
      if (row.removed && row.kind == kind && below(3) == 0) key = row.key;
    for (const fake_row& row : run_.rows)
      if (!row.removed && row.kind == kind && row.key == key) return;
    const std::string module = below(2) == 0 ? "" : "m" + std::to_string(below(4));
    const std::string type = "t" + std::to_string(below(4));
    run_.rows.push_back({kind, key, module, type, {}, true});
    run_.change(static_cast<feed::row_number>(run_.rows.size() - 1), any_value());
  }

  void change() {
    if (run_.rows.empty()) return add();
    const std::size_t last = run_.rows.size() - 1;
    // Often the same few.
    const auto row = static_cast<feed::row_number>(below(2) == 0 ? below(run_.rows.size())
                                                                 : std::min(last, below(5)));
    if (run_.rows[row].removed) return;
    run_.change(row, any_value());
  }

  void remove() {
    if (run_.rows.empty()) return;
    const auto row = static_cast<feed::row_number>(below(run_.rows.size()));
    if (!run_.rows[row].removed) run_.remove(row);
  }

  void forget() {
    feed::sequence upto = run_.seq;
    for (const client& one : clients_) upto = std::min(upto, one.needs_removals_after());
    run_.log.forget_removed(upto);
  }

  void line() {
    const bool is_log = below(3) != 0 && !run_.rows.empty();
    const auto subject =
        is_log ? static_cast<feed::row_number>(below(run_.rows.size())) : feed::no_row;
    run_.line(is_log ? row_kind::log : row_kind::text, subject,
              text(below(60) == 0 ? limits_.frame_bytes + 200 : 80));
  }

  void step() {
    switch (below(16)) {
      case 0:
        return add();
      case 1:
      case 2:
      case 3:
        return change();
      case 4:
      case 5:
        return line();
      case 6:
        return run_.view(any_value());
      case 7:
        return below(3) == 0 ? remove() : add();
      case 8:
        return below(4) == 0 ? forget() : line();
      case 9:
        if (clients_.size() < 12) join();
        return;
      case 10:
        // A fresh start forgets nothing it was sent: removals must still reach it.
        if (below(3) == 0) clients_[below(clients_.size())].reconnect();
        return;
      case 11:
        for (std::size_t i = 0, burst = below(30); i < burst; ++i)
          below(3) == 0 ? line() : change();
        return;
      default:
        clients_[below(clients_.size())].read_once(shared_);
    }
  }

  std::mt19937 random_;
  topic_limits limits_;
  fake_run run_;
  flush_cache shared_;
  std::vector<client> clients_;
};

TEST(AnySubscriber, EndsWithTheNewestRowsAndEveryLine) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    story{seed}.tell();
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace tofud::fanout
