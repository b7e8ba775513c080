#include "daemon/api/plain_pages.hpp"

#include "daemon/api/pages/limits.hpp"
#include "daemon/api/pages/run_list.hpp"
#include "daemon/api/pages/search_words.hpp"
#include "daemon/api/pages/style.hpp"

#include <algorithm>
#include <utility>

namespace tofud {

namespace {

http::response file(std::string_view content_type, std::string_view bytes) {
  http::response answer;
  answer.content_type = content_type;
  answer.body = bytes;
  answer.headers.push_back({"Cache-Control", "no-cache"});
  answer.headers.push_back({"X-Content-Type-Options", "nosniff"});
  return answer;
}

}  // namespace

void add_plain_files(http::router& routes) {
  routes.get("/plain.css",
             [](const http::request&) { return file("text/css; charset=utf-8", pages::style()); });
  routes.get("/runs.js", [](const http::request&) {
    return file("text/javascript; charset=utf-8", pages::run_list_script());
  });
}

http::response plain_page(std::string html, std::string_view policy) {
  http::response answer;
  answer.content_type = "text/html; charset=utf-8";
  answer.body = std::move(html);
  answer.headers.push_back({"Cache-Control", "no-store"});
  answer.headers.push_back({"Content-Security-Policy", std::string{policy}});
  return answer;
}

feed::run_query runs_of_stack(const std::string& name) {
  feed::run_query query;
  query.stack = name;
  query.limit = limits::runs_of_a_stack;
  return query;
}

http::response stack_answer(const pages::stack_view& shown) {
  auto answer = plain_page(stack_page(shown));
  if (shown.runs.empty() && shown.problem.empty()) answer.status = 404;
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
