// What became of a message that was handed over.
#pragma once

#include "daemon/client/http_client.hpp"
#include "daemon/client/web_url.hpp"
#include "daemon/notify/messages.hpp"
#include "daemon/notify/rule.hpp"
#include "protocol/text/failure.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace tofud::notify {

struct handed_over {
  std::string why;                            // it was not taken; empty: it was
  std::optional<std::chrono::seconds> after;  // the target wants to be asked again then
  bool is_gone = false;                       // and never again
};

/// What an answer of HTTP means.
handed_over meaning_of(const client::answered& answer);

/// Where a rule's URL leads. It has been read (`ready`).
client::web_url place_of(const rule& by, std::shared_ptr<const net::tls_client> tls);

/// To the program of a rule for mail or a command, and waits. Not for the loop.
handed_over hand_to_program(const report& of, const rule& by, const std::string& source);

}  // namespace tofud::notify
