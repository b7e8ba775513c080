#include "daemon/client/job_token.hpp"

#include "daemon/client/errors.hpp"
#include "daemon/client/exchange.hpp"
#include "daemon/client/server_token.hpp"
#include "daemon/client/web_url.hpp"
#include "protocol/json/members.hpp"
#include "protocol/text/percent.hpp"

#include <boost/json/parse.hpp>

#include <utility>

namespace tofud::client {

std::optional<job_token_question> job_token_for(const server_address& daemon,
                                                const spool::environment& env) {
  if (!daemon.tls) return std::nullopt;
  const std::string url = env("ACTIONS_ID_TOKEN_REQUEST_URL").value_or("");
  const std::string secret = env("ACTIONS_ID_TOKEN_REQUEST_TOKEN").value_or("");
  if (url.empty() || !is_token(secret) || secret.empty()) return std::nullopt;
  auto tls = net::tls_client::open("");
  if (!tls) return std::nullopt;
  auto where = parse_web_url(url, std::move(*tls));
  if (!where) return std::nullopt;
  where->at.authorization = bearer(secret);
  job_token_question made{std::move(where->at), {"GET", std::move(where->target)}};
  made.asked.target +=
      made.asked.target.find('?') == std::string::npos ? "?audience=" : "&audience=";
  text::append_percent_encoded(made.asked.target, to_string(daemon));
  return made;
}

text::result<std::string> job_token_in(const answered& answer) {
  if (!answer) return text::failure{error::no_job_token, answer.error().sentence};
  const auto refused = [&] {
    return text::failure{error::no_job_token, "status " + std::to_string(answer->status)};
  };
  if (answer->status != 200) return refused();
  boost::system::error_code failed;
  const auto body = boost::json::parse(answer->body, failed);
  const auto* object = failed ? nullptr : body.if_object();
  std::string token = object == nullptr ? "" : json::text_at(*object, "value");
  if (token.empty() || !is_token(token)) return refused();
  return {boost::system::in_place_value, std::move(token)};
}

text::result<std::string> ask_job_token(const job_token_question& question) {
  return job_token_in(ask(question.whom, question.asked));
}

}  // namespace tofud::client
