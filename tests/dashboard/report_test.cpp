#include "daemon/dashboard/report.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace tofud::dashboard {
namespace {

// `run()` and `p{}`; the hashes are those of sha256sum, the base64 below that of Python.
asset script_of_test() {
  return {.path = {},
          .content_type = {},
          .bytes = "run()",
          .sha256 = "02fcae88bd120f599563734dc51f95daea3e96193a44c16bcad5a646de82ac94",
          .gzip = {}};
}
asset style_of_test() {
  return {.path = {},
          .content_type = {},
          .bytes = "p{}",
          .sha256 = "806db221261eade44c886da5317adb894822d146f0f69ed009e59cae83afcbd6",
          .gzip = {}};
}

std::string report_of(std::string_view rows, std::string_view cut = "") {
  return report(script_of_test(), style_of_test(), {rows, cut, "tofud \"1\"", "theirs"});
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; ++at) ++found;
  return found;
}

// What a browser takes for the rows: all up to the first end tag.
std::string rows_in(const std::string& html) {
  const std::string_view open = R"(id="rows" data-cut=")";
  const std::size_t begin = html.find(">\n", html.find(open)) + 2;
  return html.substr(begin, html.find("</script>", begin) - begin);
}

TEST(Report, OnlyItsOwnScriptAndStyleMayRun) {
  const std::string html = report_of("");
  EXPECT_NE(html.find("default-src 'none'; "
                      "script-src 'sha256-AvyuiL0SD1mVY3NNxR+V2uo+lhk6RMFrytWmRt6CrJQ='; "
                      "style-src 'sha256-gG2yISYereRMiG2lMXrbiUgi0Ubw9p7QCeWcroOvy9Y='; "),
            std::string::npos)
      << html;
  EXPECT_NE(html.find("require-trusted-types-for 'script'; trusted-types 'none'"),
            std::string::npos);
  EXPECT_NE(html.find("<script>run()</script>"), std::string::npos);
  EXPECT_NE(html.find("<style>p{}</style>"), std::string::npos);
  EXPECT_EQ(html.find("http:"), std::string::npos);
  EXPECT_EQ(html.find("https:"), std::string::npos);
}

TEST(Report, RowsComeOutAsTheyWentIn) {
  const std::vector<std::string> hostile = {
      R"({"text":"</script><script>alert(1)</script>"})",
      R"({"text":"<!-- <script> --> <!-- <SCRIPT "})",
      R"({"</ScRiPt\t>":"]]>&lt;&amp;"})",
      R"({"text":"\u003c/script> \\u003c \\</script>"})",
      "{\"text\":\"\xe2\x80\xa8 \xf0\x9f\x98\x80 '\\\"\"}",
      R"(["<"])",
  };
  std::string rows;
  for (const std::string& row : hostile) rows += row + '\n';
  const std::string html = report_of(rows);
  // None of the outer document's own tags is more often there than without rows.
  for (const std::string_view tag : {"<script", "</script", "<!--", "-->", "<SCRIPT", "</ScRiPt"}) {
    const std::size_t own = tag == "-->" ? 2 : count(report_of(""), tag);
    EXPECT_LE(count(html, tag), own) << tag;
  }
  const std::string held = rows_in(html);
  std::size_t begin = 0;
  for (const std::string& row : hostile) {
    const std::size_t end = held.find('\n', begin);
    EXPECT_EQ(boost::json::parse(held.substr(begin, end - begin)), boost::json::parse(row)) << row;
    begin = end + 1;
  }
  EXPECT_EQ(begin, held.size());
}

TEST(Report, ACutMemberStaysAnAttribute) {
  const std::string html = report_of("", "\"><script>alert(1)</script>&quot;");
  EXPECT_NE(
      html.find(
          R"(data-cut="&quot;>&lt;script>alert(1)&lt;/script>&amp;quot;" data-server="tofud &quot;1&quot;">)"),
      std::string::npos)
      << html;
}

TEST(Report, APlanOfNoRunStandsInABlockOfItsOwn) {
  const std::string html =
      report(script_of_test(), style_of_test(),
             {"", "", "tofud", "theirs", plan_text{"\"><script>", "{\"a\":\"</script>\"}\n"}});
  EXPECT_NE(html.find("id=\"plan-rows\" data-name=\"&quot;>&lt;script>\" data-run=\"\">\n"
                      "{\"a\":\"\\u003c/script>\"}\n</script>"),
            std::string::npos)
      << html;
  EXPECT_EQ(report_of("").find("plan-rows"), std::string::npos);
}

TEST(Report, LicencesGoWithTheScriptAndDoNotRun) {
  EXPECT_NE(report_of("").find("<script type=\"text/plain\" id=\"licences\">\ntheirs</script>"),
            std::string::npos);
}

TEST(Report, TheRealScriptAndStyleDoNotEndTheirElements) {
  for (const std::string_view part : {"</script", "<!--", "<script"}) {
    EXPECT_EQ(licences().bytes.find(part), std::string_view::npos) << part;
    EXPECT_EQ(script("report").bytes.find(part), std::string_view::npos) << part;
  }
  EXPECT_EQ(style("report").bytes.find("</"), std::string_view::npos);
  // A browser would read other line ends as '\n', and the hash would not be that of what it reads.
  for (const asset* each : {&script("report"), &style("report")}) {
    EXPECT_EQ(each->bytes.find('\r'), std::string_view::npos);
    EXPECT_EQ(each->bytes.find('\0'), std::string_view::npos);
  }
}

}  // namespace
}  // namespace tofud::dashboard
