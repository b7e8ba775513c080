#include "daemon/exports/text.hpp"

#include "tests/exports/rows.hpp"

#include <gtest/gtest.h>

namespace tofud::exports {
namespace {

using std::chrono::microseconds;

TEST(SecondsText, HasNoMoreDecimalsThanItNeeds) {
  EXPECT_EQ(seconds_text(microseconds{0}), "0");
  EXPECT_EQ(seconds_text(microseconds{12'000'000}), "12");
  EXPECT_EQ(seconds_text(microseconds{12'031'999}), "12.031");
  EXPECT_EQ(seconds_text(microseconds{500'000}), "0.5");
  EXPECT_EQ(seconds_text(microseconds{-1}), "0");
}

TEST(DiagnosticText, IsAsOpenTofuDrawsIt) {
  feed::diagnostic_row row;
  row.severity = "error";
  row.summary = "Invalid value";
  row.detail = "It is 1.\n\nNot 2.";
  row.address = "t.n";
  row.range = feed::source_range{"main.tf", {12, 1, 0}, {12, 5, 4}};
  row.snippet = feed::source_snippet{};
  row.snippet->context = "resource \"t\" \"n\"";
  row.snippet->code = "  a = 1\n  b = 2";
  row.snippet->start_line = 12;
  row.snippet->values.push_back({"var.a", "is 1"});
  EXPECT_EQ(diagnostic_text(row),
            "╷\n"
            "│ Error: Invalid value\n"
            "│\n"
            "│   with t.n,\n"
            "│   on main.tf line 12, in resource \"t\" \"n\":\n"
            "│   12:   a = 1\n"
            "│   13:   b = 2\n"
            "│     ├────────────────\n"
            "│     │ var.a is 1\n"
            "│\n"
            "│ It is 1.\n"
            "│\n"
            "│ Not 2.\n"
            "╵");
}

}  // namespace
}  // namespace tofud::exports
