// Real streams through fold and topics: whoever joins when, however slowly they read and however
// often they are cut off, they end with what the stream folds into.
#include "daemon/pipeline/run_topics.hpp"
#include "tests/correlator/recorded.hpp"
#include "tests/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <memory>
#include <random>
#include <unordered_map>

namespace tofud::test {
namespace {

using rows_by_key = std::unordered_map<std::string, std::string>;

// `{"kind":"resource","key":"a.b"`: what stands before the run tells a row from all others.
std::string identity_of(std::string_view line) {
  return std::string{line.substr(0, line.find(R"(,"run":")"))};
}

template <typename Line>
void for_each_line(std::string_view text, Line&& line) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    line(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
}

// A viewer of one run, who believes only what it was sent.
class viewer {
 public:
  explicit viewer(fanout::topic& run) : run_{&run} { wanted_.kinds.set(); }

  bool read() {
    std::string bytes;
    const auto did = run_->fill(where_, wanted_, bytes);
    for_each_line(bytes, [&](std::string_view line) { take(line); });
    return did != fanout::filled::nothing;
  }

  // Comes back with the last `at` it had, in the middle of whatever it was sent.
  void reconnect() {
    where_ = {};
    where_.at = at_;
    EXPECT_FALSE(run_->reset_reason({run_->epoch(), at_}));
  }

  void read_all() {
    while (read()) {
    }
  }

  rows_by_key rows;

 private:
  void take(std::string_view line) {
    constexpr std::string_view at = R"({"kind":"at","seq":)";
    if (line.starts_with(at)) {
      std::from_chars(line.data() + at.size(), line.data() + line.size(), at_);
      return;
    }
    EXPECT_FALSE(line.starts_with(R"({"kind":"gap")")) << line;
    rows[identity_of(line)] = line;
  }

  fanout::topic* run_;
  feed::filter wanted_{feed::default_kinds(), {}, {}, {}};
  fanout::cursor where_;
  feed::sequence at_ = 0;
};

class audience {
 public:
  audience(std::string_view id, unsigned seed) : random_{seed} {
    correlator::run_identity identity;
    identity.id = id;
    stream_ = std::make_unique<pipeline::engine>(std::move(identity));
    pipeline::run_topics::listeners told;
    told.began = [this](pipeline::run& run) { seats_[&run].emplace_back(run.topic); };
    topics_ = std::make_unique<pipeline::run_topics>(*stream_, std::move(told));
  }

  void watch(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::size_t most = below(4) == 0 ? 200'000 : below(2) == 0 ? 3000 : 300;
      const std::size_t size = std::min(1 + below(most), bytes.size());
      stream_->feed(bytes.substr(0, size));
      bytes.remove_prefix(size);
      something_happens();
    }
    stream_->end();
    something_happens();
  }

  // Each run's viewers in turn, when they have read what there is.
  void each_at_the_end(
      const std::function<void(const std::string& run, const rows_by_key&)>& look) {
    for (auto& [run, viewers] : seats_) {
      viewers.emplace_back(run->topic);  // comes when it is over
      for (viewer& one : viewers) {
        one.read_all();
        look(run->state.id(), one.rows);
      }
    }
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }

  // The first viewer of a run reads all there is each time; of the others some seldom read, some
  // are cut off, and new ones come.
  void something_happens() {
    for (auto& [run, viewers] : seats_) {
      viewers.front().read_all();
      if (viewers.size() < 6 && below(8) == 0) viewers.emplace_back(run->topic);
      for (std::size_t i = 1; i < viewers.size(); ++i) {
        if (below(i + 1) == 0) viewers[i].read();
        if (below(6) == 0) viewers[i].reconnect();
      }
    }
  }

  std::mt19937 random_;
  std::unique_ptr<pipeline::engine> stream_;
  std::unique_ptr<pipeline::run_topics> topics_;
  std::unordered_map<pipeline::run*, std::vector<viewer>> seats_;
};

void expect_all_see_the_same(std::string_view id, std::string_view bytes, unsigned seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::unordered_map<std::string, rows_by_key> expected;
  const std::string rows = rows_of(id, bytes);
  for_each_line(rows, [&](std::string_view line) {
    constexpr std::string_view run = R"(,"run":")";
    const std::string_view behind = line.substr(line.find(run) + run.size());
    expected[std::string{behind.substr(0, behind.find('"'))}][identity_of(line)] = line;
  });
  audience watching{id, seed};
  watching.watch(bytes);
  std::size_t seen = 0;
  watching.each_at_the_end([&](const std::string& run, const rows_by_key& held) {
    ++seen;
    const rows_by_key& all = expected[run];
    EXPECT_EQ(held.size(), all.size()) << run;
    for (const auto& [key, row] : all) {
      const auto found = held.find(key);
      ASSERT_NE(found, held.end()) << row;
      ASSERT_EQ(found->second, row);
    }
  });
  EXPECT_GE(seen, 2 * expected.size());
}

unsigned chosen_seed() {
  if (const char* told = std::getenv("TOFUD_SEED")) return static_cast<unsigned>(std::stoul(told));
  return std::random_device{}();
}

TEST(Subscribers, SubscribersEndWithTheFoldedRowsOfEveryRecording) {
  for (const recorded& stream : all_recordings()) {
    SCOPED_TRACE(testing::PrintToString(stream));
    expect_all_see_the_same(stream.stem, read_file(stream.path).value(), chosen_seed());
    if (HasFatalFailure()) return;
  }
}

std::string generated(const std::string& options) {
  const std::string command = "/usr/bin/python3 " GEN_STREAM " " + options;
  std::string bytes;
  FILE* const program = ::popen(command.c_str(), "r");
  char piece[65536];
  for (std::size_t size = 0; (size = std::fread(piece, 1, sizeof piece, program)) > 0;)
    bytes.append(piece, size);
  EXPECT_EQ(::pclose(program), 0) << command;
  return bytes;
}

class GeneratedStream : public testing::TestWithParam<const char*> {};

TEST_P(GeneratedStream, IsSeenAlikeByAll) {
  const std::string bytes = generated(GetParam());
  ASSERT_GT(bytes.size(), 10'000U);
  for (int i = 0; i < 3; ++i) expect_all_see_the_same("generated", bytes, chosen_seed());
}

INSTANTIATE_TEST_SUITE_P(
    OfAllKinds, GeneratedStream,
    testing::Values(
        "--resources 300 --action mixed --refresh --seed 1",
        "--resources 2000 --provision-lines 3 --provision-share 0.5 --seed 2",
        "--resources 1000 --action replace --errors 20 --seed 3",
        "--resources 50 --provision-lines 200 --long-lines 20 --long-line-bytes 50000 --seed 4",
        "--resources 4000 --concurrency 64 --skew 0.7 --outputs 40 --seed 5"));

}  // namespace
}  // namespace tofud::test
