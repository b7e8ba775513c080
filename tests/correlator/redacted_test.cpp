// A stream and what leaves the machine of it fold to the same rows under the same sequence numbers.
#include "daemon/correlator/stream_fold.hpp"
#include "protocol/redact/limits.hpp"
#include "protocol/redact/stream_redactor.hpp"
#include "protocol/text/sizes.hpp"
#include "tests/correlator/recorded.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace tofud::test {
namespace {

using redact::rules;

rules with(std::vector<std::string> values,
           redact::provisioner_output provisioners = redact::provisioner_output::mask) {
  rules what;
  what.salt = "sixteen bytes...";
  what.provisioners = provisioners;
  for (std::string& value : values) what.secrets.push_back({"NAME", std::move(value)});
  return what;
}

std::string redacted(const rules& what, std::string_view stream,
                     std::size_t max_line = limits::line_bytes) {
  redact::stream_redactor redactor{what, max_line};
  std::string out;
  redactor.feed(stream, out);
  redactor.finish(out);
  return out;
}

/// Every change of a run with its number, kind and place, and all that a run says of itself but its
/// text: two streams with the same outline have the same rows.
class outline : public correlator::row_sink {
 public:
  std::string text;

  outline(std::string_view stream, std::size_t max_line) {
    correlator::run_identity identity;
    identity.id = "run";
    correlator::stream_fold fold{std::move(identity), *this, max_line};
    fold.feed(stream);
    fold.end();
    text += "exit " + std::to_string(fold.inferred_exit_status()) + "\n";
    for (const auto& run : fold.runs()) {
      for (feed::row_number row = 0; row < run.rows(); ++row) {
        text += std::string{feed::name(run.kind(row))} + " " + std::to_string(run.seq(row));
        if (const auto* resource = run.resource(row)) {
          text +=
              " " + std::string{feed::name(resource->status)} + " " + std::string{resource->mode()};
          for (const auto& step : resource->steps) {
            text += " " + std::string{feed::name(step.action)} + "=" +
                    std::string{feed::name(step.status)} + (step.inferred ? "?" : "");
          }
          for (const auto number : resource->diagnostics) text += " d" + std::to_string(number);
        }
        text += "\n";
      }
      // Names are the stream's own text; what is counted and inferred is not.
      feed::run_view view = run.view();
      view.tofu.clear();
      view.terraform.clear();
      if (view.failures.first) view.failures.first = feed::run_view::first_failure{};
      if (view.failures.worst) view.failures.worst->addr.clear();
      std::string encoded;
      feed::encode(encoded, view, 0);
      text += encoded + "\n";
    }
  }

