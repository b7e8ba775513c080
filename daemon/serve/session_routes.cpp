#include "daemon/serve/session_routes.hpp"

#include "daemon/access/limits.hpp"
#include "daemon/api/pages/login.hpp"
#include "daemon/client/limits.hpp"
#include "daemon/http/coroutine.hpp"
#include "daemon/oidc/errors.hpp"
#include "daemon/oidc/limits.hpp"
#include "daemon/operations/utc_now.hpp"
#include "daemon/serve/doorkeeper.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/text/percent.hpp"
#include "protocol/text/whole_number.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace tofud::serve {
namespace {

/// What a browser logs in with.
struct credentials {
  std::string token, ticket;
  std::string next;  // of a form: where to go on to
  bool is_form = false;
};

bool has_type(const http::request& asked, std::string_view type) {
  const std::string_view whole = asked.first("content-type");
  return http::equal_without_case(whole.substr(0, whole.find_first_of("; \t")), type);
}

credentials read_form(const std::string& body) {
  http::request form;
  form.query = body;
  std::replace(form.query.begin(), form.query.end(), '+', ' ');
  const auto field = [&form](std::string_view name) { return form.parameter(name).value_or(""); };
  return {field("token"), field("ticket"), field("next"), true};
}

/// Nothing: it is none.
std::optional<credentials> read_credentials(const http::request& asked, const std::string& body) {
  if (has_type(asked, "application/x-www-form-urlencoded")) return read_form(body);
  if (!has_type(asked, "application/json")) return std::nullopt;
  boost::json::error_code failed;
  const auto document = boost::json::parse(body, failed);
  const auto* object = failed ? nullptr : document.if_object();
  if (object == nullptr) return std::nullopt;
  credentials read;
  const auto take = [object](std::string_view name, std::string& to) {
    const auto* found = object->if_contains(name);
    if (found != nullptr && found->is_string()) to = std::string{found->get_string()};
  };
  take("token", read.token);
  take("ticket", read.ticket);
  return read;
}

/// A path of ours to go on to, and never a place elsewhere: `//host` and `/\host` are others.
std::string safe_next(const std::string& next) {
  const bool is_path = next.starts_with('/') && !next.starts_with("//") &&
                       std::all_of(next.begin(), next.end(), [](unsigned char c) {
                         return c > ' ' && c < 0x7f && c != '\\';
                       });
  return is_path ? next : "/";
}

std::string cookie(const http::request& asked, const std::string& value, std::chrono::seconds age) {
  return access::cookie_name(asked) + "=" + value + "; Path=" + asked.base +
         "/; Max-Age=" + std::to_string(age.count()) + "; HttpOnly; SameSite=Strict" +
         (asked.is_secure ? "; Secure" : "");
}

/// What a login at a provider is derived from, for as long as somebody is there.
std::string login_cookie_name(const http::request& asked) {
  return access::cookie_name(asked) + "-login";
}

/// It has to come with the visit that the provider sends the browser on.
std::string login_cookie(const http::request& asked, const std::string& value,
                         std::chrono::seconds age) {
  return login_cookie_name(asked) + "=" + value + "; Path=" + asked.base +
         "/; Max-Age=" + std::to_string(age.count()) + "; HttpOnly; SameSite=Lax" +
         (asked.is_secure ? "; Secure" : "");
}

/// Where the provider sends a browser back to: at the name by which it came.
std::string callback_of(const http::request& asked) {
  return (asked.is_secure ? "https://" : "http://") + std::string{asked.host()} + asked.base +
         "/v1/session/oidc/callback";
}

class session_routes {
 public:
  session_routes(access::gate& by, oidc::logins& logins, std::function<std::string()> page,
                 std::function<void()> ended)
      : by_{by}, logins_{logins}, page_{std::move(page)}, ended_{std::move(ended)} {}

  http::response log_in(const http::request& asked, const std::string& body) {
    const auto given = read_credentials(asked, body);
    if (!given) {
      return http::problem(400,
                           R"(send {"token":…} or {"ticket":…} as application/json, or a form)");
    }
    std::optional<std::string> value;
    std::string why = "this token is unknown, expired or revoked";
    if (!given->ticket.empty()) {
      value = by_.open().redeem(given->ticket, operations::now_in_seconds(), asked.from.uid);
      why =
          "this login link was used before, has expired, or is for another user of this machine; "
          "`tofud open` makes a new one";
    } else if (const auto holder = by_.holder_of(given->token, operations::now_in_seconds())) {
      value = by_.open().begin(*holder, operations::now_in_seconds());
    }
    if (value) {
      end(asked);
    } else {
      if (given->is_form) return log_in_again(asked, safe_next(given->next), why);
      auto refused = http::problem(401, why);
      refused.headers.push_back({"WWW-Authenticate", "Bearer realm=\"tofud\""});
      return refused;
    }
    http::response in;
    in.status = given->is_form ? 303 : 204;
    in.content_type = "";
    if (given->is_form) in.headers.push_back({"Location", safe_next(given->next)});
    in.headers.push_back({"Set-Cookie", cookie(asked, *value, limits::session_age)});
    return in;
  }

