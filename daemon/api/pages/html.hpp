// HTML as text that nothing from outside can get out of.
#pragma once

#include <string>
#include <string_view>

namespace tofud::pages {

/// Appends text for content or for an attribute in double quotes. Bytes that are no UTF-8 and
/// control characters become U+FFFD; what would turn the direction of other text is kept inside
/// `bdi` by the caller.
void append_escaped(std::string& out, std::string_view text);
std::string escaped(std::string_view text);

/// `<name>text</name>` with the class, if any.
std::string element(std::string_view name, std::string_view class_name, std::string_view text);

struct link {
  std::string_view name, href;
};

struct page_head {
  std::string title;
  unsigned refresh_s = 0;  // 0: the page stays as it is
  std::string root = {};   // where `/` is, with its slash; empty: beside the page
  bool links = true;       // to the other pages; without them it is a card in the middle
  std::string then = {};   // an address that the browser goes on to at once; empty: it stays
};

/// Everything up to the content of `main`: head, and links to the other pages.
std::string page_start(const page_head& head);
std::string page_end();

/// What a response with such a page says in `Content-Security-Policy`: its style and its forms,
/// nothing else, and above all no script.
std::string_view page_policy();

/// The address of the run's own page, as an attribute's value; `root` as in page_head.
std::string href_of_run(std::string_view run, std::string_view root = "./");

}  // namespace tofud::pages
