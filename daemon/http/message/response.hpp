// What a route answers: a status, a body, and headers beyond the usual ones.
#pragma once

#include "daemon/http/message/request.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::http {

struct response {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::shared_ptr<const std::string> shared;  // in place of `body`, if set: others send it, too
  std::string_view text() const { return shared ? std::string_view{*shared} : body; }
  std::vector<header> headers;  // `ETag` is compared with If-None-Match
  /// If set, more of the body: appends to `out` and returns true, or false when that was all.
  /// Called once per turn of the loop and sent chunked, so that a long answer stalls nobody.
  std::function<bool(std::string& out)> pieces;
  /// Over 0: it is long until there is more, so `pieces` is asked again so much later when it had
  /// nothing. When the client goes meanwhile, `pieces` is destroyed at once.
  std::chrono::milliseconds pause{0};
};

/// {"code":…,"message":…}
response problem(int status, std::string_view message);

std::string_view reason_phrase(int status);

/// Answers of that status have neither body nor length: 204 and 304.
bool is_bodiless(int status);

/// The Content-Security-Policy of pages, for a page with forms that lead to this server; to be
/// given as a header of the answer.
std::string policy_with_forms();

/// Takes away the body and makes it a 304 if the request has that version already.
void apply_conditions(const request& asked, response& answer);

/// The line of an answer's head that says when the token ends that was shown; empty: not soon.
std::string token_line(const request& asked);

enum class connection_end { keep, close };

/// The head with the headers every response has. `answer.pieces` decides between Content-Length and
/// chunks (the end of the connection for HTTP/1.0).
std::string response_head(const request& asked, const response& answer, connection_end then);

}  // namespace tofud::http
