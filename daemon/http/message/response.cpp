#include "daemon/http/message/response.hpp"

#include "daemon/http/message/cross_origin.hpp"
#include "protocol/json/quote.hpp"

#include <algorithm>
#include <array>
#include <ctime>

namespace tofud::http {
namespace {

/// Only the page's own script and style, no frames, no forms; data goes to and from here alone.
constexpr std::string_view default_policy{
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"};

bool has(const response& answer, std::string_view name) {
  return std::any_of(answer.headers.begin(), answer.headers.end(),
                     [&](const header& field) { return equal_without_case(field.name, name); });
}

std::string_view value_of(const response& answer, std::string_view name) {
  for (const auto& field : answer.headers) {
    if (equal_without_case(field.name, name)) return field.value;
  }
  return {};
}

std::string_view weak(std::string_view tag) {
  if (tag.starts_with("W/")) tag.remove_prefix(2);
  return tag;
}

bool is_html(const response& answer) { return answer.content_type.starts_with("text/html"); }

std::string now_as_date() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 40> text{};
  const auto size = std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  return {text.data(), size};
}

void add(std::string& head, std::string_view name, std::string_view value) {
  head.append(name).append(": ").append(value).append("\r\n");
}

}  // namespace

std::string_view reason_phrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 206:
      return "Partial Content";
    case 303:
      return "See Other";
    case 304:
      return "Not Modified";
    case 308:
      return "Permanent Redirect";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 410:
      return "Gone";
    case 411:
      return "Length Required";
    case 412:
      return "Precondition Failed";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 421:
      return "Misdirected Request";
    case 426:
      return "Upgrade Required";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    case 507:
      return "Insufficient Storage";
    default:
      return "Status";
  }
}

bool is_bodiless(int status) { return status == 204 || status == 304; }

std::string policy_with_forms() {
  std::string policy{default_policy};
  constexpr std::string_view none{"form-action 'none'"};
  return policy.replace(policy.find(none), none.size(), "form-action 'self'");
}

response problem(int status, std::string_view message) {
  response answer;
  answer.status = status;
  answer.body = "{\"code\":" + std::to_string(status) + ",\"message\":";
  json::append_quoted(answer.body, message);
  answer.body += "}\n";
  return answer;
}

void apply_conditions(const request& asked, response& answer) {
  const auto tag = value_of(answer, "ETag");
  if (answer.status != 200 || tag.empty()) return;
  const std::string known = asked.joined("if-none-match");
  std::string_view rest{known};
  while (!rest.empty()) {
    const auto comma = std::min(rest.find(','), rest.size());
    auto one = rest.substr(0, comma);
    one.remove_prefix(std::min(one.find_first_not_of(" \t"), one.size()));
    one = one.substr(0, one.find_last_not_of(" \t") + 1);
    if (one == "*" || weak(one) == weak(tag)) {
      answer.status = 304;
      answer.body.clear();
      answer.shared.reset();
      answer.pieces = nullptr;
      return;
    }
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
}

std::string token_line(const request& asked) {
  return asked.token_ends.empty() ? "" : "Token-Expires: " + asked.token_ends + "\r\n";
}

std::string response_head(const request& asked, const response& answer, connection_end then) {
  const bool old = asked.version == http_version::v1_0;
  std::string head = "HTTP/1.1 " + std::to_string(answer.status) + " ";
  head.append(reason_phrase(answer.status)).append("\r\n");
  const bool bodiless = is_bodiless(answer.status);
  if (!bodiless && !answer.content_type.empty()) add(head, "Content-Type", answer.content_type);
  if (answer.pieces && !bodiless) {
    if (!old) add(head, "Transfer-Encoding", "chunked");
  } else if (!bodiless) {
    add(head, "Content-Length", std::to_string(answer.text().size()));
  }
  for (const auto& field : answer.headers) add(head, field.name, field.value);
  add(head, "Date", now_as_date());
  if (!has(answer, "Cache-Control")) {
    add(head, "Cache-Control", has(answer, "ETag") ? "no-cache" : "no-store");
  }
  add(head, "X-Content-Type-Options", "nosniff");
  add(head, "Cross-Origin-Resource-Policy", "same-origin");
  if (!has(answer, "Referrer-Policy")) add(head, "Referrer-Policy", "no-referrer");
  head += cross_origin_lines(asked) + token_line(asked);
  if (is_html(answer) && !has(answer, "Content-Security-Policy")) {
    add(head, "Content-Security-Policy", default_policy);
  }
  if (then == connection_end::close) {
    add(head, "Connection", "close");
  } else if (old) {
    add(head, "Connection", "keep-alive");
  }
  return head + "\r\n";
}

}  // namespace tofud::http
