// A fold that goes on from a snapshot is the fold that it was made of.
#include "daemon/correlator/snapshot.hpp"

#include "daemon/correlator/errors.hpp"
#include "protocol/plan/plan.hpp"
#include "tests/correlator/recorded.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tofud::test {
namespace {

using correlator::run_attachments;
using correlator::stream_fold;

/// What is told, a line each.
class told : public correlator::row_sink {
 public:
  std::string all;

 private:
  void changed(correlator::run_state& run, feed::row_change change) override {
    all += run.id() + " row " + std::to_string(change.row) + " " + std::to_string(change.seq) + " ";
    run.encode(all, change.row, change.seq, feed::cut::no);
    all += "\n";
  }
  void line(correlator::run_state& run, const feed::line_change& line) override {
    all += run.id() + " line " + std::to_string(line.seq) + " " + std::string{line.json} + "\n";
  }
  void run_began(correlator::run_state& run) override { all += run.id() + " began\n"; }
  void run_ended(correlator::run_state& run) override { all += run.id() + " ended\n"; }
};

correlator::run_identity named(const std::string& id) {
  correlator::run_identity made;
  made.id = id;
  made.stack = "net/prod";
  made.labels = {{"branch", "main"}};
  return made;
}

/// All that can be asked of it.
std::string rows_of(const stream_fold& fold) {
  std::string all = std::to_string(fold.offset());
  for (const correlator::run_state& run : fold.runs()) {
    all += "\n" + std::to_string(run.head()) + " ";
    feed::encode(all, run.view(), 0);
    for (feed::row_number row = 0; row < run.rows(); ++row) {
      const feed::row_facts facts = run.facts(row);
      all.append("\n").append(facts.addr).append(" ").append(facts.module).append(" ");
      all.append(facts.type).append(" ").append(std::to_string(run.seq(row))).append(" ");
      run.encode(all, row, run.seq(row), feed::cut::no);
    }
  }
  return all;
}

/// Two folds of one stream, the second of which goes on from a snapshot of the first.
class pair_of_folds {
 public:
  void feed(std::string_view bytes) { one_->feed(bytes); }
  void attach(const run_attachments& known) {
    one_->attach(known);
    attached_.push_back(known);
  }

  /// What both are fed from here on gives the same.
  void expect_the_same_after(std::string_view rest, const run_attachments* later) {
    told heard;
    stream_fold other{named("r"), heard};
    heard.all.clear();
    const auto wrong =
        correlator::restore(other, correlator::snapshot_of(*one_, "b"), "b", attached_);
    ASSERT_TRUE(wrong.empty()) << wrong.text();
    EXPECT_EQ(rows_of(other), rows_of(*one_));
    EXPECT_EQ(heard.all, "");
    heard_.all.clear();
    for (stream_fold* each : {one_.get(), &other}) {
      each->feed(rest.substr(0, rest.size() / 2));
      if (later != nullptr) each->attach(*later);
      each->feed(rest.substr(rest.size() / 2));
      each->label("later", "yes");
      each->exit_status(1);
      each->end();
    }
    EXPECT_EQ(heard.all, heard_.all);
    EXPECT_EQ(rows_of(other), rows_of(*one_));
  }

 private:
  told heard_;
  std::unique_ptr<stream_fold> one_ = std::make_unique<stream_fold>(named("r"), heard_);
  std::vector<run_attachments> attached_;
};

/// The plan beside a recording; nothing if there is none.
run_attachments plan_beside(const recorded& stream) {
  run_attachments known;
  const auto text = read_file(stream.path.parent_path() / "plan.json");
  if (!text) return known;
  const auto document = plan::read(*text);
  if (!document) return known;
  auto facts = attachments::plan_facts::read(*document);
  if (facts) {
    known.plan = std::make_shared<const attachments::plan_facts>(std::move(*facts));
    redact::rules rules;
    rules.secrets = {{"variable", "random_pet"}};  // any word that rows have
    known.hidden = std::make_shared<const redact::ready_rules>(rules, redact::looks_for::values);
  }
  return known;
}

class SnapshotOf : public testing::TestWithParam<recorded> {};

TEST_P(SnapshotOf, GoesOnAsTheFoldDid) {
  const std::string bytes = read_file(GetParam().path).value();
  const run_attachments known = plan_beside(GetParam());
  // Cuts fall into lines, strings and characters as well.
  for (std::size_t part = 0; part <= 6; ++part) {
    const std::size_t cut = bytes.size() * part / 6;
    SCOPED_TRACE("at byte " + std::to_string(cut));
    pair_of_folds plain;
    plain.feed(std::string_view{bytes}.substr(0, cut));
    plain.expect_the_same_after(std::string_view{bytes}.substr(cut), nullptr);
    if (!known.plan) continue;
    pair_of_folds with_plan;
    with_plan.feed(std::string_view{bytes}.substr(0, cut / 2));
    with_plan.attach(known);
    with_plan.feed(std::string_view{bytes}.substr(cut / 2, cut - cut / 2));
    with_plan.expect_the_same_after(std::string_view{bytes}.substr(cut), nullptr);
    pair_of_folds planned_later;
    planned_later.feed(std::string_view{bytes}.substr(0, cut));
    planned_later.expect_the_same_after(std::string_view{bytes}.substr(cut), &known);
  }
}

INSTANTIATE_TEST_SUITE_P(Recordings, SnapshotOf, testing::ValuesIn(all_recordings()),
                         [](const auto& each) {
                           std::string name = each.param.scenario + "_" + each.param.stem;
                           for (char& c : name) {
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           }
                           return name;
                         });

class Snapshot : public testing::Test {  // NOLINT(readability-identifier-naming): shown as printed
 protected:
  Snapshot() {
    fold_.feed(*read_file(all_recordings().front().path));
    whole_ = correlator::snapshot_of(fold_, "b");
  }
  text::failure read(std::string_view snapshot, const std::string& id = "r",
                     const std::vector<run_attachments>& attached = {},
                     const std::string& build = "b") {
    told nobody;
    stream_fold fresh{named(id), nobody};
    return correlator::restore(fresh, snapshot, build, attached);
  }

  told nobody_;
  stream_fold fold_{named("r"), nobody_};
  std::string whole_;
};

TEST_F(Snapshot, TornOrChangedSnapshotIsRefused) {
  EXPECT_TRUE(read(whole_).empty());
  for (std::size_t size = 0; size < whole_.size(); size += 1 + whole_.size() / 50) {
    EXPECT_TRUE(read(whole_.substr(0, size)).is(correlator::error::torn_snapshot)) << size;
    std::string changed = whole_;
    changed[size] ^= 1;
    EXPECT_TRUE(read(changed).is(correlator::error::torn_snapshot)) << size;
  }
}

TEST_F(Snapshot, IsOfOneBuildOneRunAndItsDocuments) {
  EXPECT_TRUE(read(whole_, "r", {}, "c").is(correlator::error::other_build));
  EXPECT_TRUE(read(whole_, "other").is(correlator::error::other_stream));
  EXPECT_TRUE(read(whole_, "r", {{}}).is(correlator::error::other_attachments));
}

TEST_F(Snapshot, TakesNoMoreMemoryThanTheRowsDid) {
  told nobody;
  stream_fold again{named("r"), nobody};
  ASSERT_TRUE(correlator::restore(again, whole_, "b", {}).empty());
  EXPECT_LE(again.runs().back().memory(), fold_.runs().back().memory() * 11 / 10);
}

}  // namespace
}  // namespace tofud::test
