// Recordings are the ground truth: every rule that can be checked on all of them is checked on all.
#include "protocol/feed/limits.hpp"
#include "protocol/text/sizes.hpp"
#include "tests/correlator/recorded.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace tofud::test {
namespace {

using boost::json::array;
using boost::json::object;
using boost::json::value;

std::string_view text(const object& row, std::string_view field) {
  const value* found = row.if_contains(boost::json::string_view{field.data(), field.size()});
  if (found == nullptr || !found->is_string()) return {};
  return {found->get_string().data(), found->get_string().size()};
}

std::vector<object> rows_of_kind(const std::vector<object>& rows, std::string_view kind) {
  std::vector<object> found;
  for (const object& row : rows) {
    if (text(row, "kind") == kind) found.push_back(row);
  }
  return found;
}

class EveryRecording : public testing::TestWithParam<recorded> {
 protected:
  void SetUp() override {
    bytes_ = read_file(GetParam().path).value();
    rows_ = rows_of(GetParam().stem, bytes_);
    parsed_ = parse_rows(rows_);
    for (const object& run : rows_of_kind(parsed_, "run")) runs_.push_back(run);
  }
  std::string bytes_, rows_;
  std::vector<object> parsed_, runs_;
};

TEST_P(EveryRecording, EndsAsItsExitStatusSays) {
  // Commands whose streams do not carry their result, and scripts of several commands.
  const std::set<std::string> silent{"get", "fmt", "providers"};
  const bool says_nothing =
      GetParam().scenario == "validate-output-other-json" && silent.contains(GetParam().stem);
  const auto status = exit_status(GetParam());
  if (says_nothing || !status || runs_.size() != 1) return;
  EXPECT_EQ(text(runs_[0], "status") == "succeeded", *status == 0) << "exit status " << *status;
  EXPECT_NE(text(runs_[0], "status"), "running");
}

TEST_P(EveryRecording, HasTheSameRowsHoweverItsEndIsCutIntoPieces) {
  const auto whole = [](std::size_t left) { return left; };
  for (const std::size_t size : {bytes_.size(), bytes_.size() * 2 / 3, bytes_.size() / 3}) {
    const std::string_view bytes{bytes_.data(), size};
    const std::string rows = rows_of(GetParam().stem, bytes);
    for (const std::size_t settled : {1U, 3U})
      EXPECT_EQ(rows_of(GetParam().stem, bytes, whole, settled), rows) << size << " " << settled;
  }
}

TEST_P(EveryRecording, LeavesNothingRunning) {
  for (const object& row : rows_of_kind(parsed_, "resource")) {
    EXPECT_NE(text(row, "status"), "running") << text(row, "addr");
    EXPECT_TRUE(row.at("activity").is_null()) << text(row, "addr");
    for (const value& step : row.at("steps").as_array()) {
      EXPECT_NE(text(step.as_object(), "status"), "running") << text(row, "addr");
    }
  }
}

TEST_P(EveryRecording, GivesEveryPlannedAddressAnEnd) {
  std::map<std::string, std::string> run_status;
  for (const object& run : runs_) run_status[std::string{text(run, "key")}] = text(run, "status");
  for (const object& row : rows_of_kind(parsed_, "resource")) {
    if (row.at("plan").as_array().empty()) continue;
    const std::string_view status = text(row, "status");
    const std::string& run = run_status.at(std::string{text(row, "run")});
    std::set<std::string_view> allowed{"done",    "failed",    "planned",
                                       "skipped", "unchanged", "drifted"};
    if (run != "succeeded") allowed.insert("interrupted");
    EXPECT_TRUE(allowed.contains(status)) << text(row, "addr") << " is " << status;
  }
}

TEST_P(EveryRecording, CountsOfRowsAreRight) {
  for (const object& run : runs_) {
    std::map<std::string_view, std::int64_t> counts;
    std::int64_t logs = 0, texts = 0;
    for (const object& row : parsed_) {
      if (text(row, "run") != text(run, "key")) continue;
      if (text(row, "kind") == "resource") ++counts[text(row, "status")];
      if (text(row, "kind") == "log") ++logs;
      if (text(row, "kind") == "text") ++texts;
    }
    EXPECT_EQ(run.at("counts").as_object().size(), counts.size());
    for (const auto& [status, count] : counts) {
      EXPECT_EQ(run.at("counts")
                    .as_object()
                    .at(boost::json::string_view{status.data(), status.size()})
                    .as_int64(),
                count)
          << status;
    }
    EXPECT_EQ(run.at("lines").at("log").as_int64(), logs);
    EXPECT_EQ(run.at("lines").at("text").as_int64(), texts);
    EXPECT_EQ(run.at("lines").at("malformed").as_int64(), 0);
  }
}

TEST_P(EveryRecording, NumbersRowsWithoutRepeatingOne) {
  std::map<std::string_view, std::int64_t> last;
  for (const object& row : parsed_) {
    if (text(row, "kind") == "run") continue;
    const std::int64_t seq = row.at("seq").as_int64();
    EXPECT_GT(seq, last[text(row, "run")]);
    last[text(row, "run")] = seq;
  }
}

TEST_P(EveryRecording, KeepsRowsWithinTheirLimit) {
  std::string_view rest = rows_;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    EXPECT_LE(end, limits::row_bytes);
    rest.remove_prefix(end + 1);
  }
}

