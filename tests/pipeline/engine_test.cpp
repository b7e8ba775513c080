#include "daemon/pipeline/engine.hpp"

#include "daemon/correlator/message_counts.hpp"
#include "daemon/pipeline/line_history.hpp"
#include "tests/correlator/by_hand.hpp"

#include <gtest/gtest.h>

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

/// What a sink hears, one word each, with the stream's length at that moment.
class hearing : public correlator::row_sink {
 public:
  explicit hearing(const engine& of) : of_{of} {}
  std::vector<std::string> heard;

 private:
  void run_began(correlator::run_state& run) override { hear("began " + run.id()); }
  void view_changed(correlator::run_state& run) override {
    const auto view = run.view();
    hear("view " + (view.labels.empty() ? std::string{"of nobody"} : view.labels.back().value));
  }
  void run_ended(correlator::run_state& run) override { hear("ended " + run.id()); }
  void arrived(ui::time_point) override { hear("arrived"); }
  void hear(const std::string& what) { heard.push_back(std::to_string(of_.offset()) + " " + what); }
  const engine& of_;
};

TEST(Engine, LetsEventsTakeEffectAtTheirPlaceWhateverThePieces) {
  const std::string bytes = stream{}.version().start("t.a", "create").text();
  const std::vector<std::string> expected{"0 began r",
                                          "10 view first",
                                          "10 arrived",
                                          "200 view second",
                                          std::to_string(bytes.size()) + " view third",
                                          std::to_string(bytes.size()) + " ended r"};
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{100}, bytes.size()}) {
    engine rows{identity()};
    hearing sink{rows};
    rows.tell(sink);
    rows.add({200, events::label{"k", "second"}});
    rows.add({10, events::label{"k", "first"}});
    rows.add({10, events::arrival{}});
    rows.add({bytes.size() + 1000, events::label{"k", "third"}});  // beyond its end
    for (std::size_t at = 0; at < bytes.size(); at += piece)
      rows.feed(std::string_view{bytes}.substr(at, piece));
    rows.end();
    EXPECT_EQ(sink.heard, expected) << "in pieces of " << piece;
  }
}

TEST(Engine, LetsAnEventThatComesLateTakeEffectAtOnce) {
  engine rows{identity()};
  hearing sink{rows};
  rows.tell(sink);
  rows.feed(stream{}.version().text());
  rows.add({3, events::label{"k", "late"}});
  ASSERT_EQ(sink.heard.size(), 2U);
  EXPECT_TRUE(sink.heard.back().ends_with("view late"));
}

TEST(Engine, ALaterSinkGetsTheRunsThereAre) {
  engine rows{identity()};
  rows.feed(stream{}.version().summary("apply").version().text());
  hearing sink{rows};
  rows.tell(sink);
  ASSERT_EQ(sink.heard.size(), 2U);
  EXPECT_TRUE(sink.heard[0].ends_with("began r"));
  EXPECT_TRUE(sink.heard[1].ends_with("began r.2"));
}

TEST(Engine, FindsTheExitStatusAtAnyOffset) {
  const std::string bytes = stream{}.version().summary("apply").text();
  for (const std::uint64_t offset :
       {std::uint64_t{0}, std::uint64_t{bytes.size()}, ~std::uint64_t{0}}) {
    engine rows{identity()};
    rows.add({offset, events::exit_status{1}});
    rows.feed(bytes);
    rows.end();
    EXPECT_EQ(rows.fold().runs().front().status(), feed::run_status::failed) << offset;
  }
}

TEST(Engine, CountsMessagesFromAPlaceOn) {
  const std::string before = stream{}.version().text(),
                    after = stream{}.start("t.a", "create").text();
  correlator::message_counts counts{};
  engine rows{identity()};
  rows.count_into(counts, before.size());
  rows.feed(before + after);
  std::uint64_t all = 0;
  for (const auto each : counts.by_type) all += each;
  EXPECT_EQ(all, 1U);
}

TEST(Engine, GivesAttachedPartsToItsReaderAtTheirPlace) {
  std::vector<std::string> read;
  engine* self = nullptr;
  engine rows{
      identity(), [&](const events::attachment& part, attachments::documents&) {
        read.push_back(std::to_string(self->offset()) + " " + std::string{feed::name(part.part)});
        return part.part != feed::attachment::config;
      }};
  self = &rows;
  rows.add({40, events::attachment{feed::attachment::config, "", 0, 0}});
  rows.add({40, events::attachment{feed::attachment::plan, "", 0, 0}});
  rows.feed(stream{}.version().text());
  EXPECT_EQ(read, (std::vector<std::string>{"40 config", "40 plan"}));
  // What can't be read is no place of anything.
  ASSERT_EQ(rows.fold().attached().size(), 1U);
  EXPECT_EQ(rows.fold().attached().front().offset, 40U);
}

}  // namespace
}  // namespace tofud::pipeline
