#include "daemon/access/token.hpp"

#include "daemon/access/errors.hpp"
#include "daemon/access/limits.hpp"
#include "daemon/access/secret.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/text/sha256.hpp"
#include "protocol/text/whole_number.hpp"
#include "protocol/ui/timestamp.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <utility>

namespace tofud::access {
namespace {

constexpr std::string_view prefix = "tofud_";
constexpr std::size_t id_digits = 8, secret_digits = 64, text_size = 6 + 8 + 1 + 64;

bool is_hex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Nothing if it is missing or no string.
std::optional<std::string> text_of(const boost::json::object& line, std::string_view key) {
  const auto* found = line.if_contains(key);
  if (found == nullptr || !found->is_string()) return std::nullopt;
  return std::string{found->get_string()};
}

std::optional<time> time_of(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  const auto read = ui::parse_timestamp(*text);
  if (!read) return std::nullopt;
  return std::chrono::floor<std::chrono::seconds>(*read);
}

/// Members only where there is something to say: most tokens reach everything.
void append_reach(std::string& line, const reach& within) {
  std::string_view before{",\"stacks\":["};
  for (const std::string& each : within.stacks) {
    line += std::exchange(before, ",");
    json::append_quoted(line, each);
  }
  if (!within.stacks.empty()) line += "]";
  before = ",\"labels\":{";
  for (const feed::label& each : within.labels) {
    line += std::exchange(before, ",");
    json::append_quoted(line, each.key);
    line += ":";
    json::append_quoted(line, each.value);
  }
  if (!within.labels.empty()) line += "}";
}

/// A limit that can't be read must not become none: then it is no token.
text::result<reach> reach_of(const boost::json::object& line) {
  reach read;
  const auto refused = [](std::string_view why) {
    return text::failure{error::token_bad_reach, why};
  };
  if (const auto* stacks = line.if_contains("stacks")) {
    if (!stacks->is_array() || stacks->get_array().empty()) return refused("stacks");
    for (const auto& each : stacks->get_array()) {
      if (!each.is_string()) return refused("stacks");
      if (const auto wrong = read.add_stack(std::string{each.get_string()}); !wrong.empty())
        return refused(wrong.text());
    }
  }
  if (const auto* labels = line.if_contains("labels")) {
    if (!labels->is_object() || labels->get_object().empty()) return refused("labels");
    for (const auto& [key, value] : labels->get_object()) {
      if (!value.is_string()) return refused("labels");
      const auto text = std::string{key} + "=" + std::string{value.get_string()};
      if (const auto wrong = read.add_label(text); !wrong.empty()) return refused(wrong.text());
    }
  }
  return {boost::system::in_place_value, std::move(read)};
}

}  // namespace

std::optional<token_text> parse_token_text(std::string_view text) {
  if (text.size() != text_size || !text.starts_with(prefix)) return std::nullopt;
  const auto id = text.substr(prefix.size(), id_digits);
  const auto secret = text.substr(text_size - secret_digits);
  if (text[prefix.size() + id_digits] != '_' || !is_hex(id) || !is_hex(secret)) return std::nullopt;
  return token_text{std::string{id}, std::string{secret}};
}

bool holds_token(std::string_view text) {
  for (std::size_t at = text.find(prefix); at != std::string_view::npos;
       at = text.find(prefix, at + 1)) {
    if (parse_token_text(text.substr(at, text_size))) return true;
  }
  return false;
}

new_token make_token(std::string name, scopes may, time now, std::optional<time> expires_at,
                     reach within) {
  const std::string id = random_hex(id_digits / 2), secret = random_hex(secret_digits / 2);
  return {{id, std::move(name), text::sha256_hex(secret), may, std::move(within), now, expires_at,
           false},
          std::string{prefix} + id + "_" + secret};
}

std::vector<token> ending_soon(const std::vector<token>& all, time now) {
  std::vector<token> ending;
  for (const token& one : all) {
    const bool ends = one.expires_at && *one.expires_at - now < limits::token_ends_soon;
    if (ends && !one.revoked && !one.is_expired(now)) ending.push_back(one);
  }
  std::sort(ending.begin(), ending.end(),
            [](const token& a, const token& b) { return *a.expires_at < *b.expires_at; });
  return ending;
}

std::string to_line(const token& one) {
  std::string line{"{\"id\":"};
  json::append_quoted(line, one.id);
  line += ",\"name\":";
  json::append_quoted(line, one.name);
  line += ",\"sha256\":";
  json::append_quoted(line, one.secret_hash);
  line += ",\"scopes\":";
  json::append_quoted(line, to_string(one.may));
  append_reach(line, one.within);
  line += ",\"created_at\":\"" + to_text(one.created_at) + "\",\"expires_at\":";
  line += one.expires_at ? "\"" + to_text(*one.expires_at) + "\"" : "null";
  line += one.revoked ? ",\"revoked\":true}" : ",\"revoked\":false}";
  return line;
}

text::result<token> parse_token_line(std::string_view line) {
  boost::json::error_code failed;
  const auto document = boost::json::parse({line.data(), line.size()}, failed);
  const auto* object = failed ? nullptr : document.if_object();
  if (object == nullptr) return text::failure{error::token_no_object};
  token read;
  read.id = text_of(*object, "id").value_or("");
  read.name = text_of(*object, "name").value_or("");
  read.secret_hash = text_of(*object, "sha256").value_or("");
  if (read.id.size() != id_digits || !is_hex(read.id))
    return text::failure{error::token_without_id};
  if (read.secret_hash.size() != secret_digits || !is_hex(read.secret_hash)) {
    return text::failure{error::token_without_secret};
  }
  const auto may = parse_scopes(text_of(*object, "scopes").value_or(""));
  if (!may) return may.error();
  read.may = *may;
  auto within = reach_of(*object);
  if (!within) return within.error();
  read.within = std::move(*within);
  const auto created = time_of(text_of(*object, "created_at"));
  if (!created) return text::failure{error::token_without_creation};
  read.created_at = *created;
  // What can't be read must not make a token live longer or again.
  const auto* expires = object->if_contains("expires_at");
  if (expires != nullptr && !expires->is_null()) {
    read.expires_at = time_of(text_of(*object, "expires_at"));
    if (!read.expires_at) return text::failure{error::token_bad_expiry};
  }
  const auto* revoked = object->if_contains("revoked");
  if (revoked != nullptr && !revoked->is_bool()) {
    return text::failure{error::token_bad_revoked};
  }
  read.revoked = revoked != nullptr && revoked->get_bool();
  return {boost::system::in_place_value, std::move(read)};
}

text::result<std::chrono::seconds> parse_lifetime(std::string_view text) {
  const text::failure refusal{error::no_lifetime, text};
  if (text.empty()) return refusal;
  const auto number = text::parse_whole_number<std::uint32_t>(text.substr(0, text.size() - 1));
  // A century is for ever, and no sum overflows.
  constexpr std::chrono::hours longest{100 * 366 * 24};
  if (!number || *number == 0) return refusal;
  std::chrono::seconds unit{0};
  if (text.back() == 'd') unit = std::chrono::hours{24};
  if (text.back() == 'h') unit = std::chrono::hours{1};
  if (text.back() == 'm') unit = std::chrono::minutes{1};
  if (unit.count() == 0) return refusal;
  return std::min<std::chrono::seconds>(unit * *number, longest);
}

std::string to_text(time when) {
  std::string text;
  ui::append_timestamp(text, when);
  return text;
}

}  // namespace tofud::access
