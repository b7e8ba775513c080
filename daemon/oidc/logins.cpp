#include "daemon/oidc/logins.hpp"

#include "daemon/access/secret.hpp"
#include "daemon/client/web_url.hpp"
#include "daemon/oidc/errors.hpp"
#include "daemon/oidc/limits.hpp"
#include "daemon/operations/utc_now.hpp"
#include "protocol/json/members.hpp"
#include "protocol/text/ascii.hpp"
#include "protocol/text/percent.hpp"
#include "protocol/text/sha256.hpp"

#include <boost/json/parse.hpp>

#include <cjose/base64.h>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

namespace tofud::oidc {
namespace {

using logged = text::result<logins::logged_in>;

/// A value that only who has the seed can know, another for each use.
std::string derived(const std::string& seed, std::string_view use) {
  return text::sha256_hex(seed + " " + std::string{use});
}

struct freed {
  void operator()(char* text) const {
    std::free(text);  // NOLINT(cppcoreguidelines-no-malloc): cjose allocates so
  }
};

std::string encoded(std::string_view bytes, decltype(cjose_base64_encode)* encode) {
  char* text = nullptr;
  std::size_t size = 0;
  cjose_err failed{};
  if (!encode(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), &text, &size,
              &failed))
    return "";
  const std::unique_ptr<char, freed> owned{text};
  return {text, size};
}

/// RFC 7636, 4.2: base64url of the verifier's SHA-256.
std::string challenge_of(const std::string& verifier) {
  const std::string hex = text::sha256_hex(verifier);
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(text::hex_digit(hex[i]) * 16 + text::hex_digit(hex[i + 1]));
  return encoded(bytes, cjose_base64url_encode);
}

void add_field(std::string& form, std::string_view name, std::string_view value) {
  if (!form.empty() && form.back() != '?') form += '&';
  form.append(name).append("=");
  text::append_percent_encoded(form, value);
}

/// RFC 6749, 2.3.1: both parts are form-encoded first.
std::string basic(const provider& at) {
  std::string pair;
  text::append_percent_encoded(pair, at.client_id);
  pair += ':';
  text::append_percent_encoded(pair, at.client_secret);
  return "Basic " + encoded(pair, cjose_base64_encode);
}

struct cookie_parts {
  std::string seed;
  std::size_t which = 0;
  std::string next;
};

std::optional<cookie_parts> parts_of(std::string_view cookie) {
  const auto first = cookie.find('.');
  if (first != 2 * limits::login_seed_bytes) return std::nullopt;
  const auto second = cookie.find('.', first + 1);
  if (second != first + 2 || cookie[first + 1] < '0' || cookie[first + 1] > '9')
    return std::nullopt;
  auto next = text::percent_decoded(cookie.substr(second + 1));
  if (!next) return std::nullopt;
  return cookie_parts{std::string{cookie.substr(0, first)},
                      static_cast<std::size_t>(cookie[first + 1] - '0'), std::move(*next)};
}

std::string text_in(const std::string& json, std::string_view name) {
  boost::system::error_code failed;
  const auto body = boost::json::parse(json, failed);
  const auto* object = failed ? nullptr : body.if_object();
  return object == nullptr ? "" : json::text_at(*object, name);
}

/// One of those that are under way at once; it may outlive who counts.
class counted {
 public:
  explicit counted(std::shared_ptr<std::size_t> all) : all_{std::move(all)} { ++*all_; }
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  ~counted() { --*all_; }

 private:
  std::shared_ptr<std::size_t> all_;
};

}  // namespace

std::vector<std::string> logins::names() const {
  std::vector<std::string> all;
  for (const provider* each : issuers_.of_people()) all.push_back(each->name);
  return all;
}

text::result<logins::first_half> logins::begin(std::size_t which, const std::string& redirect_uri,
                                               std::string_view next) const {
  const auto all = issuers_.of_people();
  if (which >= all.size()) return text::failure{error::no_provider};
  const provider& at = *all[which];
  const auto keys = issuers_.keys().find(at.issuer);
  if (keys == issuers_.keys().end() || keys->second->endpoints().authorization.empty())
    return text::failure{error::keys_awaited, at.issuer};
  const std::string seed = access::random_hex(limits::login_seed_bytes);
  first_half made;
  made.location = keys->second->endpoints().authorization;
  made.location += made.location.find('?') == std::string::npos ? '?' : '&';
  add_field(made.location, "response_type", "code");
  add_field(made.location, "client_id", at.client_id);
  add_field(made.location, "redirect_uri", redirect_uri);
  add_field(made.location, "scope", at.login_scopes);
  add_field(made.location, "state", derived(seed, "state"));
  add_field(made.location, "nonce", derived(seed, "nonce"));
  add_field(made.location, "code_challenge", challenge_of(derived(seed, "verifier")));
  add_field(made.location, "code_challenge_method", "S256");
  made.cookie = seed + "." + std::to_string(which) + ".";
  // A longer one is not worth a cookie that a browser refuses.
  text::append_percent_encoded(made.cookie, next.size() <= limits::login_next_bytes ? next : "/");
  return made;
}

net::task<logged> logins::finish(came_back given) {
  const auto kept = parts_of(given.cookie);
  const bool is_of_this_browser =
      kept && access::same_secret(derived(kept->seed, "state"), given.state);
  if (!is_of_this_browser) co_return text::failure{error::other_browser};
  if (!given.error.empty()) co_return text::failure{error::login_refused, given.error};
  const auto all = issuers_.of_people();
  if (kept->which >= all.size()) co_return text::failure{error::no_provider};
  const provider at = *all[kept->which];
  const auto keys = issuers_.keys().find(at.issuer);
  if (keys == issuers_.keys().end()) co_return text::failure{error::no_provider};
  // RFC 9207: else the code of one provider is shown to another.
  if (!given.issuer.empty() && given.issuer != at.issuer)
    co_return text::failure{error::login_of_another};
  const auto token_at = client::parse_web_url(keys->second->endpoints().token, keys->second->tls());
  if (!token_at) co_return text::failure{error::keys_awaited, at.issuer};
  if (*under_way_ >= limits::logins_under_way) co_return text::failure{error::many_logins};
  const counted one{under_way_};

  std::string form;
  add_field(form, "grant_type", "authorization_code");
  add_field(form, "code", given.code);
  add_field(form, "redirect_uri", given.redirect_uri);
  add_field(form, "code_verifier", derived(kept->seed, "verifier"));
  client::place to = token_at->at;
  if (at.client_secret.empty()) {
    add_field(form, "client_id", at.client_id);
  } else {
    to.authorization = basic(at);
  }
  client::http_client connection{io_, to, provider_patience};
  client::request asked{"POST", token_at->target};
  asked.headers.push_back({"Content-Type", "application/x-www-form-urlencoded"});
  asked.headers.push_back({"Accept", "application/json"});
  asked.body = std::move(form);
  auto exchanging = connection.exchange(std::move(asked));
  const client::answered answer = co_await std::move(exchanging);
  if (!answer) co_return text::failure{error::login_unanswered, answer.error().sentence};
  if (answer->status != 200) {
    const std::string why = text_in(answer->body, "error");
    co_return text::failure{error::login_refused,
                            why.empty() ? "status " + std::to_string(answer->status) : why};
  }
  auto judged = issuers_.judge_login(at, text_in(answer->body, "id_token"),
                                     derived(kept->seed, "nonce"), operations::now_in_seconds());
  if (!judged.holder) co_return text::failure{error::login_not_allowed, judged.refusal};
  co_return logged_in{std::move(judged.holder), kept->next};
}

}  // namespace tofud::oidc
