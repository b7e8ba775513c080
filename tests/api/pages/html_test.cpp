#include "daemon/api/pages/html.hpp"

#include "tests/api/pages/read_page.hpp"

using namespace tofud::pages;

TEST(Html, TextStaysText) {
  EXPECT_EQ(escaped("<script>alert(\"1\" & '2')</script>"),
            "&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;");
}

TEST(Html, BytesThatAreNoTextBecomeReplacementCharacters) {
  EXPECT_EQ(escaped(std::string_view{"a\0b\x1b[31m\xff", 9}),
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD[31m\xEF\xBF\xBD");
}

TEST(Html, PageRunsNoScriptAndLoadsNothingFromElsewhere) {
  const std::string html = page_start({"title", 0}) + page_end();
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find("http://"), std::string::npos);
  EXPECT_EQ(page_policy().find("script-src"), std::string_view::npos);
  EXPECT_EQ(page_policy().find("default-src 'none'"), 0);
  EXPECT_EQ(read(html).title, "title");
}

TEST(Html, APageReloadsItselfOnlyOnRequest) {
  EXPECT_EQ(page_start({"t", 0}).find("refresh"), std::string::npos);
  EXPECT_NE(page_start({"t", 10}).find("<meta http-equiv=\"refresh\" content=\"10\">"),
            std::string::npos);
}

TEST(Html, RunInAnAddressIsPercentEncoded) {
  EXPECT_EQ(href_of_run("20261121T0312-7f3a.2"), "./?run=20261121T0312-7f3a.2");
  EXPECT_EQ(href_of_run("\"&x=<"), "./?run=%22%26x%3D%3C");
}