  /// Sends a browser to the provider.
  http::response begin_login(const http::request& asked) const {
    const auto which =
        text::parse_whole_number<std::size_t>(asked.parameter("provider").value_or("0"));
    const std::string next = safe_next(asked.parameter("next").value_or("/"));
    const auto begun =
        logins_.begin(which.value_or(limits::login_providers), callback_of(asked), next);
    if (!begun) {
      auto page = log_in_again(asked, next, begun.error().text());
      page.status = begun.error().is(oidc::error::no_provider) ? 404 : 503;
      return page;
    }
    http::response there;
    there.status = 302;
    there.content_type = "";
    there.headers.push_back({"Location", begun->location});
    there.headers.push_back({"Cache-Control", "no-store"});
    there.headers.push_back(
        {"Set-Cookie", login_cookie(asked, begun->cookie, limits::login_takes)});
    return there;
  }

  /// The provider has sent it back.
  net::task<http::response> finish_login(http::request asked) {
    const auto field = [&asked](std::string_view name) {
      return asked.parameter(name).value_or("");
    };
    oidc::logins::came_back given{
        field("code"), field("state"), field("iss"), field("error"), "", ""};
    given.cookie = access::cookie_of(asked, login_cookie_name(asked));
    given.redirect_uri = callback_of(asked);
    auto finishing = logins_.finish(std::move(given));
    const auto in = co_await std::move(finishing);
    http::response page;
    if (in) {
      end(asked);
      page = log_in_again(asked, "/", "");
      page.status = 200;
      page.body = pages::logged_in_page(asked.base + "/", safe_next(in->next));
      const std::string value = by_.open().begin(*in->who, operations::now_in_seconds());
      page.headers.push_back({"Set-Cookie", cookie(asked, value, limits::login_age)});
    } else {
      page = log_in_again(asked, "/", in.error().text());
      if (in.error().is(oidc::error::other_browser)) page.status = 400;
    }
    page.headers.push_back({"Set-Cookie", login_cookie(asked, "", std::chrono::seconds{0})});
    co_return page;
  }

  http::response log_out(const http::request& asked) {
    http::response out;
    out.status = 204;
    end(asked);
    out.headers.push_back({"Set-Cookie", cookie(asked, "", std::chrono::seconds{0})});
    return out;
  }

  static http::response describe(const http::request& asked) {
    http::response me;
    me.body = "{\"who\":";
    json::append_quoted(me.body, asked.by->who);
    me.body += ",\"scopes\":\"" + to_string(asked.by->may) + "\"";
    if (asked.by->within) {
      me.body += ",\"within\":";
      json::append_quoted(me.body, to_text(*asked.by->within));
    }
    me.body += "}\n";
    return me;
  }

  http::response link(const http::request& asked) {
    if (asked.by->how == access::principal::known_by::proxy) {
      // It would outlive what the proxy says of its user.
      return http::problem(403, "users of a proxy log in at the proxy, not by a link");
    }
    const auto wanted = access::parse_scopes(asked.parameter("scope").value_or("read"));
    if (!wanted) return http::problem(400, "scope= " + wanted.error().text());
    access::principal holder = *asked.by;
    holder.may = {wanted->read && holder.may.read, wanted->ingest && holder.may.ingest,
                  wanted->raw && holder.may.raw};
    const std::string ticket =
        by_.open().offer(holder, operations::now_in_seconds(), asked.from.uid);
    http::response made;
    made.status = 201;
    made.body = "{\"url\":";
    const std::string page = page_();
    if (page.empty()) {
      made.body += "null";
    } else {
      json::append_quoted(made.body, page + "#ticket=" + ticket);
    }
    made.body += ",\"ticket\":\"" + ticket + "\",\"expires_in_s\":" +
                 std::to_string(std::chrono::seconds{limits::login_link_age}.count()) + "}\n";
    return made;
  }

 private:
  /// The session of the browser that asks, if it has one: nobody has its cookie after this.
  void end(const http::request& asked) {
    const auto name = access::cookie_name(asked);
    if (by_.open().end(access::cookie_of(asked, name))) ended_();
  }

  http::response log_in_again(const http::request& asked, std::string next, std::string why) const {
    return login_page(asked.base, std::move(next), std::move(why),
                      [this] { return logins_.names(); });
  }

  access::gate& by_;
  oidc::logins& logins_;
  std::function<std::string()> page_;
  std::function<void()> ended_;
};

}  // namespace

void add_session_routes(http::router& routes, boost::asio::io_context& io, access::gate& by,
                        oidc::logins& logins, std::function<std::string()> page,
                        std::function<void()> ended) {
  const auto all = std::make_shared<session_routes>(by, logins, std::move(page), std::move(ended));
  routes.take_whole("POST", "/v1/session", limits::login_bytes,
                    [all](const http::request& asked, const std::string& body,
                          const std::function<void(http::response)>& answer) {
                      answer(all->log_in(asked, body));
                    });
  routes.get("/v1/session",
             [](const http::request& asked) { return session_routes::describe(asked); });
  routes.get("/v1/session/oidc",
             [all](const http::request& asked) { return all->begin_login(asked); });
  routes.answer_later("GET", "/v1/session/oidc/callback",
                      http::answered_by(io, [all](http::request asked) {
                        return all->finish_login(std::move(asked));
                      }));
  routes.answer_now("DELETE", "/v1/session",
                    [all](const http::request& asked) { return all->log_out(asked); });
  routes.answer_now("POST", "/v1/session/links",
                    [all](const http::request& asked) { return all->link(asked); });
  routes.get("/login.js", [](const http::request&) {
    http::response script;
    script.content_type = "text/javascript; charset=utf-8";
    script.body = pages::login_script();
    script.headers.push_back({"Cache-Control", "no-cache"});
    return script;
  });
}

}  // namespace tofud::serve
