#include "daemon/api/plain_pages.hpp"

#include "daemon/api/pages/html.hpp"
#include "daemon/api/pages/search_words.hpp"
#include "daemon/api/pages/style.hpp"

#include <algorithm>
#include <utility>

namespace tofud {

void add_plain_style(http::router& routes) {
  routes.get("/plain.css", [](const http::request&) {
    http::response answer;
    answer.content_type = "text/css; charset=utf-8";
    answer.body = pages::style();
    answer.headers.push_back({"Cache-Control", "no-cache"});
    answer.headers.push_back({"X-Content-Type-Options", "nosniff"});
    return answer;
  });
}

http::response plain_page(std::string html) {
  http::response answer;
  answer.content_type = "text/html; charset=utf-8";
  answer.body = std::move(html);
  answer.headers.push_back({"Cache-Control", "no-store"});
  answer.headers.push_back({"Content-Security-Policy", std::string{pages::page_policy()}});
  return answer;
}

pages::run_search search_of(const http::request& asked) {
  http::request form = asked;
  std::replace(form.query.begin(), form.query.end(), '+', ' ');
  const auto field = [&form](std::string_view name) { return form.parameter(name).value_or(""); };
  return pages::with_words({field("status"), field("label"), field("q"), field("stack"),
                            field("since"), field("until")});
}

}  // namespace tofud
