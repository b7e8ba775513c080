#include "daemon/exports/csv.hpp"

#include "tests/exports/rows.hpp"

#include <gtest/gtest.h>

namespace tofud::exports {
namespace {

using feed::resource_status;
using test::small_run;

std::string second_line(const std::string& text) {
  const std::size_t begin = text.find("\r\n") + 2;
  return text.substr(begin);
}

TEST(Csv, HasALineOfNamesAndALineOfEveryResource) {
  small_run run;
  auto& row = run.resource("module.a.t.n[0]", resource_status::done, 1, 3.5);
  row.names = feed::resource_names::of(row.addr, {"module.a", "managed", "t", "n", "0", ""});
  small_run::identify(row, "i-1");
  small_run::annotate(row, {"@db", "https://w", {}});
  EXPECT_EQ(csv({run.rows()}),
            "run,address,module,mode,type,name,index,provider,action,reason,drift,status,"
            "started_at,ended_at,seconds,id,error,owner,runbook\r\n"
            "20261121T0312-7f3a,module.a.t.n[0],module.a,managed,t,n,0,,create,,,done,"
            "2001-09-09T01:46:41.000000Z,2001-09-09T01:46:43.500000Z,2.5,i-1,,'@db,https://w\r\n");
}

TEST(Csv, QuotesWhatHoldsAQuoteACommaOrANewline) {
  small_run run;
  auto& row = run.resource("t.n[\"a,b\"]", resource_status::failed);
  small_run::identify(row, "two\nlines");
  run.diagnostic("error", "no \"such\" thing", &row);
  const std::string line = second_line(csv({run.rows()}));
  EXPECT_NE(line.find(",\"t.n[\"\"a,b\"\"]\","), std::string::npos) << line;
  EXPECT_TRUE(line.ends_with(",\"two\nlines\",\"no \"\"such\"\" thing\",,\r\n")) << line;
}

TEST(Csv, FormulasBecomeText) {
  for (const std::string_view formula : {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1",
                                         "\xEF\xBC\x9D"
                                         "1"}) {
    small_run run;
    small_run::identify(run.resource("t.n", resource_status::done), formula);
    const std::string line = second_line(csv({run.rows()}));
    const std::size_t id = line.find(",1,") + 3;
    EXPECT_EQ(line.substr(id + (line[id] == '"' ? 1 : 0), 1), "'") << line;
  }
}

TEST(Csv, ControlCharactersAndBytesThatAreNoTextAreReplaced) {
  small_run run;
  small_run::identify(run.resource("t.n", resource_status::done), test::hostile);
  const std::string text = csv({run.rows()});
  EXPECT_EQ(text.find_first_of("\x1b\x01\a\xff"), std::string::npos);
}

}  // namespace
}  // namespace tofud::exports
