// Asks a forge, with the patience that it wants.
#pragma once

#include "daemon/client/http_client.hpp"
#include "daemon/client/place.hpp"
#include "protocol/text/failure.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace tofud::forge {

/// How long an answer asks to wait before the next request; nothing if it limits nothing. GitHub
/// limits with 403 as well:
/// https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
std::optional<std::chrono::seconds> limited_for(const client::response& answer,
                                                std::chrono::system_clock::time_point now);

class asker {
 public:
  explicit asker(client::place at) : at_{std::move(at)} {}

  /// Asks until there is an answer that means something; what it means is the caller's. Waits as
  /// the forge says, limits::forge_patience in all.
  text::result<client::response> ask(const client::request& asked);

 private:
  /// False: there is no patience left for that.
  bool wait(std::chrono::milliseconds how_long);

  client::place at_;
  std::chrono::milliseconds waited_{0};
};

/// What an answer of another status than 2xx means: `what` was asked, which needs the right to
/// write `right`.
text::failure meaning_of(const client::response& answer, const std::string& what,
                         const std::string& right);

}  // namespace tofud::forge
