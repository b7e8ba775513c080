#include "protocol/feed/control.hpp"

#include "protocol/feed/request.hpp"
#include "protocol/feed/run_path.hpp"
#include "tests/paths.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <vector>

namespace tofud::feed {
namespace {

namespace json = boost::json;

// 2026-11-21T03:14:51Z
constexpr ui::time_point some_time{std::chrono::sys_days{std::chrono::year{2026} / 11 / 21} +
                                   std::chrono::hours{3} + std::chrono::minutes{14} +
                                   std::chrono::seconds{51}};

TEST(ControlLine, LooksAsInTheExample) {
  EXPECT_EQ(
      hello("tofud 0.1.0", "9f3c1e2", "run/20261121T0312-7f3a", "k7Q2fT", std::chrono::seconds{15}),
      R"({"kind":"hello","protocol":"1.0","server":"tofud 0.1.0","build":"9f3c1e2",)"
      R"("topic":"run/20261121T0312-7f3a","epoch":"k7Q2fT","heartbeat_ms":15000})");
  EXPECT_EQ(hello("t", "b", "wall", "e", std::chrono::seconds{15}, admitted::by_login),
            R"({"kind":"hello","protocol":"1.0","server":"t","build":"b","topic":"wall",)"
            R"("epoch":"e","heartbeat_ms":15000,"login":true})");
  EXPECT_EQ(at(901, liveness::live), R"({"kind":"at","seq":901,"live":true})");
  EXPECT_EQ(at(902, liveness::unchanged), R"({"kind":"at","seq":902})");
  EXPECT_EQ(gap(1, 4096, run_path("", "20261121T0312-7f3a")),
            R"({"kind":"gap","from":1,"to":4096,)"
            R"("href":"/v1/runs/20261121T0312-7f3a/log?from=0"})");
  EXPECT_EQ(heartbeat(some_time, 901, "NATS is away"),
            R"({"kind":"heartbeat","now":"2026-11-21T03:14:51.000000Z","at":901,)"
            R"("not_current":"NATS is away"})");
  EXPECT_EQ(heartbeat(some_time, 901),
            R"({"kind":"heartbeat","now":"2026-11-21T03:14:51.000000Z","at":901})");
  EXPECT_EQ(reset("epoch"), R"({"kind":"reset","reason":"epoch"})");
  EXPECT_EQ(removed(row_kind::run, "20261120T2201-0c11", 77),
            R"({"kind":"removed","of":"run","key":"20261120T2201-0c11","seq":77})");
  EXPECT_EQ(error(4404, "no run 20261121T0312-7f3b; /v1/runs lists them"),
            R"({"kind":"error","code":4404,)"
            R"("message":"no run 20261121T0312-7f3b; /v1/runs lists them"})");
}

TEST(ControlLine, IsOneLineOfJsonWhateverTextIsInIt) {
  const std::string text = "a \"quoted\"\nline \xff";
  for (const std::string& line :
       {hello(text, text, text, text, std::chrono::seconds{1}), gap(1, 2, text), reset(text),
        removed(row_kind::run, text, 1), error(4400, text)}) {
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    EXPECT_NO_THROW((void)json::parse(line)) << line;
  }
}

// ---- the page -------------------------------------------------------------------------------

std::vector<std::string> lines_of(std::string_view language) {
  std::ifstream file{FEED_PAGE};
  EXPECT_TRUE(file) << FEED_PAGE;
  std::vector<std::string> lines;
  std::string line;
  while (std::getline(file, line) && line != "```" + std::string{language}) {
  }
  while (std::getline(file, line) && line != "```") lines.push_back(line);
  EXPECT_FALSE(lines.empty()) << language;
  return lines;
}

std::string text_of(const json::object& line, std::string_view name) {
  return std::string{line.at(name).as_string()};
}

std::uint64_t number_of(const json::object& line, std::string_view name) {
  return line.at(name).to_number<std::uint64_t>();
}

/// Writes a control line again with the functions of control.hpp; empty for rows, lines and views.
std::string written_again(const json::object& line) {
  const std::string kind = text_of(line, "kind");
  if (kind == "hello")
    return hello(text_of(line, "server"), text_of(line, "build"), text_of(line, "topic"),
                 text_of(line, "epoch"),
                 std::chrono::milliseconds{number_of(line, "heartbeat_ms")});
  if (kind == "at")
    return at(number_of(line, "seq"), line.contains("live") ? liveness::live : liveness::unchanged);
  if (kind == "gap")
    return gap(number_of(line, "from"), number_of(line, "to"), run_path("", "20261121T0312-7f3a"));
  if (kind == "heartbeat")
    return heartbeat(ui::parse_timestamp(text_of(line, "now")).value(), number_of(line, "at"));
  if (kind == "reset") return reset(text_of(line, "reason"));
  if (kind == "error")
    return error(static_cast<int>(number_of(line, "code")), text_of(line, "message"));
  return {};
}

TEST(FeedReadme, ControlLinesAreWhatWeWrite) {
  std::map<std::string, int> seen;
  for (const std::string& text : lines_of("jsonl")) {
    const json::object line = json::parse(text).as_object();
    const std::string kind = text_of(line, "kind");
    const std::string again = written_again(line);
    EXPECT_EQ(again.empty(), parse_row_kind(kind).has_value()) << text;
    EXPECT_TRUE(again.empty() || again == text) << text << "\n" << again;
    ++seen[kind];
  }
  EXPECT_EQ(seen["hello"], 1);
  EXPECT_EQ(seen["at"], 2);
}

TEST(FeedReadme, TheRuleForClientsGivesTheStateShown) {
  std::map<std::string, std::map<std::string, std::string>> state, shown;
  for (const std::string& text : lines_of("jsonl")) {
    const json::object line = json::parse(text).as_object();
    const std::string kind = text_of(line, "kind");
    if (kind == "reset") state.clear();
    if (!parse_row_kind(kind) || kind == "log" || kind == "text") continue;
    state[kind][text_of(line, "key")] = text_of(line, kind == "diagnostic" ? "severity" : "status");
  }
  std::string whole;
  for (const std::string& text : lines_of("json")) whole += text;
  const json::value parsed = json::parse(whole);
  for (const auto& [kind, rows] : parsed.as_object())
    for (const auto& [key, word] : rows.as_object()) shown[kind][key] = word.as_string().c_str();
  EXPECT_EQ(state, shown);
}

TEST(FeedReadme, TheExampleOfARequestIsOne) {
  const stream_request request = parse_stream_request(lines_of("url").front()).value();
  EXPECT_TRUE(request.wanted.passes({row_kind::log, "module.net.b[\"a\"]", "module.net", "b"}));
  EXPECT_EQ(request.since, (position{"k7Q2fT", 901}));
}

}  // namespace
}  // namespace tofud::feed
