#include "protocol/text/markdown.hpp"

#include "protocol/text/limits.hpp"

#include <gtest/gtest.h>

namespace tofud::text {
namespace {

TEST(MarkdownText, ShortCodeIsASpan) {
  EXPECT_EQ(markdown_code("aws_subnet.a[\"x\"]"), "`aws_subnet.a[\"x\"]`");
  EXPECT_EQ(markdown_code("a `b` | c\\"), "<code>a &#96;b&#96; &#124; c&#92;</code>");
  EXPECT_EQ(markdown_code(" a"), "<code> a</code>");
  EXPECT_EQ(markdown_code("two\nlines"), "`two lines`");
  EXPECT_EQ(markdown_code(" \n "), "");
  EXPECT_EQ(markdown_code(std::string(1000, 'x')),
            "`" + std::string(limits::markdown_word_bytes, 'x') + "…`");
}

TEST(MarkdownText, ABlockHasALongerFenceThanAnyInIt) {
  EXPECT_EQ(markdown_block("a"), "```text\na\n```\n");
  EXPECT_EQ(markdown_block("````\nb\n"), "`````text\n````\nb\n`````\n");
}

TEST(MarkdownText, CodeInHtmlHasNoMarkup) {
  EXPECT_EQ(html_code("a.b[\"<x>\"] @me"), "<code>a&#46;b&#91;\"&#60;x&#62;\"&#93; &#64;me</code>");
}

}  // namespace
}  // namespace tofud::text
