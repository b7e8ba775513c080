#include "protocol/feed/stack_row.hpp"

#include "protocol/feed/request.hpp"
#include "tests/paths.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include <fstream>

using namespace tofud;
using namespace tofud::feed;

namespace {

std::optional<ui::time_point> at(std::string_view text) { return ui::parse_timestamp(text); }

boost::json::object example() {
  std::ifstream file{FEED_EXAMPLE};
  for (std::string line; std::getline(file, line);) {
    boost::json::object object = boost::json::parse(line).as_object();
    if (object["kind"] == "stack") return object;
  }
  ADD_FAILURE() << "no example of a stack";
  return {};
}

boost::json::object parsed(const stack_row& row, sequence seq) {
  std::string text;
  encode(text, row, seq);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  return boost::json::parse(text).as_object();
}

stack_row card() {
  stack_row row;
  row.stack = "github.com/acme/infra//net@prod#3f2a1b";
  row.name = "github.com/acme/infra//net@prod";
  row.run = "20261121T0312-7f3a";
  row.command = run_command::apply;
  row.outcome = stack_outcome{"20261121T0310-2b40",       run_status::succeeded, run_command::plan,
                              at("2026-11-21T03:10:44Z"), "20261121T0305-9ab0",  2};
  row.change = stack_change{change_state::applying, "20261121T0310-2b40", "20261121T0312-7f3a",
                            change_link::hash};
  row.contact = run_contact::ok;
  row.lock = stack_lock{"20261121T0309-77aa",
                        "b50915f1-796c-9d56-2a2e-d23be590db27",
                        "acme-tfstate/net/prod.tfstate",
                        "OperationTypeApply",
                        "runner@fv-az1234-56",
                        "1.12.6",
                        at("2026-11-21T03:05:03.038543Z"),
                        lock_state::abandoned,
                        "20261121T0305-9ab0"};
  row.drift = stack_drift{*at("2026-11-18T02:01:12Z"), "20261121T0201-33d0", 2};
  row.last_line_at = at("2026-11-21T03:14:36.0012Z");
  row.started_at = at("2026-11-21T03:12:05.120331Z");
  row.clock_offset = std::chrono::microseconds{-210'000};
  return row;
}

}  // namespace

TEST(EncodeStack, IsAsInTheExample) { EXPECT_EQ(parsed(card(), 7), example()); }

TEST(EncodeStack, EveryFieldIsThereWhenNothingIsKnown) {
  const boost::json::object empty = parsed({}, 1);
  for (const auto& [field, value] : example()) EXPECT_TRUE(empty.contains(field)) << field;
  EXPECT_EQ(empty.size(), example().size());
  for (const char* field : {"outcome", "change", "contact", "lock", "drift", "last_line_at",
                            "started_at", "ended_at", "clock_offset_s"}) {
    EXPECT_TRUE(empty.at(field).is_null()) << field;
  }
}

TEST(EncodeStack, OffsetsAreSecondsWithUpToSixDecimals) {
  stack_row row = card();
  const auto written = [&row](std::int64_t offset) {
    row.clock_offset = std::chrono::microseconds{offset};
    return parsed(row, 1).at("clock_offset_s").to_number<double>();
  };
  EXPECT_EQ(written(0), 0);
  EXPECT_EQ(written(-1), -0.000001);
  EXPECT_EQ(written(3'600'000'000), 3600);
  EXPECT_EQ(written(1'250'000), 1.25);
}

TEST(EncodeStack, HostileTextStaysInsideItsString) {
  stack_row row = card();
  row.stack = "\"},{\"kind\":\"hello\"\n\xff";
  row.lock->who = "</script>\x01";
  EXPECT_EQ(parsed(row, 1).at("key"), "\"},{\"kind\":\"hello\"\n\xEF\xBF\xBD");
}

TEST(EncodeStack, MayBeAskedForAndComesUnasked) {
  const auto only = parse_stream_request("kinds=stack");
  ASSERT_TRUE(only);
  EXPECT_TRUE(only->wanted.wants(row_kind::stack));
  EXPECT_FALSE(only->wanted.wants(row_kind::run));
  EXPECT_TRUE(parse_stream_request("")->wanted.wants(row_kind::stack));
}
