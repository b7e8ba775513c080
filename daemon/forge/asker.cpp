#include "daemon/forge/asker.hpp"

#include "daemon/client/exchange.hpp"
#include "daemon/forge/errors.hpp"
#include "daemon/forge/limits.hpp"
#include "protocol/text/whole_number.hpp"
#include "protocol/upload/answer.hpp"

#include <algorithm>
#include <cstdint>
#include <thread>

namespace tofud::forge {
namespace {

/// A forge that stumbles; a request that is done twice does no harm.
constexpr std::chrono::milliseconds again_after[] = {std::chrono::seconds{1},
                                                     std::chrono::seconds{4}};

constexpr client::patience patience{limits::forge_wait, limits::forge_wait,
                                    client::patience::counts::whole, limits::forge_answer_bytes};

}  // namespace

std::optional<std::chrono::seconds> limited_for(const client::response& answer,
                                                std::chrono::system_clock::time_point now) {
  if (answer.status != 429 && answer.status != 403) return {};
  if (const auto after = upload::retry_after_in(answer.first("Retry-After")))
    return std::chrono::ceil<std::chrono::seconds>(*after);
  if (answer.first("X-RateLimit-Remaining") == "0") {
    const auto reset = text::parse_whole_number<std::uint32_t>(answer.first("X-RateLimit-Reset"));
    const auto since = std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch());
    if (reset) return std::max(std::chrono::seconds{*reset} - since, std::chrono::seconds{1});
  }
  const bool is_secondary = answer.body.find("secondary rate limit") != std::string::npos;
  if (answer.status == 429 || is_secondary) return limits::forge_limited_wait;
  return {};
}

bool asker::wait(std::chrono::milliseconds how_long) {
  if (waited_ + how_long > limits::forge_patience) return false;
  std::this_thread::sleep_for(how_long);
  waited_ += how_long;
  return true;
}

text::result<client::response> asker::ask(const client::request& asked) {
  for (std::size_t stumbled = 0;;) {
    auto answer = client::ask(at_, asked, patience);
    if (answer) {
      const auto limited = limited_for(*answer, std::chrono::system_clock::now());
      if (limited && !wait(*limited)) return text::failure{error::limited, limited->count()};
      if (limited) continue;
      if (answer->status < 500) return {boost::system::in_place_value, std::move(*answer)};
    }
    if (stumbled < std::size(again_after) && wait(again_after[stumbled++])) continue;
    if (!answer) return text::failure{error::unanswered, answer.error().sentence};
    return {boost::system::in_place_value, std::move(*answer)};
  }
}

text::failure meaning_of(const client::response& answer, const std::string& what,
                         const std::string& right) {
  // A token that may not see something is told that it is not there.
  if (answer.status == 401 || answer.status == 403 || answer.status == 404)
    return {error::refused, answer.status, right};
  return {error::bad_status, what, answer.status};
}

}  // namespace tofud::forge
