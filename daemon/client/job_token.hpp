// The token that a job of GitHub Actions gets in its own name, for a daemon that believes GitHub.
#pragma once

#include "daemon/client/http_client.hpp"
#include "daemon/client/server_address.hpp"
#include "daemon/spool/spool_place.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <optional>
#include <string>

namespace tofud::client {

/// Whom a job asks, and what.
struct job_token_question {
  place whom;
  request asked;
};

/// By the variables that GitHub gives a job with `permissions: id-token: write`. The token is for
/// the address of `daemon` as its audience. Nothing: this is no such job, or the daemon is not
/// asked over TLS.
/// https://docs.github.com/actions/reference/security/oidc
std::optional<job_token_question> job_token_for(const server_address& daemon,
                                                const spool::environment& env);

/// What was answered; the failure is a sentence about the token.
text::result<std::string> job_token_in(const answered& answer);

/// Asks, and waits.
text::result<std::string> ask_job_token(const job_token_question& question);

}  // namespace tofud::client