TEST_P(EveryRecording, GivesTheSameRowsHoweverItIsCut) {
  if (bytes_.size() < 64 * limits::kib) {
    EXPECT_EQ(rows_of(GetParam().stem, bytes_, [](std::size_t) { return 1U; }), rows_)
        << "byte by byte";
  }
  std::mt19937 random{20261121};
  for (const std::size_t longest : {std::size_t{7}, std::size_t{5000}, std::size_t{1} << 20U}) {
    if (longest < 1000 && bytes_.size() > limits::mib) continue;
    std::uniform_int_distribution<std::size_t> size{1, longest};
    EXPECT_EQ(rows_of(GetParam().stem, bytes_, [&](std::size_t) { return size(random); }), rows_)
        << "in pieces of up to " << longest;
  }
}

// ---- secrets ------------------------------------------------------------------------------

void collect(const value& each, std::set<std::string>& into) {
  if (const auto* members = each.if_object()) {
    for (const auto& member : *members) collect(member.value(), into);
  } else if (const auto* elements = each.if_array()) {
    for (const value& element : *elements) collect(element, into);
  } else if (each.is_string()) {
    into.emplace(each.get_string());
  }
}

// Strings under a mark go to `marked`, all others to `open`.
void split(const value* each, const value* mark, std::set<std::string>& marked,
           std::set<std::string>& open) {
  if (each == nullptr) return;
  if (mark != nullptr && mark->is_bool() && mark->get_bool()) return collect(*each, marked);
  if (const auto* members = each->if_object()) {
    for (const auto& member : *members) {
      const auto* marks = mark == nullptr ? nullptr : mark->if_object();
      split(&member.value(), marks == nullptr ? nullptr : marks->if_contains(member.key()), marked,
            open);
    }
  } else if (const auto* elements = each->if_array()) {
    const auto* marks = mark == nullptr ? nullptr : mark->if_array();
    for (std::size_t i = 0; i < elements->size(); ++i) {
      split(&(*elements)[i], marks != nullptr && i < marks->size() ? &(*marks)[i] : nullptr, marked,
            open);
    }
  } else {
    collect(*each, open);
  }
}

// Walks a plan or state document: wherever values stand beside their marks.
void walk(const value& each, std::set<std::string>& marked, std::set<std::string>& open) {
  if (const auto* elements = each.if_array()) {
    for (const value& element : *elements) walk(element, marked, open);
    return;
  }
  const auto* members = each.if_object();
  if (members == nullptr) return;
  const auto pair = [&](const char* values, const char* marks) {
    if (members->contains(values))
      split(members->if_contains(values), members->if_contains(marks), marked, open);
  };
  pair("before", "before_sensitive");
  pair("after", "after_sensitive");
  if (members->contains("sensitive_values")) pair("values", "sensitive_values");
  pair("value", "sensitive");
  for (const auto& member : *members) {
    if (member.key() != "configuration") walk(member.value(), marked, open);
  }
}

std::string in_json(const std::string& text) {
  const std::string json = boost::json::serialize(value{text});
  return json.substr(1, json.size() - 2);
}

TEST_P(EveryRecording, ShowsNoSensitiveValue) {
  std::set<std::string> marked, open;
  for (const auto& file : std::filesystem::directory_iterator{GetParam().path.parent_path()}) {
    const std::string name = file.path().filename().string();
    const bool document =
        name.find("plan.json") != std::string::npos || name.find("state.json") != std::string::npos;
    if (!document || name.find(".jsonl") != std::string::npos) continue;
    boost::system::error_code failed;
    const value parsed = boost::json::parse(read_file(file.path()).value(), failed);
    ASSERT_FALSE(failed) << name;
    walk(parsed, marked, open);
  }
  // Shorter ones are ordinary words; one that stands elsewhere without a mark is no secret.
  constexpr std::size_t shortest = 6;
  for (const std::string& secret : marked) {
    if (secret.size() < shortest || open.contains(secret)) continue;
    EXPECT_EQ(rows_.find(in_json(secret)), std::string::npos)
        << "a sensitive value of " << secret.size() << " bytes";
  }
}

TEST_P(EveryRecording, ShowsNothingOfAStateDump) {
  std::string others;
  std::set<std::string> in_state;
  std::string_view rest = bytes_;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1);
    const std::string_view line = rest.substr(0, end + 1);
    if (line.find("\"state\":{") == std::string_view::npos) {
      others.append(line);
    } else {
      boost::system::error_code failed;
      const value parsed =
          boost::json::parse(boost::json::string_view{line.data(), line.size()}, failed);
      if (!failed && parsed.is_object() && parsed.as_object().contains("state"))
        collect(parsed.at("state"), in_state);
    }
    rest.remove_prefix(end + 1);
  }
  constexpr std::size_t shortest = 8;
  for (const std::string& each : in_state) {
    if (each.size() < shortest || others.find(in_json(each)) != std::string::npos) continue;
    EXPECT_EQ(rows_.find(in_json(each)), std::string::npos)
        << "text of the state, " << each.size() << " bytes";
  }
}

INSTANTIATE_TEST_SUITE_P(Recordings, EveryRecording, testing::ValuesIn(all_recordings()),
                         [](const testing::TestParamInfo<recorded>& each) {
                           std::string name = each.param.scenario + "_" + each.param.stem;
                           for (char& c : name) {
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           }
                           return name;
                         });

TEST(Recordings, AreAllThere) { EXPECT_GE(all_recordings().size(), 237U); }

}  // namespace
}  // namespace tofud::test
