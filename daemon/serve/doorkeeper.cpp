#include "daemon/serve/doorkeeper.hpp"

#include "daemon/api/pages/login.hpp"

#include <chrono>
#include <utility>

namespace tofud::serve {
namespace {

/// A browser that goes to a page names HTML; scripts and programs do not.
bool wants_page(const http::request& asked) {
  if (asked.method != "GET" || asked.wants_websocket()) return false;
  return asked.joined("accept").find("text/html") != std::string::npos;
}

}  // namespace

http::response login_page(const std::string& base, std::string next, std::string problem,
                          const login_choices& choices) {
  http::response page;
  page.status = 401;
  page.content_type = "text/html; charset=utf-8";
  page.body = pages::login_page({base + "/", std::move(next), std::move(problem), choices()});
  page.headers.push_back({"WWW-Authenticate", "Bearer realm=\"tofud\""});
  page.headers.push_back({"Cache-Control", "no-store"});
  // With none at all a browser sends the form with `Origin: null`.
  page.headers.push_back({"Referrer-Policy", "same-origin"});
  page.headers.push_back({"Content-Security-Policy", std::string{pages::login_policy()}});
  return page;
}

http::request_check doorkeeper(access::gate& by, login_choices choices) {
  return
      [&by, choices = std::move(choices)](http::request& asked) -> std::optional<http::response> {
        const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
        auto refused = by.ask(asked, now);
        if (!refused || refused->status != 401 || !wants_page(asked)) return refused;
        const bool has_tried = asked.count("authorization") > 0;
        return login_page(asked.base, asked.path + (asked.query.empty() ? "" : "?" + asked.query),
                          has_tried ? "This token is unknown, expired or revoked." : "", choices);
      };
}

}  // namespace tofud::serve
