#include "daemon/http/message/cross_origin.hpp"

#include "daemon/http/message/limits.hpp"

namespace tofud::http {
namespace {

/// What fetch() and event streams send beside the headers that need no leave.
constexpr std::string_view headers_understood{
    "Authorization, Cache-Control, Content-Type, If-None-Match, Last-Event-ID"};

/// Beside those that a page may always read.
constexpr std::string_view headers_shown{"ETag, Location, Retry-After, WWW-Authenticate"};

}  // namespace

bool is_preflight(const request& asked) {
  return asked.method == "OPTIONS" && !asked.other_page.empty() &&
         asked.count("access-control-request-method") == 1;
}

response allow_preflight(const request& asked) {
  response yes;
  yes.status = 204;
  yes.content_type = "";
  yes.headers = {
      {"Access-Control-Allow-Methods", std::string{asked.first("access-control-request-method")}},
      {"Access-Control-Allow-Headers", std::string{headers_understood}},
      {"Access-Control-Max-Age", std::to_string(limits::preflight_age.count())}};
  return yes;
}

std::string cross_origin_lines(const request& asked) {
  std::string lines;
  if (asked.varies_by_origin) lines += "Vary: Origin\r\n";
  if (asked.other_page.empty()) return lines;
  lines.append("Access-Control-Allow-Origin: ").append(asked.other_page).append("\r\n");
  lines += "Access-Control-Allow-Credentials: true\r\n";
  lines.append("Access-Control-Expose-Headers: ").append(headers_shown).append("\r\n");
  return lines;
}

}  // namespace tofud::http
