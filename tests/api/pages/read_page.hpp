// A page as somebody reads it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::pages {

struct read_page {
  std::string title, text;            // what is said, one space between words
  std::vector<std::string> elements;  // names, in order
  std::vector<std::string> links;     // href of `a`
};

inline std::string unescaped(std::string text) {
  const auto replace = [&text](std::string_view entity, std::string_view meant) {
    for (auto at = text.find(entity); at != text.npos; at = text.find(entity, at + 1)) {
      text.replace(at, entity.size(), meant);
    }
  };
  replace("&lt;", "<"), replace("&gt;", ">"), replace("&quot;", "\""), replace("&#39;", "'");
  replace("&amp;", "&");
  return text;
}

/// Fails the test if an element is not closed by its own end, or a bare `<` or quote stands where
/// it ends something.
inline read_page read(std::string_view html) {
  static const std::vector<std::string> empty{"!doctype", "meta", "link", "input"};
  read_page page;
  std::vector<std::string> open;
  std::string words;
  while (!html.empty()) {
    const std::size_t start = std::min(html.find('<'), html.size());
    std::string text = unescaped(std::string{html.substr(0, start)});
    if (!open.empty() && open.back() == "title")
      page.title += text;
    else
      words += text + " ";
    html.remove_prefix(start);
    if (html.empty()) break;
    // A `>` in quotes is part of the tag.
    std::size_t end = 1;
    for (bool quoted = false; end < html.size() && (quoted || html[end] != '>'); ++end) {
      if (html[end] == '"') quoted = !quoted;
    }
    const std::string_view tag = html.substr(1, end - 1);
    html.remove_prefix(std::min(end + 1, html.size()));
    const std::string name{tag.substr(0, tag.find_first_of(" \n"))};
    if (name.starts_with('/')) {
      EXPECT_FALSE(open.empty()) << name;
      if (open.empty()) break;
      EXPECT_EQ("/" + open.back(), name);
      open.pop_back();
      continue;
    }
    page.elements.push_back(name);
    if (name == "a") {
      const std::size_t href = tag.find("href=\"") + 6;
      page.links.push_back(unescaped(std::string{tag.substr(href, tag.find('"', href) - href)}));
    }
    if (std::find(empty.begin(), empty.end(), name) == empty.end()) open.push_back(name);
  }
  EXPECT_TRUE(open.empty()) << "never closed: " << (open.empty() ? "" : open.back());
  for (const char c : words) {
    const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!space)
      page.text.push_back(c);
    else if (!page.text.empty() && page.text.back() != ' ')
      page.text.push_back(' ');
  }
  return page;
}

inline bool says(const read_page& page, std::string_view words) {
  return page.text.find(words) != std::string::npos;
}

}  // namespace tofud::pages