  void changed(correlator::run_state&, feed::row_change change) override {
    text += std::to_string(change.row) + "@" + std::to_string(change.seq) + "\n";
  }
  void line(correlator::run_state&, const feed::line_change& line) override {
    text += std::string{feed::name(line.kind)} + " of " + std::to_string(line.subject) + "@" +
            std::to_string(line.seq) + "\n";
  }
};

void expect_same_rows(std::string_view stream, std::string_view shown, std::string_view what,
                      std::size_t max_line = limits::line_bytes) {
  ASSERT_EQ(std::count(stream.begin(), stream.end(), '\n'),
            std::count(shown.begin(), shown.end(), '\n'))
      << what;
  const std::string before = outline{stream, max_line}.text;
  const std::string after = outline{shown, max_line}.text;
  if (before == after) return;
  const auto [at, other] = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
  const auto place = static_cast<std::size_t>(at - before.begin());
  const std::size_t from = place < 200 ? 0 : place - 200;
  ADD_FAILURE() << what << "\nraw      …" << before.substr(from, 400) << "\nredacted …"
                << after.substr(from, 400);
}

// Words that stand in every kind of place of the recordings.
std::vector<std::string> everyday_secrets(std::string_view stream) {
  std::set<std::string> found;
  std::size_t taken = 0;
  for (std::size_t at = 0; at < stream.size() && found.size() < 40; ++taken) {
    // Pieces of the stream itself, of every length, spread over it: addresses, ids, halves of
    // words.
    const std::size_t length = 6 + taken % 23;
    const std::string piece{stream.substr(at, length)};
    if (piece.size() == length && piece.find_first_of("\n\r") == piece.npos) found.insert(piece);
    at += std::max<std::size_t>(stream.size() / 40, length);
  }
  return {found.begin(), found.end()};
}

TEST(RedactedRecordings, AreTheRecordingsWithoutStatesAndTestDocuments) {
  std::map<std::string, std::size_t> changed;
  for (const recorded& stream : all_recordings()) {
    const std::string bytes = *read_file(stream.path);
    const std::string shown = redacted(with({"no such value"}), bytes);
    if (shown == bytes) continue;
    std::size_t lines = 0;
    std::string_view a = bytes;
    std::string_view b = shown;
    while (!a.empty()) {
      const auto left = a.substr(0, a.find('\n'));
      const auto right = b.substr(0, b.find('\n'));
      if (left != right) {
        ++lines;
        const bool named =
            left.find(R"("state":)") != left.npos || left.find(R"("difference":)") != left.npos ||
            left.find(R"("importing":)") != left.npos ||
            left.find(R"("generated_config":)") != left.npos ||
            left.find(R"("test_plan":)") != left.npos || left.find(R"("test_state":)") != left.npos;
        EXPECT_TRUE(named) << stream << ": " << left.substr(0, 300);
        EXPECT_NE(right.find("null"), right.npos) << stream << ": " << right;
      }
      a.remove_prefix(std::min(left.size() + 1, a.size()));
      b.remove_prefix(std::min(right.size() + 1, b.size()));
    }
    std::ostringstream name;
    name << stream;
    changed[name.str()] = lines;
  }
  // Both sides of comparisons, what is imported, whole plans and states; nothing else changes.
  EXPECT_EQ(changed.size(), 22U);
  EXPECT_EQ(changed["emergency-state-dump/stream"], 1U);
}

TEST(RedactedRecordings, HaveTheRowsOfTheRecordings) {
  for (const recorded& stream : all_recordings()) {
    std::ostringstream name;
    name << stream;
    const std::string bytes = *read_file(stream.path);
    for (const auto provisioners :
         {redact::provisioner_output::mask, redact::provisioner_output::drop}) {
      const rules what = with(everyday_secrets(bytes), provisioners);
      expect_same_rows(bytes, redacted(what, bytes), name.str());
    }
  }
}

TEST(RedactedRecordings, RedactedAgainStayTheSame) {
  for (const recorded& stream : all_recordings()) {
    const std::string bytes = *read_file(stream.path);
    if (bytes.size() > limits::mib) continue;
    const std::string once = redacted(with({}), bytes);
    EXPECT_EQ(redacted(with({}), once), once) << stream;
  }
}

TEST(RedactedRecordings, AnyCutGivesTheSameRows) {
  for (const recorded& stream : all_recordings()) {
    if (stream.scenario != "apply-create-mixed" && stream.scenario != "provisioner-partial-lines")
      continue;
    const std::string bytes = *read_file(stream.path);
    const rules what = with(everyday_secrets(bytes));
    const std::size_t end = std::min<std::size_t>(bytes.size(), 12'000);
    for (std::size_t size = end - std::min<std::size_t>(end, 3'000); size < end; size += 7) {
      const auto part = std::string_view{bytes}.substr(0, size);
      expect_same_rows(part, redacted(what, part), std::to_string(size));
    }
  }
}

TEST(RedactedRecordings, TooLongLinesGiveTheSameRows) {
  for (const recorded& stream : all_recordings()) {
    if (stream.scenario != "outputs-all-types" && stream.scenario != "provisioner-long-line")
      continue;
    const std::string bytes = *read_file(stream.path);
    for (const std::size_t longest : {300UL, 500UL, 700UL, 1000UL}) {
      expect_same_rows(bytes, redacted(with(everyday_secrets(bytes)), bytes, longest),
                       std::to_string(longest), longest);
    }
  }
}

}  // namespace
}  // namespace tofud::test
